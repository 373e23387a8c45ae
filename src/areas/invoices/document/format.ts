import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { minorDigits } from "../../../kernel/money";
import type { Period } from "../../../kernel/period";

/** How one document writes amounts, quantities and dates. */
export interface Formats {
	/**
	 * By the currency's minor unit: "$1,234.50", "¥1,235", "1.234,50 €". A unit price that is finer keeps its digits:
	 * "$0.00125".
	 */
	money(value: Decimal | string, currency: string): string;
	/** Where an amount stands alone, a sign that several currencies have is told apart by the code: "$1,234.50 USD". */
	moneyAlone(value: Decimal | string, currency: string): string;
	quantity(value: Decimal | string): string;
	percent(value: Decimal | string): string;
	/** In UTC. */
	date(at: Instant): string;
	/** The first and the last day of [start, end). */
	period(period: Period): string;
	/** A country by its code, in words; anything else as it is. */
	country(given: string): string;
}

/** Signs of one currency alone, which need no code. */
const clearSigns = /€|[A-Z]{2,3}/;

/**
 * English of no country counts as in the United States, and writes dates as in Britain, "14 Feb 2026", which is read the same
 * way on both sides of the Atlantic.
 */
const datesLocale = (locale: string): string => (locale === "en" ? "en-GB" : locale);

const made = new Map<string, Formats>();

/** Made once for each locale. */
export function formatsOf(locale: string): Formats {
	const known = made.get(locale) ?? makeFormats(locale);
	made.set(locale, known);
	return known;
}

/** Narrow blanks and signs that turn the direction are in few faces; a plain hard blank is in all. */
const drawable = (text: string): string => text.replace(/[\u2009\u202f]/g, "\u00a0").replace(/[\u200e\u200f]/g, "");

/** The digits after the point as they stand. */
const fractionDigits = (value: Decimal | string): number => exact(value).toFixed().split(".")[1]?.length ?? 0;

/** Intl reads a decimal text exactly. */
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
