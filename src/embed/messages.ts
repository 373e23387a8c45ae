import type { PortalMessages } from "./messages.portal";

const en = {
	monthly: "Monthly",
	annually: "Yearly",
	period: "Billing period",
	perMonth: "per month",
	perYear: "per year",
	free: "Free",
	onRequest: "On request",
	choose: "Choose {plan}",
	unlimited: "unlimited",
	perUnit: "per {unit}",
	loading: "Loading…",
	retry: "Try again",
	reference: "Reference: {id}",
	back: "Back",
	close: "Close",
};
/** Of all pages; those beyond prices are in `messages.portal.ts`, which a table of prices does not load. */
export type Messages = typeof en & PortalMessages;

const de: typeof en = {
	monthly: "Monatlich",
	annually: "Jährlich",
	period: "Abrechnungszeitraum",
	perMonth: "im Monat",
	perYear: "im Jahr",
	free: "Kostenlos",
	onRequest: "Auf Anfrage",
	choose: "{plan} wählen",
	unlimited: "unbegrenzt",
	perUnit: "je {unit}",
	loading: "Wird geladen …",
	retry: "Noch einmal",
	reference: "Vorgang: {id}",
	back: "Zurück",
	close: "Schließen",
};

const languages: Record<string, Partial<Messages>> = { en, de };

/** Further texts, of parts that are loaded when they are needed. */
export function addTexts(texts: Readonly<Record<string, Partial<Messages>>>): void {
	for (const [language, more] of Object.entries(texts)) Object.assign(languages[language] ?? {}, more);
}

/** Texts, dates, numbers and amounts of one language. */
export interface Words {
	readonly language: string;
	say(key: keyof Messages, values?: Readonly<Record<string, string>>): string;
	date(iso: string): string;
	money(amount: number, currency: string): string;
	number(value: number): string;
}

/** In the first of these languages that there are texts in; numbers and dates as the reader writes them. */
export function wordsIn(...wanted: ReadonlyArray<string | null | undefined>): Words {
	const tags = [...wanted, ...navigator.languages].filter(
		(tag): tag is string => typeof tag === "string" && /^[a-z]{2,3}(-|$)/i.test(tag),
	);
	const tag = tags.find((one) => languages[one.slice(0, 2).toLowerCase()]) ?? "en";
	const texts: Partial<Messages> = languages[tag.slice(0, 2).toLowerCase()] ?? en;
	return {
		language: tag,
		say: (key, values = {}) => (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""),
		date: (iso) => new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso)),
		money: (amount, currency) =>
			new Intl.NumberFormat(tag, {
				style: "currency",
				currency: currency.toUpperCase(),
				trailingZeroDisplay: "stripIfInteger",
			} as Intl.NumberFormatOptions).format(amount),
		number: (value) => new Intl.NumberFormat(tag).format(value),
	};
}
