import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { roundToMinor } from "../../../kernel/money";
import { addDays } from "../../../kernel/period";
import { taxLine, taxOn } from "../../pricing/tax";
import type { NewInvoice, NewInvoiceLine } from "../new-documents";
import type { InvoiceRow, LineRow } from "../table";
import type { ManualLine } from "./schema";

/** The terms of the legal entity that a draft needs. */
interface Issuing {
	readonly netTerms: number | null;
	readonly invoiceGracePeriodDays: number | null;
}

/**
 * Returns whether an invoice starts as a draft: automatic invoices of a billing cycle do (renewals, monthly usage, late usage,
 * contracts). Every other invoice results from a call, which shows it or waits for its payment.
 */
export const isDraftedFirst = (
	{ billingReason, paidAt = null }: Pick<NewInvoice, "billingReason" | "paidAt">,
	{ invoiceGracePeriodDays }: Issuing,
): boolean => billingReason === "BILLING_CYCLE" && paidAt === null && (invoiceGracePeriodDays ?? 0) > 0;

/** Returns the fields of a draft, which has no number and date yet. The net terms are stored as the time from creation to due date. */
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
		dueAt: dueAt ?? addDays(madeAt, entity.netTerms ?? 0),
		cashDiscount: null,
		taxConversion: null,
		missingRateTo: null,
		paidAt: null,
		balanceApplied: zero,
		amountPaid: zero,
		nextDueAt: addDays(madeAt, entity.invoiceGracePeriodDays ?? 0),
		stated,
	}) as const;

/** Converts a manual line from the request and rounds it once. Its tax rate is that of the draft's other lines unless it states one. */
export function manualLine(
	{ currency, taxPercentage }: Pick<InvoiceRow, "currency" | "taxPercentage">,
	others: ReadonlyArray<Pick<LineRow, "taxPercentage" | "taxes">>,
	input: ManualLine,
): NewInvoiceLine {
	const { description, quantity = 1, unit = null, unitPrice } = input;
	const rate = input.taxPercentage === undefined ? rateOf(others, taxPercentage) : decimalOf(input.taxPercentage);
	const amount = roundToMinor(exact(unitPrice).times(quantity), currency);
	const line = {
		kind: "Other",
		description,
		quantity: toDecimal(quantity),
		unit,
		unitPrice: toDecimal(unitPrice),
	} as const;
	const taxes = input.taxPercentage === undefined && taxPercentage === null ? (others[0]?.taxes ?? null) : null;
	if (taxes) {
		const taxed = taxLine({ subTotal: amount, discount: exact(0) }, taxes, currency);
		const { subTotal, tax } = taxed;
		return { ...line, amount: toDecimal(subTotal), tax: toDecimal(tax), taxPercentage: null, taxes: taxed.taxes };
	}
	const tax = taxOn(amount, exact(0), rate, currency);
	return { ...line, amount: toDecimal(amount), tax: toDecimal(tax), taxPercentage: rate };
}

const decimalOf = (value: number | null): Decimal | null => (value === null ? null : toDecimal(value));

const rateOf = (others: ReadonlyArray<Pick<LineRow, "taxPercentage">>, ofInvoice: Decimal | null): Decimal | null =>
	ofInvoice ?? others[0]?.taxPercentage ?? null;

/** Throws InvalidArgumentError for a negative total. */
export function assertNotNegative(total: Decimal): void {
	if (exact(total).lt(0))
		throw fail(
			"InvalidArgumentError",
			`The total of the invoice would be negative: ${total}. Deduct less, and credit the rest with a credit note or an entry of the customer's balance (POST /customers/{id}/balance/entries).`,
		);
}
