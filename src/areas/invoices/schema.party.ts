import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { TaxExemption } from "../customers/schema.invoicing";

/** Values that an invoice keeps as they were when it was issued. Plain values: they live in JSON columns. */

export interface PostalAddress {
	readonly line1?: string;
	readonly line2?: string;
	readonly city?: string;
	readonly state?: string;
	readonly postalCode?: string;
	/** A country's name or its ISO 3166 code, as the caller gave it. */
	readonly country?: string;
}

export interface TaxNumber {
	readonly type: string;
	readonly value: string;
}

/** Who sends an invoice, or who receives it. */
export interface InvoiceParty {
	/** The issuer's legal name, or the customer's name; for a customer without a name, its id. */
	readonly name: string;
	readonly email: string | null;
	readonly address: PostalAddress | null;
	readonly taxIds: readonly TaxNumber[];
	/** Of a customer: why it is charged no tax. */
	readonly taxExemption?: TaxExemption | null;
	/** The provision of law by which it is charged none. */
	readonly taxExemptionProvision?: string | null;
	/** A BCP 47 tag. The document is in the customer's language, else in the issuer's. */
	readonly language?: string | null;
}

/** What a purchase says of the customer, before what the customer says of itself. */
export type StatedParty = { readonly [Key in "address" | "taxIds"]?: InvoiceParty[Key] | undefined };

/** Who sends it, with what it says of itself. What was issued before these were kept has none of them. */
export interface InvoiceIssuer extends InvoiceParty {
	/** Where it is registered, and under which number. */
	readonly registration?: string | null;
	readonly bankAccount?: {
		readonly iban: string;
		readonly bic: string | null;
		readonly bankName: string | null;
	} | null;
	/** How to pay, alongside the bank account. */
	readonly paymentText?: string | null;
	readonly footer?: string | null;
	readonly logoId?: string | null;
}

/** The tax of a document in the currency in which its issuer declares it. */
export interface TaxConversion {
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** So many units of it are one of the document's currency. */
	readonly rate: Decimal;
	/** Who stated it, and for which day. */
	readonly source: string;
	readonly date: string;
	readonly amount: Decimal;
}

/** Discount for a customer that pays an invoice early. Its days are whole days in UTC. */
export interface GrantedCashDiscount {
	readonly percentage: Decimal;
	/** Off what was due at issue. */
	readonly amount: Decimal;
	readonly until: Instant;
}

/** One step of a tiered price as the document shows it under its line: units over `from`, up to and with `to`. */
export interface TierBreakdown {
	readonly from: string;
	/** Null is the open end. */
	readonly to: string | null;
	/** Units that fell into this tier. */
	readonly quantity: string;
	/** Exact decimals in major units, as text. */
	readonly unitPrice: string | null;
	readonly flatPrice: string | null;
	readonly amount: string;
}
