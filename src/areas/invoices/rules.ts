import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import { minorDigits } from "../../kernel/money";
import type { NewInvoice, NewInvoiceLine } from "./new-documents";
import { type InvoiceState, type issuedStates, linesMax } from "./schema";

/**
 * Our choice (docs/interface/invoices.md#limits): totals stay exact as a sortable integer of hundredths (2^53 is about
 * 9e15).
 */
const totalMax = exact("10000000000000");

/** The allowed changes of state; all others are impossible. */
export const nextStates: Readonly<Record<InvoiceState, readonly InvoiceState[]>> = {
	DRAFT: ["OPEN", "PAID"],
	OPEN: ["PAID", "CANCELED"],
	PAID: ["OPEN"],
	CANCELED: [],
};

/** The digits of a receipt's number, which grows beyond them. */
const receiptDigits = 6;

/** Returns the number that a receipt's document shows, such as "R-000042". It is unique within the legal entity. */
export const receiptNumber = ({ numberCount }: { readonly numberCount: number }): string =>
	`R-${String(numberCount).padStart(receiptDigits, "0")}`;

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

/** Returns the name of a discount as given, with its size in the reader's language. Null: nothing is known. */
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

/** Returns the sums of the lines. Throws AmountTooLarge outside the range in which every amount is exact. */
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
			`An invoice or credit note may amount to at most ${totalMax.toFixed()}; got ${total.toFixed()}.`,
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
 * Returns the bound for overdue invoices: an invoice with an earlier due date is overdue. Our choice
 * (docs/interface/invoices.md#invoices): a due date is a whole day in UTC.
 */
export const overdueUntil = (now: Instant): Instant => (now - (now % dayMs)) as Instant;

/** Returns when an OPEN invoice becomes overdue: after its due date. */
export const overdueFrom = (dueAt: Instant): Instant => (overdueUntil(dueAt) + dayMs) as Instant;

export const isOverdue = ({ state, dueAt }: { state: InvoiceState; dueAt: Instant }, now: Instant): boolean =>
	state === "OPEN" && dueAt < overdueUntil(now);

/** Throws InvalidArgumentError for an amount with a fraction of a minor unit. */
export function assertWholeMinorUnits(key: string, amount: Decimal, currency: string): void {
	const digits = minorDigits(currency);
	if (!exact(amount).round(digits).eq(amount))
		throw fail(
			"InvalidArgumentError",
			`'${key}' is ${amount}, but ${currency} has ${digits === 0 ? "no decimals" : `${digits} decimals`}; give a whole number of its smallest unit.`,
		);
}

/** Returns the state of an invoice that cannot be a draft. */
export function issuedStateOf({ state }: { readonly state: InvoiceState }): (typeof issuedStates)[number] {
	assert(state !== "DRAFT", "only what a billing cycle brings is drafted");
	return state;
}

/** Throws BillingInvoiceStatusError for a draft, because it is not owed yet. */
export function assertIssued({ id, state }: { readonly id: string; readonly state: InvoiceState }): void {
	if (state === "DRAFT")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice '${id}' is a DRAFT, of which nothing is owed yet; finalize it first (POST …/invoices/${id}/finalize).`,
		);
}

/** Throws BillingInvoiceStatusError unless the invoice is a draft: an issued invoice never changes. */
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
