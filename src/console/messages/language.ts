export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const stored = "tollgate.language";

const isLanguage = (text: string | null | undefined): text is Language => text != null && text in languages;

function chosen(): Language {
	const kept = localStorage.getItem(stored);
	if (isLanguage(kept)) return kept;
	const wanted = navigator.languages.map((one) => one.split("-")[0]).find(isLanguage);
	return wanted ?? "en";
}

/** One for the life of the page. */
export const language: Language = chosen();

/** How numbers and dates are written: as the browser is set, where it is set to the language shown. */
export const locale: string = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

export function chooseLanguage(next: Language): void {
	localStorage.setItem(stored, next);
	location.reload();
}

/** The texts of one screen or part, in each language; the same names in all, by type. */
export const inLanguage = <const Texts extends Readonly<Record<string, string>>>(texts: {
	readonly en: Texts;
	readonly de: { readonly [Name in keyof Texts]: string };
}): { readonly [Name in keyof Texts]: string } => texts[language];

/** "{count} tasks" with `{ count: 3 }`. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
	text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
