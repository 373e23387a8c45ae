import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Issuer } from "../legal-entities/operations";
import type { LineTax } from "../pricing/tax";
import type { Totals } from "../pricing/totals";
import type { InvoiceParty } from "./schema.party";

/** The content of an order form as plain values, prepared by the contract's area. Amounts in major units. */
export interface Agreement {
	/** The key of its PDF; `revision` changes with every printed value. */
	readonly id: string;
	readonly environmentId: string;
	readonly revision: number;
	/** The last change of a printed value. */
	readonly changedAt: Instant;
	/** The contract's own id. */
	readonly number: string;
	readonly name: string | null;
	readonly poNumber: string | null;
	readonly status: "DRAFT" | "AMENDMENT" | "IN_FORCE" | "CANCELED" | "ENDED";
	/** The start of the contract, else the day of the draft. */
	readonly date: Instant;
	readonly issuer: Issuer;
	readonly customer: InvoiceParty;
	readonly currency: string;
	readonly term: { readonly start: Instant | null; readonly end: Instant | null };
	/** Days; null if the items differ. */
	readonly netTerms: number | null;
	readonly lines: readonly AgreedLine[];
	/** The totals of the whole term, excluding pay-as-you-go items. */
	readonly totals: Totals;
	readonly invoices: readonly AgreedInvoice[];
	/** The invoices that are not listed one by one. */
	readonly further: (Totals & { readonly count: number; readonly until: Instant }) | null;
	readonly renewal: {
		readonly months: number;
		readonly noticePeriodDays: number;
		readonly upliftPercentage: Decimal;
	} | null;
	readonly note: string | null;
}

/** A line item with its figures for the whole term; zero for pay-as-you-go items. */
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
	/** Null: the tax is the percentage. */
	readonly taxes: readonly LineTax[] | null;
	/** The number of invoices and the net amount of each; null if the amounts differ. */
	readonly repeated: { readonly count: number; readonly net: Decimal } | null;
	/** Filled if one price is not enough. */
	readonly prices: readonly AgreedPrice[];
}

/** TIER: for each unit within it. ALL_UNITS: for each unit, if the quantity is within it. FLAT: once. PACKAGE: for each whole `size`. */
export interface AgreedPrice {
	readonly kind: "UNIT" | "TIER" | "ALL_UNITS" | "FLAT" | "PACKAGE";
	readonly from: Decimal | null;
	readonly to: Decimal | null;
	readonly size: Decimal | null;
	readonly quantity: Decimal | null;
	readonly price: Decimal;
}

export interface AgreedInvoice extends Totals {
	/** Null until the invoice is issued. */
	readonly number: string | null;
	readonly issueAt: Instant;
	readonly dueAt: Instant;
	readonly period: Period;
}
