import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { roundToMinor } from "../../../kernel/money";
import { addUnits } from "../../../kernel/period";
import { taxOn } from "../../pricing/tax";
import type { NewInvoice, NewInvoiceLine } from "../new-documents";
import type { InvoiceRow, LineRow } from "../table";
import type { ManualLine } from "./schema";

/** What a draft and its issuer say of it. */
interface Issuing {
	readonly netTerms: number | null;
	readonly invoiceGracePeriodDays: number | null;
}

/**
 * What a billing cycle brings by itself: renewals, usage by the month, what was reported late, the invoices of contracts. All
 * else follows from a call, whose answer shows the invoice, or waits for its payment.
 */
export const isDraftedFirst = (
	{ billingReason, paidAt = null }: Pick<NewInvoice, "billingReason" | "paidAt">,
	{ invoiceGracePeriodDays }: Issuing,
): boolean => billingReason === "BILLING_CYCLE" && paidAt === null && (invoiceGracePeriodDays ?? 0) > 0;

/** No number and no date yet: what it is due by is kept as the time between the two. */
export const termsOfDraft = (
	{ dueAt, stated = {} }: Pick<NewInvoice, "dueAt" | "stated">,
	{ entity }: { readonly entity: Issuing & { readonly id: string } },
	madeAt: Instant,
) =>
	({
		legalEntityId: entity.id,
		number: "",
		numberYear: 0,
		numberCount: 0,
		sequence: 0,
		state: "DRAFT",
		issuedAt: madeAt,
		dueAt: dueAt ?? addUnits(madeAt, "days", entity.netTerms ?? 0),
		cashDiscount: null,
		taxConversion: null,
		missingRateTo: null,
		paidAt: null,
		balanceApplied: zero,
		amountPaid: zero,
		nextDueAt: addUnits(madeAt, "days", entity.invoiceGracePeriodDays ?? 0),
		stated,
	}) as const;

/** A line as the caller states it, rounded once; taxed as the others of the draft, unless it says otherwise. */
export function manualLine(
	{ currency, taxPercentage }: Pick<InvoiceRow, "currency" | "taxPercentage">,
	others: ReadonlyArray<Pick<LineRow, "taxPercentage">>,
	input: ManualLine,
): NewInvoiceLine {
	const { description, quantity = 1, unit = null, unitPrice } = input;
	const rate = input.taxPercentage === undefined ? rateOf(others, taxPercentage) : decimalOf(input.taxPercentage);
	const amount = roundToMinor(exact(unitPrice).times(quantity), currency);
	return {
		kind: "Other",
		description,
		quantity: toDecimal(quantity),
		unit,
		unitPrice: toDecimal(unitPrice),
		amount: toDecimal(amount),
		tax: toDecimal(taxOn(amount, exact(0), rate, currency)),
		taxPercentage: rate,
	};
}

const decimalOf = (value: number | null): Decimal | null => (value === null ? null : toDecimal(value));

const rateOf = (others: ReadonlyArray<Pick<LineRow, "taxPercentage">>, ofInvoice: Decimal | null): Decimal | null =>
	ofInvoice ?? others[0]?.taxPercentage ?? null;

/** InvalidArgumentError: nobody is invoiced less than nothing. */
export function assertNotNegative(total: Decimal): void {
	if (exact(total).lt(0))
		throw fail(
			"InvalidArgumentError",
			`The invoice would come to ${total}, less than nothing. Take off less of it; give more back by a credit note, or add it to the customer's balance (POST /customers/{id}/balance/entries).`,
		);
}
