export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const stored = "tollgate.language";

const isLanguage = (text: string | null | undefined): text is Language => text != null && text in languages;

function chosen(): Language {
	const last = localStorage.getItem(stored);
	if (isLanguage(last)) return last;
	return navigator.languages.map((one) => one.split("-")[0]).find(isLanguage) ?? "en";
}

/** The language of the page. Another choice reloads the page. */
export const language: Language = chosen();

/** The locale of numbers and dates: the browser's variant of the language shown, if it has one. */
export const locale: string = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

export function chooseLanguage(next: Language): void {
	localStorage.setItem(stored, next);
	location.reload();
}

type Value = string | number;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** A text, or, where the text has placeholders such as {count}, the function that fills them. */
export type Message<Text extends string = string> = [NamesIn<Text>] extends [never]
	? string
	: (values: { readonly [Name in NamesIn<Text>]: Value }) => string;

export type Pairs = Readonly<Record<string, readonly [english: string, german: string]>>;

export type Texts<Named extends Pairs> = { readonly [Name in keyof Named]: Message<Named[Name][0]> };

/** Returns the texts of one screen or part in the language of the page. */
export const inLanguage = <const Named extends Pairs>(texts: Named) =>
	Object.fromEntries(
		Object.entries(texts).map(([name, [english, german]]) => {
			const text = language === "de" ? german : english;
			return [name, text.includes("{") ? (values: Readonly<Record<string, Value>>) => fill(text, values) : text];
		}),
	) as Texts<Named>;

/** "{count} tasks" with `{ count: 3 }`: "3 tasks". */
const fill = (text: string, values: Readonly<Record<string, Value>>): string =>
	text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));

/** Returns the name of one of the API's words, or the word itself where `texts` has none. */
export function nameIn(texts: Readonly<Record<string, unknown>>, word: string): string {
	const found = texts[word];
	return typeof found === "string" ? found : word;
}
