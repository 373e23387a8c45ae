import type { InvoiceRow } from "../table";
import { type Formats, formatsOf } from "./format";
import { type LanguageCode, languageOf } from "./labels";
import type { Labels } from "./labels.en";

export interface Fact {
	readonly label: string;
	readonly value: string;
}

/** The language and the formats of a document. */
export interface Writing {
	readonly labels: Labels;
	readonly formats: Formats;
}

/** Returns the writing of a document. The customer's language takes precedence over the issuer's. */
export function writingFor({
	issuer,
	customer,
}: Pick<InvoiceRow, "issuer" | "customer">): Writing & { readonly language: LanguageCode } {
	const { code, locale, labels } = languageOf(customer.language, issuer.language);
	return { language: code, labels, formats: formatsOf(locale) };
}
