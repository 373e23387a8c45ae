import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { LineBasis } from "../pricing/basis";
import type { LineDiscount } from "../pricing/discounts";
import type { LineTax } from "../pricing/tax";
import type { Wording } from "../pricing/wording";
import type { CreditNoteReason } from "./credit-notes/schema";
import type { BillingReason, InvoiceLineKind } from "./schema";
import type { InvoiceParty, StatedParty, TierBreakdown } from "./schema.party";

/**
 * A line with its final amounts: exact decimals in major units, rounded to whole minor units once per line
 * (docs/interface/invoices.md). The line's total is amount - discount + tax.
 */
export interface NewInvoiceLine {
	readonly kind: InvoiceLineKind;
	readonly description: string;
	/** How the description is built, so that documents can translate it. Null or missing: the caller wrote the description. */
	readonly wording?: Wording | null;
	/** Null for a line without a quantity, such as a minimum spend. */
	readonly quantity: Decimal | null;
	/** The unit of the quantity, such as "seats". */
	readonly unit?: string | null;
	/** Major units, with all digits of the price; null if tiers or blocks set the price. */
	readonly unitPrice: Decimal | null;
	/** Shown as rows below the line. */
	readonly tiers?: readonly TierBreakdown[] | null;
	/** Before discount and tax; negative for a credit. */
	readonly amount: Decimal;
	/** The deduction from `amount`; 0 or missing: none. */
	readonly discount?: Decimal;
	/** The tax on the discounted amount; 0 or missing: none. */
	readonly tax?: Decimal;
	/** Missing: the rate of the draft. */
	readonly taxPercentage?: Decimal | null;
	/** The taxes, which sum to `tax`. Null or missing: the tax is the percentage. */
	readonly taxes?: readonly LineTax[] | null;
	/** The discounts of several coupons, which sum to `discount`. Null or missing: at most one coupon applies. */
	readonly discounts?: readonly LineDiscount[] | null;
	readonly period?: Period | null;
	/** The caller's ids (refIds) of the charged items. */
	readonly productRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly addonRefId?: string | null;
	/** The caller's ids of the customer and the subscription that it charges for. Null or missing: those of the document. */
	readonly customerRefId?: string | null;
	readonly subscriptionRefId?: string | null;
	/** The terms of the calculation, which explain the line. */
	readonly basis?: LineBasis | null;
	/** Only for charges in advance: a charge and its credits on all documents share one id. */
	readonly chargeId?: string | null;
}

/** The input of `issueInvoice`. Totals are the sums of the lines; the issue assigns number, sequence and revision. */
export interface NewInvoice {
	/** The customer's row id, and the current customer. */
	readonly customerId: string;
	readonly customer: InvoiceParty;
	/** The customer details that a purchase states; missing: none. A draft copies the customer at issue. */
	readonly stated?: StatedParty;
	/** The issuer's row id; null or missing: the default issuer. */
	readonly legalEntityId?: string | null;
	/** Row ids. */
	readonly subscriptionId?: string | null;
	readonly contractId?: string | null;
	/** The contract's external id, which lists show and filter by. */
	readonly contractRefId?: string | null;
	readonly billingReason: BillingReason;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** Missing: now. If the issuer's last invoice has a later date, that date is used: dates never decrease as numbers grow. */
	readonly issuedAt?: Instant;
	/** Missing: by the legal entity's net terms, else at issue. It moves with the issue date. */
	readonly dueAt?: Instant;
	/** Set if the invoice counts as paid at issue. A total of zero or less is always paid: nothing is due. */
	readonly paidAt?: Instant | null;
	/** The service period. */
	readonly period?: Period | null;
	readonly taxPercentage?: Decimal | null;
	/** The name and the size of the discount on the document, as "WELCOME (10% off)". */
	readonly discountLabel?: string | null;
	readonly discountPercent?: Decimal | null;
	readonly poNumber?: string | null;
	/** Printed at the end of the document. */
	readonly notes?: string | null;
	/** CHARGE: Tollgate charges the customer at the issue. Missing: the invoice waits for a payment. */
	readonly collectionMethod?: "CHARGE" | null;
	/** Printed below the dates, in this order. */
	readonly customFields?: Readonly<Record<string, string>>;
	readonly lines: readonly NewInvoiceLine[];
}

export interface NewCreditNoteLine extends NewInvoiceLine {
	/** The position of the invoice line that this line credits. */
	readonly invoiceLine?: number | null;
}

/**
 * The input of `issueCreditNote`. Lines carry credits as positive amounts. A negative amount is a charge within a proration. The total
 * is above zero.
 */
export interface NewCreditNote {
	/** The customer's row id. If the note corrects an invoice, it is the customer of that invoice. */
	readonly customerId: string;
	readonly customer: InvoiceParty;
	/** The issuer's row id, for a note without an invoice; otherwise the invoice's issuer applies. Null or missing: the default issuer. */
	readonly legalEntityId?: string | null;
	/** Row ids. */
	readonly subscriptionId?: string | null;
	readonly contractId?: string | null;
	/** The invoice that the note corrects, in the same currency and not CANCELED; null: none. */
	readonly invoiceId: string | null;
	/** Missing: ORDER_CHANGE. */
	readonly reasonCode?: CreditNoteReason;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** Missing: now. */
	readonly issuedAt?: Instant;
	readonly period?: Period | null;
	readonly discountLabel?: string | null;
	readonly discountPercent?: Decimal | null;
	readonly taxPercentage?: Decimal | null;
	/** Issued by a call, not by a change of a subscription. */
	readonly isByHand?: boolean;
	readonly lines: readonly NewCreditNoteLine[];
}
