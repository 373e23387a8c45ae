import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { LineBasis } from "../pricing/basis";
import type { Wording } from "../pricing/wording";
import type { CreditNoteReason } from "./credit-notes/schema";
import type { BillingReason, InvoiceLineKind } from "./schema";
import type { InvoiceParty, StatedParty, TierBreakdown } from "./schema.party";

/**
 * A line as the rating has decided it. Amounts are exact decimals in major units, already rounded to whole minor units
 * (docs/interface/invoices.md: once per line); the line's total is amount - discount + tax.
 */
export interface NewInvoiceLine {
	readonly kind: InvoiceLineKind;
	readonly description: string;
	/** How the description is put together: so documents are whole in their language. Null, or left out: it is one of the caller's. */
	readonly wording?: Wording | null;
	/** Null for a line that counts nothing, such as a minimum spend. */
	readonly quantity: Decimal | null;
	/** What the quantity counts, such as "seats". */
	readonly unit?: string | null;
	/** Major units, with as many digits as it was priced with; null when tiers or blocks make up the price. */
	readonly unitPrice: Decimal | null;
	/** Shown as rows below the line. */
	readonly tiers?: readonly TierBreakdown[] | null;
	/** Before discount and tax; negative for a credit. */
	readonly amount: Decimal;
	/** What is taken off `amount`; 0 or left out: nothing. */
	readonly discount?: Decimal;
	/** On the discounted amount; 0 or left out: nothing. */
	readonly tax?: Decimal;
	/** Left out: the draft's own. */
	readonly taxPercentage?: Decimal | null;
	readonly period?: Period | null;
	/** The caller's ids (refIds) of what is charged for. */
	readonly productRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly addonRefId?: string | null;
	/** What it was calculated from: it explains the line. */
	readonly basis?: LineBasis | null;
	/** Of what is charged in advance: a charge and what is credited of it, on whichever document, have one id. */
	readonly chargeId?: string | null;
}

/** What `issueInvoice` needs. Totals are the sums of the lines; number, sequence and revision are given at issue. */
export interface NewInvoice {
	/** The customer's row id, and the customer as it is now. */
	readonly customerId: string;
	readonly customer: InvoiceParty;
	/** What of it a purchase says; left out: nothing. A draft is issued to the customer as it is then. */
	readonly stated?: StatedParty;
	/** Row id of who issues it; null, or left out: the default one. */
	readonly legalEntityId?: string | null;
	/** Row ids. */
	readonly subscriptionId?: string | null;
	readonly contractId?: string | null;
	/** The contract's external id, which lists show and filter by. */
	readonly contractRefId?: string | null;
	readonly billingReason: BillingReason;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** Left out: now. Moved on to the date of the issuer's last invoice, if that is later: dates never run against the numbers. */
	readonly issuedAt?: Instant;
	/** Left out: by the legal entity's net terms, else at issue. Moved on with the date of issue. */
	readonly dueAt?: Instant;
	/** Given when it counts as paid from the start. A total of zero or less is always paid: nothing is left to collect. */
	readonly paidAt?: Instant | null;
	/** The service period. */
	readonly period?: Period | null;
	readonly taxPercentage?: Decimal | null;
	/** Of the discount on the document, as "WELCOME (10% off)": what it is called, and how much it is. */
	readonly discountLabel?: string | null;
	readonly discountPercent?: Decimal | null;
	readonly poNumber?: string | null;
	/** Printed at the end of the document. */
	readonly notes?: string | null;
	/** Printed below the dates, in this order. */
	readonly customFields?: Readonly<Record<string, string>>;
	readonly lines: readonly NewInvoiceLine[];
}

export interface NewCreditNoteLine extends NewInvoiceLine {
	/** The position of the line of its invoice that it credits. */
	readonly invoiceLine?: number | null;
}

/**
 * What `issueCreditNote` needs. Lines carry what is credited as positive amounts; a negative one is kept back, such as the
 * charge within a proration that credits more than it takes. The total is above zero.
 */
export interface NewCreditNote {
	/** The customer's row id; of a note that corrects an invoice, the customer of that invoice. */
	readonly customerId: string;
	readonly customer: InvoiceParty;
	/** Row id of who issues it, where it corrects no invoice: else that one's issuer does. Null, or left out: the default one. */
	readonly legalEntityId?: string | null;
	/** Row ids. */
	readonly subscriptionId?: string | null;
	readonly contractId?: string | null;
	/** The invoice that it corrects, in the same currency and not CANCELED; null: none. */
	readonly invoiceId: string | null;
	/** Left out: ORDER_CHANGE. */
	readonly reasonCode?: CreditNoteReason;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** Left out: now. */
	readonly issuedAt?: Instant;
	readonly period?: Period | null;
	readonly discountLabel?: string | null;
	readonly discountPercent?: Decimal | null;
	readonly taxPercentage?: Decimal | null;
	/** By a call, rather than by what becomes of a subscription. */
	readonly isByHand?: boolean;
	readonly lines: readonly NewCreditNoteLine[];
}
