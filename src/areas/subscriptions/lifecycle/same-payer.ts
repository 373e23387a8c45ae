import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { amountsWithin } from "../../billing/operations.spend";
import { invoicesByIds } from "../../invoices/operations";
import { partiesOf } from "../billing/payer";
import type { SubscriptionRow } from "../table";

/**
 * Throws InvalidArgumentError for a date within a period whose invoice another customer got: a dated change would credit and charge the
 * present payer for it. The message names the end of the last such period.
 */
export function assertSamePayer(work: Work, row: SubscriptionRow, date: Instant, place: string): void {
	const billed = amountsWithin(work, row, { start: date, end: work.now }).filter(
		({ credited, period }) => credited.length === 0 && period.endsAt > date,
	);
	const invoices = invoicesByIds(work, [...new Set(billed.flatMap(({ period }) => period.invoiceId ?? []))]);
	const { paying } = partiesOf(work, row);
	const others = billed.filter(({ period }) => {
		const invoice = invoices.get(period.invoiceId ?? "");
		return invoice !== undefined && invoice.customerId !== paying.id;
	});
	if (others.length === 0) return;
	const until = Math.max(...others.map(({ period }) => period.endsAt)) as Instant;
	const remedy = until <= work.now ? "choose that time or a later one" : `leave '${place}' out`;
	throw fail(
		"InvalidArgumentError",
		`'${place}' cannot lie before ${toIso(until)}, until when another customer than '${paying.refId}' has paid for the subscription '${row.refId}'; ${remedy}.`,
	);
}
