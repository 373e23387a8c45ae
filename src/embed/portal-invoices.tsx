import type { PortalApi, PortalInvoice } from "./api.portal";
import { usePages } from "./pages";
import { Problem, useWords } from "./parts";
import type { OwnPayment } from "./portal-methods";
import { savePdf } from "./save-pdf";

interface InvoicesProps {
	readonly api: PortalApi;
	/** The customer's payment methods; undefined if the page cannot charge. */
	readonly payment: OwnPayment | undefined;
}

export function Invoices({ api, payment }: InvoicesProps) {
	const { say, date, money } = useWords();
	const { rows, isLoaded, error, isBusy, run, end } = usePages(api.invoices, [api, payment?.ended]);
	if (error !== undefined) return <Problem error={error} />;
	const save = (invoice: PortalInvoice) => run(() => savePdf(api, "invoices", invoice));
	return (
		<section class="card" aria-labelledby="invoices" part="invoices">
			<h2 id="invoices">{say("invoices")}</h2>
			{isLoaded && rows.length === 0 && <p class="quiet">{say("noInvoices")}</p>}
			{rows.length > 0 && (
				<table>
					<thead>
						<tr>
							<th scope="col">{say("number")}</th>
							<th scope="col" class="wide">
								{say("date")}
							</th>
							<th scope="col" class="wide">
								{say("status")}
							</th>
							<th scope="col" class="end">
								{say("amount")}
							</th>
						</tr>
					</thead>
					<tbody>
						{rows.map((invoice) => (
							<tr key={invoice.id}>
								<td>
									<button
										type="button"
										aria-label={say("download", { number: invoice.number })}
										disabled={isBusy}
										onClick={() => save(invoice)}
									>
										{invoice.number}
									</button>
								</td>
								<td class="wide">{date(invoice.issueDate)}</td>
								<td class="wide">{say(invoice.state as "OPEN")}</td>
								<td class="end">
									{money(invoice.total, invoice.currency)}
									{payment?.mayPay(invoice) && (
										<div>
											<button
												type="button"
												class="main"
												aria-label={say("payNowFor", { number: invoice.number })}
												disabled={isBusy}
												onClick={() => run(() => payment.pay(invoice.id))}
											>
												{say("payNow")}
											</button>
										</div>
									)}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			{end}
		</section>
	);
}
