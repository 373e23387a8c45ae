import type { PortalApi } from "./api.portal";
import { usePages } from "./pages";
import { Problem, useWords } from "./parts";
import { savePdf } from "./save-pdf";

/** The customer's payments and the money that went back. The card is hidden as long as there are none. */
export function Payments({ api }: { readonly api: PortalApi }) {
	const { say, date, money } = useWords();
	const { rows, error, isBusy, run, end } = usePages(api.receipts, [api]);
	if (error !== undefined) return <Problem error={error} />;
	if (rows.length === 0) return null;
	return (
		<section class="card" aria-labelledby="payments" part="payments">
			<h2 id="payments">{say("payments")}</h2>
			<table>
				<thead>
					<tr>
						<th scope="col">{say("number")}</th>
						<th scope="col" class="wide">
							{say("date")}
						</th>
						<th scope="col">{say("kind")}</th>
						<th scope="col" class="end">
							{say("amount")}
						</th>
					</tr>
				</thead>
				<tbody>
					{rows.map((receipt) => (
						<tr key={receipt.id}>
							<td>
								<button
									type="button"
									aria-label={say("download", { number: receipt.number })}
									disabled={isBusy}
									onClick={() => run(() => savePdf(api, "receipts", receipt))}
								>
									{receipt.number}
								</button>
							</td>
							<td class="wide">{date(receipt.date)}</td>
							<td>{say(receipt.kind)}</td>
							<td class="end">
								{money(receipt.kind === "PAYMENT" ? receipt.amount : -receipt.amount, receipt.currency)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
			{end}
		</section>
	);
}
