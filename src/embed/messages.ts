import type { BudgetMessages } from "./messages.budgets";
import type { PortalMessages } from "./messages.portal";

const en = {
	DAILY: "Daily",
	MONTHLY: "Monthly",
	ANNUALLY: "Yearly",
	every: "Every {length}",
	period: "Billing period",
	per_DAILY: "per day",
	per_MONTHLY: "per month",
	per_ANNUALLY: "per year",
	per_every: "every {length}",
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
/** The texts of all pages. Those in `messages.portal.ts` and `messages.budgets.ts` are not loaded with a pricing table. */
export type Messages = typeof en & PortalMessages & BudgetMessages;

const de: typeof en = {
	DAILY: "Täglich",
	MONTHLY: "Monatlich",
	ANNUALLY: "Jährlich",
	every: "Alle {length}",
	period: "Abrechnungszeitraum",
	per_DAILY: "pro Tag",
	per_MONTHLY: "pro Monat",
	per_ANNUALLY: "pro Jahr",
	per_every: "alle {length}",
	free: "Kostenlos",
	onRequest: "Auf Anfrage",
	choose: "{plan} wählen",
	unlimited: "unbegrenzt",
	perUnit: "pro {unit}",
	loading: "Wird geladen …",
	retry: "Erneut versuchen",
	reference: "Vorgangsnummer: {id}",
	back: "Zurück",
	close: "Schließen",
};

const languages: Record<string, Partial<Messages>> = { en, de };

/** Adds the texts of a part that is loaded on demand. */
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

/** Returns the texts of the first wanted language that exists, with the reader's formats of numbers and dates. */
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
