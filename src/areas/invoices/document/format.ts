import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { minorDigits } from "../../../kernel/money";
import type { Period } from "../../../kernel/period";

/** The number and date formats of one document. */
export interface Formats {
	/**
	 * Formats an amount by the currency's minor unit: "$1,234.50", "¥1,235", "1.234,50 €". A more precise unit price keeps its digits:
	 * "$0.00125".
	 */
	money(value: Decimal | string, currency: string): string;
	/** Formats an amount that stands alone. If several currencies share the sign, the code follows: "$1,234.50 USD". */
	moneyAlone(value: Decimal | string, currency: string): string;
	quantity(value: Decimal | string): string;
	percent(value: Decimal | string): string;
	/** Formats a date in UTC. */
	date(at: Instant): string;
	/** Formats the first and the last day of [start, end). */
	period(period: Period): string;
	/** Returns the name of a country code; any other text unchanged. */
	country(given: string): string;
}

/** Signs that only one currency has, so that they need no code. */
const clearSigns = /€|[A-Z]{2,3}/;

/** English without a country counts as American. Dates are British, "14 Feb 2026", which readers in both countries understand. */
const datesLocale = (locale: string): string => (locale === "en" ? "en-GB" : locale);

const made = new Map<string, Formats>();

/** Returns the formats of a locale, created once for each. */
export function formatsOf(locale: string): Formats {
	const known = made.get(locale) ?? makeFormats(locale);
	made.set(locale, known);
	return known;
}

/** Replaces narrow spaces and direction marks, which few fonts have, by a plain non-breaking space. */
const drawable = (text: string): string => text.replace(/[\u2009\u202f]/g, "\u00a0").replace(/[\u200e\u200f]/g, "");

/** Returns the number of digits after the point, as written. */
const fractionDigits = (value: Decimal | string): number => exact(value).toFixed().split(".")[1]?.length ?? 0;

/** Intl parses a decimal text exactly. */
const text = (value: Decimal | string) => toDecimal(exact(value)) as string as Intl.StringNumericLiteral;

function makeFormats(locale: string): Formats {
	const numbers = new Map<string, Intl.NumberFormat>();
	const numberFormat = (key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
		const known = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
		numbers.set(key, known);
		return known;
	};
	const money = (value: Decimal | string, currency: string): string => {
		const least = minorDigits(currency);
		const digits = Math.min(100, Math.max(least, fractionDigits(value)));
		const options = {
			style: "currency",
			currency,
			minimumFractionDigits: least,
			maximumFractionDigits: digits,
		} as const;
		return drawable(numberFormat(`${currency}:${digits}`, options).format(text(value)));
	};
	const quantity = (value: Decimal | string): string => {
		const digits = Math.min(100, fractionDigits(value));
		return drawable(numberFormat(`:${digits}`, { maximumFractionDigits: digits }).format(text(value)));
	};
	const days = new Intl.DateTimeFormat(datesLocale(locale), { dateStyle: "medium", timeZone: "UTC" });
	const date = (at: Instant): string => drawable(days.format(at));
	const countries = new Intl.DisplayNames(locale, { type: "region" });
	return {
		money,
		moneyAlone: (value, currency) => {
			const shown = money(value, currency);
			return clearSigns.test(shown) ? shown : `${shown} ${currency.toUpperCase()}`;
		},
		quantity,
		percent: (value) => `${quantity(value)}${locale.startsWith("en") ? "" : "\u00a0"}%`,
		date,
		period: ({ start, end }) => {
			const [first, last] = [date(start), date(Math.max(start, end - 1) as Instant)];
			return first === last ? first : `${first} – ${last}`;
		},
		country: (given) => (/^[A-Za-z]{2}$/.test(given) ? (countries.of(given.toUpperCase()) ?? given) : given),
	};
}
