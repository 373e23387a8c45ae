import { type Instant, toIso } from "../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { InvoiceLineDraft } from "./draft";
import { lineTotal } from "./rules";
import type { InvoiceLineKind, InvoiceState } from "./schema";
import type { LineRow } from "./table";

/** "CN-000042"; from a million on, the number simply grows. */
export const creditNoteNumber = (sequence: number): string => `CN-${String(sequence).padStart(6, "0")}`;

/** It never changes, so there is one revision of it, and one PDF. */
export const creditNoteRevision = 1;

/**
 * What was used stays owed (semantics-extra 9, credit note), and so does what a minimum spend has taken off it: that line
 * means nothing without the usage.
 */
const usageKinds: ReadonlySet<InvoiceLineKind> = new Set([
	"PayAsYouGoCharge",
	"OverageCharge",
	"MinimumSpendAdjustmentCharge",
]);

interface Credited {
	readonly number: string;
	readonly lines: readonly LineRow[];
}

/**
 * The lines that credit the rest of an invoice: all but usage, less what earlier credit notes have given back, in a line for
 * each of their tax rates. BillingInvoiceStatusError when nothing is owed or left; InvalidArgumentError when there never was
 * anything that can be credited.
 */
export function linesToCredit(
	{ number, state }: { readonly number: string; readonly state: InvoiceState },
	lines: readonly LineRow[],
	earlier: readonly Credited[],
): InvoiceLineDraft[] {
	if (state === "CANCELED")
		throw fail("BillingInvoiceStatusError", `The invoice ${number} is CANCELED; nothing of it is owed.`);
	const creditable = lines.filter(({ kind }) => !usageKinds.has(kind));
	if (creditable.length === 0 && lines.length > 0)
		throw fail(
			"InvalidArgumentError",
			`The invoice ${number} has lines of usage only, and usage is never credited; correct the usage instead.`,
		);
	if (sum(creditable.map(lineTotal)).lte(0))
		throw fail("InvalidArgumentError", `The invoice ${number} charges nothing but usage; there is nothing to credit.`);
	const drafts = [...creditable.map(again), ...earlier.flatMap(takenOff)];
	if (sum(drafts.map(lineTotal)).lte(0)) {
		const numbers = earlier.map((note) => note.number).join(", ");
		throw fail("BillingInvoiceStatusError", `The invoice ${number} is already credited in full, by ${numbers}.`);
	}
	return drafts;
}

/** The line as it was charged, given back. */
const again = ({ periodStart, periodEnd, ...line }: LineRow): InvoiceLineDraft => ({
	kind: line.kind,
	description: line.description,
	quantity: line.quantity,
	unitPrice: line.unitPrice,
	tiers: line.tiers,
	amount: line.amount,
	discount: line.discount,
	tax: line.tax,
	taxPercentage: line.taxPercentage,
	period: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
	productRefId: line.productRefId,
	featureRefId: line.featureRefId,
	addonRefId: line.addonRefId,
});

/**
 * What a note has given back, by tax rate, so that the taxes of each rate sum up too. What it charged besides (usage until
 * then, the time that remains on another plan) was no part of the invoice, and stays owed.
 */
function takenOff({ number, lines }: Credited): InvoiceLineDraft[] {
	const back = lines.filter(({ total }) => exact(total).gt(0));
	const byRate = Map.groupBy(back, ({ taxPercentage }) => taxPercentage);
	return [...byRate].map(([taxPercentage, of]) => {
		const less = (part: (line: LineRow) => Decimal): Decimal =>
			toDecimal(sum(of.map((line) => exact(part(line)))).times(-1));
		return {
			kind: "Other",
			description: `Already credited by ${number}`,
			quantity: null,
			unitPrice: null,
			amount: less(({ amount }) => amount),
			discount: less(({ discount }) => discount),
			tax: less(({ tax }) => tax),
			taxPercentage,
			period: null,
		};
	});
}

/**
 * A date that the caller gives to what happens to an invoice: between its issue and now. InvalidArgumentError.
 * (Our choice: what is still to come is not recorded as done.)
 */
export function assertDateOf(
	invoice: { readonly number: string; readonly issuedAt: Instant },
	key: "paidDate" | "issueDate",
	at: Instant,
	now: Instant,
): void {
	if (at > now) throw fail("InvalidArgumentError", `'${key}' lies in the future; give a time that has come.`);
	if (at < invoice.issuedAt)
		throw fail(
			"InvalidArgumentError",
			`'${key}' lies before ${invoice.number} was issued; give a time from ${toIso(invoice.issuedAt)} on.`,
		);
}
