import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Issuer } from "../legal-entities/operations";
import type { Totals } from "../pricing/totals";
import type { InvoiceParty } from "./schema.party";

/** What an order form shows, as plain values: a contract as it stands, decided by its own area. Amounts in major units. */
export interface Agreement {
	/** What its PDF is kept by; `revision` changes whenever anything that is printed does. */
	readonly id: string;
	readonly environmentId: string;
	readonly revision: number;
	/** Of what is printed, the last change. */
	readonly changedAt: Instant;
	/** The contract's own id. */
	readonly number: string;
	readonly name: string | null;
	readonly poNumber: string | null;
	readonly status: "DRAFT" | "AMENDMENT" | "IN_FORCE" | "CANCELED" | "ENDED";
	/** Since when it is in force, else the day of the draft. */
	readonly date: Instant;
	readonly issuer: Issuer;
	readonly customer: InvoiceParty;
	readonly currency: string;
	readonly term: { readonly start: Instant | null; readonly end: Instant | null };
	/** Days; null where the items differ. */
	readonly netTerms: number | null;
	readonly lines: readonly AgreedLine[];
	/** The whole term's, without what is paid as it is used. */
	readonly totals: Totals;
	readonly invoices: readonly AgreedInvoice[];
	/** Those that are not shown one by one. */
	readonly further: (Totals & { readonly count: number; readonly until: Instant }) | null;
	readonly renewal: {
		readonly months: number;
		readonly noticePeriodDays: number;
		readonly upliftPercentage: Decimal;
	} | null;
	readonly note: string | null;
}

/** A line item with its figures over the whole term; those of what is paid as it is used are zero. */
export interface AgreedLine extends Totals {
	readonly description: string;
	readonly cadence: {
		readonly unit: "weekly" | "monthly" | "quarterly" | "yearly" | "one_time";
		readonly count: number;
	};
	readonly paymentTime: "IN_ADVANCE" | "IN_ARREARS";
	readonly window: { readonly start: Instant | null; readonly end: Instant | null };
	readonly isAsUsed: boolean;
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly taxPercentage: Decimal | null;
	/** How often it is invoiced, and for how much without tax; null where that is not always the same. */
	readonly repeated: { readonly count: number; readonly net: Decimal } | null;
	/** Where one price does not say it all. */
	readonly prices: readonly AgreedPrice[];
}

/** TIER: each unit within it. ALL_UNITS: each unit of a quantity that lies in it. FLAT: once. PACKAGE: each whole `size`. */
export interface AgreedPrice {
	readonly kind: "UNIT" | "TIER" | "ALL_UNITS" | "FLAT" | "PACKAGE";
	readonly from: Decimal | null;
	readonly to: Decimal | null;
	readonly size: Decimal | null;
	readonly quantity: Decimal | null;
	readonly price: Decimal;
}

export interface AgreedInvoice extends Totals {
	/** Null until it is issued. */
	readonly number: string | null;
	readonly issueAt: Instant;
	readonly dueAt: Instant;
	readonly period: Period;
}
