import { ar } from "./labels.ar";
import { de } from "./labels.de";
import { en, type Labels } from "./labels.en";
import { es } from "./labels.es";
import { fr } from "./labels.fr";
import { ja } from "./labels.ja";

/** The languages of documents. To add a language, write its file and list it here. */
export const languages = { en, de, fr, es, ar, ja } as const satisfies Record<string, Labels>;

export type LanguageCode = keyof typeof languages;

export interface Language {
	readonly code: LanguageCode;
	/** A BCP 47 tag for dates and numbers. */
	readonly locale: string;
	readonly labels: Labels;
}

/**
 * Returns the language of the first tag that has labels, with its dates and numbers; else English. Words and figures of one document
 * therefore match.
 */
export function languageOf(...tags: ReadonlyArray<string | null | undefined>): Language {
	for (const tag of tags) {
		const locale = tag == null ? undefined : localeOf(tag);
		const code = locale?.language ?? "";
		if (locale && isWritten(code)) return { code, locale: locale.toString(), labels: languages[code] };
	}
	return { code: "en", locale: "en", labels: en };
}

const isWritten = (language: string): language is LanguageCode => Object.hasOwn(languages, language);

/** Parses a customer's language, which callers give freely: "de", "de_AT", or an invalid tag. */
function localeOf(tag: string): Intl.Locale | undefined {
	const hyphenated = tag.trim().replaceAll("_", "-");
	return /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/.test(hyphenated)
		? new Intl.Locale(hyphenated)
		: undefined;
}

/** Replaces the placeholders of a label. */
export const filled = (label: string, values: Readonly<Record<string, string | number>>): string =>
	label.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
