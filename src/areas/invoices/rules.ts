import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import { minorDigits } from "../../kernel/money";
import type { NewInvoice, NewInvoiceLine } from "./new-documents";
import type { InvoiceState, issuedStates } from "./schema";

/** Our choice: far more than any price list makes, and a document of a few dozen pages. */
export const linesMax = 1000;

/** Our choice: totals stay exact as a sortable integer of hundredths (2^53 is about 9e15). */
const totalMax = exact("10000000000000");

/** How an invoice may change its state; what is not listed never happens. */
export const nextStates: Readonly<Record<InvoiceState, readonly InvoiceState[]>> = {
	DRAFT: ["OPEN", "PAID"],
	OPEN: ["PAID", "CANCELED"],
	PAID: [],
	CANCELED: [],
};

export const lineTotal = ({ amount, discount, tax }: Pick<NewInvoiceLine, "amount" | "discount" | "tax">): Big =>
	exact(amount)
		.minus(discount ?? zero)
		.plus(tax ?? zero);

export interface InvoiceTotals {
	readonly subTotal: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
	/** The total as an integer in hundredths of the major unit. */
	readonly totalHundredths: number;
}

/** What a discount is called: its own name stays as it was given, how much it is is written as the reader does. Null: nothing is known. */
export function discountName(
	{
		discountLabel,
		discountPercent,
	}: { readonly discountLabel: string | null; readonly discountPercent: Decimal | null },
	percentOff: (percent: Decimal) => string = (percent) => `${percent}% off`,
): string | null {
	if (discountPercent === null) return discountLabel;
	const off = percentOff(discountPercent);
	return discountLabel === null ? off : `${discountLabel} (${off})`;
}

/** The sums of the lines. AmountTooLarge when they leave the range in which every amount is exact. */
export function totalsOf({ lines, currency }: Pick<NewInvoice, "lines" | "currency">): InvoiceTotals {
	if (lines.length > linesMax)
		throw fail(
			"AmountTooLarge",
			`An invoice or credit note has at most ${linesMax} lines; this one would have ${lines.length}.`,
		);
	for (const { amount, discount, tax } of lines) {
		for (const part of [amount, discount ?? zero, tax ?? zero])
			assert(exact(part).round(minorDigits(currency)).eq(part), `a line's amount is in whole minor units, not ${part}`);
	}
	const total = sum(lines.map(lineTotal));
	const subTotal = sum(lines.map(({ amount }) => exact(amount)));
	if (total.abs().gt(totalMax) || subTotal.abs().gt(totalMax))
		throw fail(
			"AmountTooLarge",
			`An invoice or credit note may amount to at most ${totalMax.toFixed()}; this one comes to ${total.toFixed()}.`,
		);
	return {
		subTotal: toDecimal(subTotal),
		discount: toDecimal(sum(lines.map(({ discount }) => exact(discount ?? zero)))),
		tax: toDecimal(sum(lines.map(({ tax }) => exact(tax ?? zero)))),
		total: toDecimal(total),
		totalHundredths: total.times(100).toNumber(),
	};
}

const dayMs = 86_400_000;

/**
 * What was due before this instant is overdue: its due date, a day in UTC, has passed. (Our choice: a due date is a day, and
 * counts as a whole.)
 */
export const overdueUntil = (now: Instant): Instant => (now - (now % dayMs)) as Instant;

/** From when on an invoice that is OPEN is overdue: its day has passed. */
export const overdueFrom = (dueAt: Instant): Instant => (overdueUntil(dueAt) + dayMs) as Instant;

export const isOverdue = ({ state, dueAt }: { state: InvoiceState; dueAt: Instant }, now: Instant): boolean =>
	state === "OPEN" && dueAt < overdueUntil(now);

/** InvalidArgumentError for an amount that nobody could pay. */
export function assertWholeMinorUnits(key: string, amount: Decimal, currency: string): void {
	const digits = minorDigits(currency);
	if (!exact(amount).round(digits).eq(amount))
		throw fail(
			"InvalidArgumentError",
			`'${key}' is ${amount}, but ${currency} has ${digits === 0 ? "no decimals" : `${digits} decimals`}; give a whole number of its smallest unit.`,
		);
}

/** The state of what cannot be a draft. */
export function issuedStateOf({ state }: { readonly state: InvoiceState }): (typeof issuedStates)[number] {
	assert(state !== "DRAFT", "only what a billing cycle brings is drafted");
	return state;
}

/** BillingInvoiceStatusError for a draft: nothing of it is owed yet. */
export function assertIssued({ id, state }: { readonly id: string; readonly state: InvoiceState }): void {
	if (state === "DRAFT")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice '${id}' is a DRAFT, of which nothing is owed yet; finalize it first (POST …/invoices/${id}/finalize).`,
		);
}

/** BillingInvoiceStatusError unless it is a draft: what was issued never changes. */
export function assertDraft({ number, state }: { readonly number: string; readonly state: InvoiceState }): void {
	if (state !== "DRAFT")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice ${number} is ${state}: what was issued never changes; correct it by a credit note (POST …/credit-note).`,
		);
}

export function assertMayBecome(
	invoice: { readonly id: string; readonly number: string; readonly state: InvoiceState },
	state: InvoiceState,
): void {
	assertIssued(invoice);
	if (!nextStates[invoice.state].includes(state))
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice ${invoice.number} is ${invoice.state}; only an OPEN invoice can become ${state}.`,
		);
}
