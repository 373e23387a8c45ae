import { useState } from "preact/hooks";
import type { PortalApi, PortalInvoice } from "./api.portal";
import { Problem, useAction, useLoaded, useWords } from "./parts";

export function Invoices({ api }: { readonly api: PortalApi }) {
	const { say, date, money } = useWords();
	const [more, setMore] = useState<{ rows: PortalInvoice[]; next: string | null }>();
	const { value, error } = useLoaded(() => api.invoices(null), [api]);
	const { isBusy, error: failed, run } = useAction();
	if (error !== undefined) return <Problem error={error} />;
	const rows = [...(value?.data ?? []), ...(more?.rows ?? [])];
	const next = more ? more.next : value?.pagination.next;
	const save = ({ id, number }: PortalInvoice) =>
		run(async () => {
			const address = URL.createObjectURL(await api.pdf(id));
			const link = document.createElement("a");
			link.href = address;
			link.download = `${number}.pdf`;
			link.click();
			setTimeout(() => URL.revokeObjectURL(address), 60_000);
		});
	return (
		<section class="card" aria-labelledby="invoices" part="invoices">
			<h2 id="invoices">{say("invoices")}</h2>
			{value && rows.length === 0 && <p class="quiet">{say("noInvoices")}</p>}
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
								<td class="end">{money(invoice.total, invoice.currency)}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			{failed !== undefined && <Problem error={failed} />}
			{next && (
				<button
					type="button"
					disabled={isBusy}
					onClick={() =>
						run(async () => {
							const page = await api.invoices(next);
							setMore({ rows: [...(more?.rows ?? []), ...page.data], next: page.pagination.next });
						})
					}
				>
					{say("more")}
				</button>
			)}
		</section>
	);
}
