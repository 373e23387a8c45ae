import type { InvoiceRow } from "../table";
import { type Formats, formatsOf } from "./format";
import { languageOf } from "./labels";

export interface MailWriting<Language extends string> {
	readonly language: Language | "en";
	readonly formats: Pick<Formats, "moneyAlone" | "date">;
}

/**
 * Returns the language of a mail about an invoice, with its formats: the customer's language, else the issuer's, as far as mails have it, else
 * English.
 */
export function writingOf<Language extends string>(
	{ customer, issuer }: Pick<InvoiceRow, "customer" | "issuer">,
	languages: readonly Language[],
): MailWriting<Language> {
	const known = (tag: string | null | undefined): boolean =>
		languages.some((language) => language === tag?.trim().slice(0, 2).toLowerCase());
	const { code, locale } = languageOf(...[customer.language, issuer.language].filter(known));
	const language = languages.find((one) => one === code) ?? "en";
	return { language, formats: formatsOf(locale) };
}
