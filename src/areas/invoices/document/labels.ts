import { ar } from "./labels.ar";
import { de } from "./labels.de";
import { en, type Labels } from "./labels.en";
import { es } from "./labels.es";
import { fr } from "./labels.fr";
import { ja } from "./labels.ja";

/** The languages of documents; to add one, write its file and name it here. */
export const languages = { en, de, fr, es, ar, ja } as const satisfies Record<string, Labels>;

export type LanguageCode = keyof typeof languages;

export interface Language {
	readonly code: LanguageCode;
	/** BCP 47: whose dates and numbers are written. */
	readonly locale: string;
	readonly labels: Labels;
}

/**
 * The first of the tags whose language there are labels for, with its dates and numbers; else English. So words and figures of
 * one document always go together.
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

/** Callers give a customer's language freely: "de", "de_AT", or what is no tag at all. */
function localeOf(tag: string): Intl.Locale | undefined {
	const hyphenated = tag.trim().replaceAll("_", "-");
	return /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/.test(hyphenated)
		? new Intl.Locale(hyphenated)
		: undefined;
}

/** A label with its places filled in. */
export const filled = (label: string, values: Readonly<Record<string, string | number>>): string =>
	label.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
