import type { InvoiceRow } from "../table";
import { type Formats, formatsOf } from "./format";
import { type LanguageCode, languageOf } from "./labels";
import type { Labels } from "./labels.en";

export interface Fact {
	readonly label: string;
	readonly value: string;
}

/** What a document is written in. */
export interface Writing {
	readonly labels: Labels;
	readonly formats: Formats;
}

/** The customer's language goes before the issuer's. */
export function writingFor({
	issuer,
	customer,
}: Pick<InvoiceRow, "issuer" | "customer">): Writing & { readonly language: LanguageCode } {
	const { code, locale, labels } = languageOf(customer.language, issuer.language);
	return { language: code, labels, formats: formatsOf(locale) };
}
