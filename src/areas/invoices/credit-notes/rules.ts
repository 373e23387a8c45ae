import { type Instant, toIso } from "../../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { divideToMinor } from "../../../kernel/money";
import { worded } from "../../pricing/wording";
import type { NewCreditNoteLine, NewInvoiceLine } from "../new-documents";
import { lineTotal } from "../rules";
import { negatedDiscounts } from "../rules.discounts";
import { negatedTaxes, rateKeyOf, splitParts, sumTaxes } from "../rules.taxes";
import type { InvoiceLineKind, InvoiceState } from "../schema";
import type { CreditNoteRow, InvoiceRow, LineRow } from "../table";

/** Returns the revision of a credit note. It changes at most once, when the note is voided. A PDF belongs to one revision. */
export const creditNoteRevision = ({ voidedAt }: Pick<CreditNoteRow, "voidedAt">): number =>
	voidedAt === null ? 1 : 2;

const usageKinds: ReadonlySet<InvoiceLineKind> = new Set([
	"PayAsYouGoCharge",
	"OverageCharge",
	"MinimumSpendAdjustmentCharge",
]);

/**
 * Lines of usage stay owed (docs/interface/invoices.md, credit note). So does the line of usage that a minimum spend covers, which
 * means nothing without the usage, and what a window lacked to its minimum or its commitment, which pays for its late usage.
 */
export const isOfUsage = ({ kind, basis }: Pick<LineRow, "kind" | "basis">): boolean =>
	usageKinds.has(kind) || basis?.trueUp !== undefined || basis?.spendCommitment !== undefined;

/** A placeholder for the number of a document without one: a draft, or waiting lines of the next invoice. */
export const nextInvoice = "";

/** Lines of one document that credit an invoice. A negative line with a charge id charges it again. */
export interface Credited {
	readonly number: string;
	readonly lines: readonly LineRow[];
}

/** The fields of an invoice that these rules read. */
type Charged = Pick<InvoiceRow, "state" | "total" | "balanceApplied" | "amountPaid">;
type Noted = Pick<CreditNoteRow, "total" | "reducesDue" | "toBalance">;

/** Returns the amount of an invoice that can still be credited; no credit note exceeds it. */
export const creditableAmount = ({ total }: Pick<InvoiceRow, "total">, notes: readonly Noted[]): Big =>
	exact(total).minus(sum(notes.map((note) => exact(note.total))));

/** Returns the sum that credit notes deducted before the invoice was paid. */
export const reducedBy = (notes: readonly Noted[]): Big =>
	sum(notes.filter(({ reducesDue }) => reducesDue).map((note) => exact(note.total).minus(exact(note.toBalance))));

/** Returns the amount due of an invoice. */
export function dueOf({ state, total, balanceApplied, amountPaid }: Charged, notes: readonly Noted[]): Big {
	const due = exact(total).minus(exact(balanceApplied)).minus(exact(amountPaid)).minus(reducedBy(notes));
	return state === "OPEN" && due.gt(0) ? due : exact(0);
}

/** Returns the amount that the balance and payments paid of an invoice, minus the amount that went to the balance since. */
export const balanceToReturn = (
	{ balanceApplied, amountPaid }: Pick<InvoiceRow, "balanceApplied" | "amountPaid">,
	notes: readonly Noted[],
): Decimal =>
	toDecimal(
		exact(balanceApplied)
			.plus(exact(amountPaid))
			.minus(sum(notes.map(({ toBalance }) => exact(toBalance)))),
	);

/**
 * Returns the part of a new note that goes to the customer's balance. For an OPEN invoice, it is the part beyond the amount due,
 * because the customer has paid that much. For a PAID invoice, or without an invoice, it is the whole note.
 */
export function toBalanceOf(total: Decimal, invoice: Charged | undefined, notes: readonly Noted[]): Decimal {
	return invoice?.state === "OPEN" ? toDecimal(positive(exact(total).minus(dueOf(invoice, notes)))) : total;
}

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);

/**
 * Splits credited lines in two: lines that total `amount`, and the rest. The two sum to the whole in every column. Negative lines (a
 * charge within a proration) go to the first part. `amount` must not exceed the total of all lines.
 */
export function splitLines(
	lines: readonly NewCreditNoteLine[],
	amount: Big,
	currency: string,
): [part: NewCreditNoteLine[], rest: NewCreditNoteLine[]] {
	const [part, rest] = splitEach(
		lines.map((line) => ({ line })),
		amount,
		currency,
	);
	return [part.map(({ line }) => line), rest.map(({ line }) => line)];
}

/** Splits lines like `splitLines`; each keeps what the caller says of it. */
export function splitEach<One extends { readonly line: NewCreditNoteLine }>(
	lines: readonly One[],
	amount: Big,
	currency: string,
): [part: One[], rest: One[]] {
	const kept = lines.filter(({ line }) => lineTotal(line).lte(0));
	let open = amount.minus(sum(kept.map(({ line }) => lineTotal(line))));
	const [part, rest]: [One[], One[]] = [[], []];
	for (const one of lines) {
		const total = lineTotal(one.line);
		if (total.lte(open)) part.push(one);
		else if (open.lte(0)) rest.push(one);
		else {
			const [first, second] = cutLine(one.line, open, currency);
			part.push({ ...one, line: first });
			rest.push({ ...one, line: second });
		}
		if (total.gt(0)) open = positive(open.minus(total));
	}
	return [part, rest];
}

/** Splits a line. Tax and discount are split in proportion, each rounded once; the amount follows from the total. */
export function cutLine(
	line: NewCreditNoteLine,
	total: Big,
	currency: string,
): [part: NewCreditNoteLine, rest: NewCreditNoteLine] {
	const whole = lineTotal(line);
	const shareOf = (value: Decimal) => divideToMinor(exact(value).times(total), whole, currency);
	const { tax = zero, discount = zero } = line;
	const ofPart = { tax: shareOf(tax), discount: shareOf(discount) };
	const amount = total.minus(ofPart.tax).plus(ofPart.discount);
	// A part is not the amount that the price yields, so the check does not rate it again.
	const cut = { ...line, unitPrice: null, tiers: null, basis: null };
	const [taxes, taxesLeft] = line.taxes ? splitParts(line.taxes, ofPart.tax, currency) : [null, null];
	const [discounts, discountsLeft] = line.discounts
		? splitParts(line.discounts, ofPart.discount, currency)
		: [null, null];
	return [
		{
			...cut,
			taxes,
			discounts,
			amount: toDecimal(amount),
			tax: toDecimal(ofPart.tax),
			discount: toDecimal(ofPart.discount),
		},
		{
			...cut,
			taxes: taxesLeft,
			discounts: discountsLeft,
			amount: toDecimal(exact(line.amount).minus(amount)),
			tax: toDecimal(exact(tax).minus(ofPart.tax)),
			discount: toDecimal(exact(discount).minus(ofPart.discount)),
		},
	];
}

/**
 * Returns the lines that credit the rest of an invoice, excluding usage. For each document that credited it before, lines by tax rate
 * deduct these credits. Throws BillingInvoiceStatusError if nothing is owed or left, InvalidArgumentError if the invoice never had
 * anything to credit.
 */
export function linesToCredit(
	{ number, state }: { readonly number: string; readonly state: InvoiceState },
	lines: readonly LineRow[],
	earlier: readonly Credited[],
): NewCreditNoteLine[] {
	assertOwed({ number, state });
	const creditable = lines.filter((line) => !isOfUsage(line));
	if (creditable.length === 0 && lines.length > 0)
		throw fail(
			"InvalidArgumentError",
			`The invoice ${number} has lines of usage only, and usage is never credited; correct the usage instead.`,
		);
	if (sum(creditable.map(lineTotal)).lte(0))
		throw fail("InvalidArgumentError", `The invoice ${number} charges nothing but usage; there is nothing to credit.`);
	const rest = [...creditable.map(creditOfLine), ...earlier.flatMap(alreadyCredited)];
	if (sum(rest.map(lineTotal)).lte(0)) {
		const numbers = earlier.map((note) => note.number || "the next invoice").join(", ");
		throw fail("BillingInvoiceStatusError", `The invoice ${number} is already credited in full, by ${numbers}.`);
	}
	return rest;
}

export function assertOwed({ number, state }: { readonly number: string; readonly state: InvoiceState }): void {
	if (state === "CANCELED")
		throw fail("BillingInvoiceStatusError", `The invoice ${number} is CANCELED; nothing of it is owed.`);
}

/** Returns the line as a credit. */
export const creditOfLine = ({ periodStart, periodEnd, ...line }: LineRow): NewCreditNoteLine => ({
	invoiceLine: line.position,
	kind: line.kind,
	description: line.description,
	wording: line.wording,
	quantity: line.quantity,
	unit: line.unit,
	unitPrice: line.unitPrice,
	tiers: line.tiers,
	amount: line.amount,
	discount: line.discount,
	tax: line.tax,
	taxPercentage: line.taxPercentage,
	taxes: line.taxes,
	discounts: line.discounts,
	period: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
	productRefId: line.productRefId,
	featureRefId: line.featureRefId,
	addonRefId: line.addonRefId,
	customerRefId: line.customerRefId,
	subscriptionRefId: line.subscriptionRefId,
	chargeId: line.chargeId,
});

/**
 * Returns the credits of another document by tax rate, so that the taxes of each rate add up. Other charges of that note (usage to
 * date, the remaining time on another plan) were not part of the invoice and stay owed.
 */
function alreadyCredited({ number, lines }: Credited): NewInvoiceLine[] {
	// Usage is excluded, also if a note has credited some of it.
	const back = lines.filter((line) => !isOfUsage(line) && (line.chargeId !== null || exact(line.total).gt(0)));
	const byRate = Map.groupBy(back, rateKeyOf);
	return [...byRate.values()].map((of) => {
		const less = (part: (line: LineRow) => Decimal): Decimal =>
			toDecimal(sum(of.map((line) => exact(part(line)))).times(-1));
		return {
			kind: "Other",
			...worded(
				number === nextInvoice ? { codes: ["alreadyCreditedLater"] } : { codes: ["alreadyCredited"], of: number },
			),
			quantity: null,
			unitPrice: null,
			amount: less(({ amount }) => amount),
			discount: less(({ discount }) => discount),
			tax: less(({ tax }) => tax),
			taxPercentage: of[0]?.taxPercentage ?? null,
			...negatedTaxes({ taxes: sumTaxes(of) }),
			period: null,
		};
	});
}

/**
 * Checks a date that the caller gives for an action on an invoice: between its issue and now. Throws InvalidArgumentError.
 * Our choice (docs/interface/invoices.md#invoices): nothing is recorded before it happens.
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

/** Converts a line of a credit note to a line of an invoice. */
export const takenOff = <Line extends Pick<NewInvoiceLine, "amount" | "discount" | "tax" | "taxes" | "discounts">>(
	line: Line,
) => ({
	...line,
	...negatedTaxes(line),
	...negatedDiscounts(line),
	amount: minus(line.amount),
	discount: minus(line.discount ?? zero),
	tax: minus(line.tax ?? zero),
});

const minus = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));
