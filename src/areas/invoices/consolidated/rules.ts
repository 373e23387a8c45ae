import { exact, toDecimal } from "../../../kernel/decimal";
import type { NewInvoiceLine } from "../new-documents";
import type { InvoiceTotals } from "../rules";
import type { InvoiceRow, LineRow } from "../table";

/** Our choice (docs/interface/invoices.md#limits): late usage still has room on an invoice with that many lines. */
const collectedLinesMax = 2500;

/** Half of the greatest total of a document. Late usage has room too. */
const collectedTotalMax = exact("5000000000000");

/** Whether the lines of another subscription have room on an invoice. Otherwise the next invoice begins. */
export const hasRoom = (
	{ subTotal, total }: Pick<InvoiceTotals, "subTotal" | "total">,
	linesCount: number,
	added: Pick<InvoiceTotals, "subTotal" | "total"> & { readonly linesCount: number },
): boolean =>
	linesCount + added.linesCount <= collectedLinesMax &&
	[exact(total).plus(exact(added.total)), exact(subTotal).plus(exact(added.subTotal))].every((sum) =>
		sum.abs().lte(collectedTotalMax),
	);

/** Adds the totals of more lines. */
export const addTotals = (one: InvoiceTotals, other: InvoiceTotals): InvoiceTotals => ({
	subTotal: toDecimal(exact(one.subTotal).plus(exact(other.subTotal))),
	discount: toDecimal(exact(one.discount).plus(exact(other.discount))),
	tax: toDecimal(exact(one.tax).plus(exact(other.tax))),
	total: toDecimal(exact(one.total).plus(exact(other.total))),
	totalHundredths: one.totalHundredths + other.totalHundredths,
});

type Head = Pick<InvoiceRow, "periodStart" | "periodEnd" | "discountLabel" | "discountPercent">;

/** Returns the head of an invoice for several subscriptions: the span of their periods, and their discount if it is the same. */
export function joinHeads(one: Head, other: Head): Head {
	const isAlike = one.discountLabel === other.discountLabel && one.discountPercent === other.discountPercent;
	return {
		periodStart: least(one.periodStart, other.periodStart, (a, b) => a < b),
		periodEnd: least(one.periodEnd, other.periodEnd, (a, b) => a > b),
		discountLabel: isAlike ? one.discountLabel : null,
		discountPercent: isAlike ? one.discountPercent : null,
	};
}

const least = <Value>(one: Value | null, other: Value | null, isBefore: (a: Value, b: Value) => boolean) =>
	one === null ? other : other === null || isBefore(one, other) ? one : other;

/** The subscription that a line of a consolidated invoice charges, and its customer if another one pays. */
export type NamedLine = Pick<NewInvoiceLine, "subscriptionRefId" | "customerRefId">;

/** Returns the lines of a subscription among those of a consolidated invoice or of its credit notes. */
export const linesOfSubscription = <Line extends Pick<LineRow, "subscriptionRefId">>(
	lines: readonly Line[],
	subscriptionRefId: string,
): Line[] => lines.filter((line) => line.subscriptionRefId === subscriptionRefId);
