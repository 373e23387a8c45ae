import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { TaxExemption } from "../customers/schema.invoicing";

/** A postal address. Invoices store a copy of it from the time of issue, in a JSON column. */

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

/** The sender or the recipient of an invoice. */
export interface InvoiceParty {
	/** The issuer's legal name, or the customer's name; for a customer without a name, its id. */
	readonly name: string;
	readonly email: string | null;
	readonly address: PostalAddress | null;
	readonly taxIds: readonly TaxNumber[];
	/** Customers only: the reason why no tax is charged. */
	readonly taxExemption?: TaxExemption | null;
	/** The legal provision for the exemption. */
	readonly taxExemptionProvision?: string | null;
	/** A BCP 47 tag. The document is in the customer's language, else in the issuer's. */
	readonly language?: string | null;
}

/** The customer details of a purchase, which take precedence over the customer's own. */
export type StatedParty = { readonly [Key in "address" | "taxIds"]?: InvoiceParty[Key] | undefined };

/** The issuer and its details. Older documents lack the fields that were added later. */
export interface InvoiceIssuer extends InvoiceParty {
	/** The register and the number of its registration. */
	readonly registration?: string | null;
	readonly bankAccount?: {
		readonly iban: string;
		readonly bic: string | null;
		readonly bankName: string | null;
	} | null;
	/** How to pay, alongside the bank account. */
	readonly paymentText?: string | null;
	/** Whether the document prints the creditor reference. Documents of earlier releases keep their text without it. */
	readonly printsReference?: true;
	readonly footer?: string | null;
	readonly logoId?: string | null;
}

/** The tax of a document in the currency in which its issuer declares it. */
export interface TaxConversion {
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** The number of its units for one unit of the document's currency. */
	readonly rate: Decimal;
	/** The source of the rate, and its day. */
	readonly source: string;
	readonly date: string;
	readonly amount: Decimal;
}

/** Discount for a customer that pays an invoice early. Its days are whole days in UTC. */
export interface GrantedCashDiscount {
	readonly percentage: Decimal;
	/** The deduction from the amount due at issue. */
	readonly amount: Decimal;
	readonly until: Instant;
}

/** One tier of a price as the document shows it under its line: units above `from`, up to and including `to`. */
export interface TierBreakdown {
	readonly from: string;
	/** Null: no upper bound. */
	readonly to: string | null;
	/** The units in this tier. */
	readonly quantity: string;
	/** Exact decimals in major units, as text. */
	readonly unitPrice: string | null;
	readonly flatPrice: string | null;
	readonly amount: string;
}
