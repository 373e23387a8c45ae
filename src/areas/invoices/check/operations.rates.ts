import { toIso } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { ratedOtherwise } from "../../pricing/rerate/rerate";
import { linesByInvoice } from "../operations";
import type { InvoiceLineRow, InvoiceRow } from "../table";
import { readInvoices } from "./operations.sums";

/**
 * Rates every invoice line of this environment again from its stored terms, and reports lines with another result. It proceeds in the
 * order of issue, from the sequence `first` on.
 */
export function* checkRates(work: Work, first = 1): Generator<string> {
	for (let from = first; ; ) {
		const rows = readInvoices(work, from);
		const last = rows.at(-1);
		if (!last) return;
		const lines = linesByInvoice(work, rows);
		for (const row of rows) {
			// The subscriptions of a consolidated invoice are rated by themselves.
			const bills = Map.groupBy(lines.get(row.id) ?? [], ({ subscriptionRefId }) => subscriptionRefId);
			for (const billed of bills.values()) {
				const different = ratedOtherwise(billed, row.currency);
				const line = billed[different?.at ?? -1];
				if (!different || !line) continue;
				const { figure, expected, found } = different;
				yield `${nameLine(row, line)}: ${figure} is ${found}, rated again it is ${expected}`;
			}
		}
		from = last.sequence + 1;
	}
}

/** Names a line of an invoice for a finding. */
export function nameLine(
	{ number }: Pick<InvoiceRow, "number">,
	{
		position,
		description,
		periodStart,
		periodEnd,
	}: Pick<InvoiceLineRow, "position" | "description" | "periodStart" | "periodEnd">,
): string {
	const time = periodStart === null || periodEnd === null ? "" : ` for ${toIso(periodStart)} to ${toIso(periodEnd)}`;
	return `the invoice ${number}, line ${position + 1} (${description})${time}`;
}
