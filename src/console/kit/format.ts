import { locale } from "../messages/language";
import { words } from "../messages/shared/words";

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });

type Instant = string | null | undefined;

const missing = "–";

/** Formats an instant (ISO 8601) in the browser's time zone. */
export const formatDateTime = (instant: Instant): string => (instant ? dateTime.format(new Date(instant)) : missing);
export const formatDate = (instant: Instant): string => (instant ? date.format(new Date(instant)) : missing);

export const formatNumber = (value: number | string | null | undefined): string =>
	value === null || value === undefined ? missing : number.format(Number(value));
export const formatCompact = (value: number): string => compact.format(value);
/** 0.25 is 25 %. */
export const formatPercent = (share: number): string => percent.format(share);

export interface Amount {
	/** In major units: 12.5 is twelve dollars fifty. */
	readonly amount: number | string;
	readonly currency: string;
}

const moneyFormats = new Map<string, Intl.NumberFormat>();

export function formatMoney(money: Amount | null | undefined): string {
	if (!money) return missing;
	const currency = money.currency.toUpperCase();
	let format = moneyFormats.get(currency);
	if (!format) {
		format = new Intl.NumberFormat(locale, { style: "currency", currency });
		moneyFormats.set(currency, format);
	}
	// Adding zero turns -0 into 0, which has no sign.
	return format.format(Number(money.amount) + 0);
}

const priceFormats = new Map<string, Intl.NumberFormat>();

/** Formats the price of one unit with all its digits. `formatMoney` rounds to the currency's minor unit. */
export function formatPrice(money: Amount | null | undefined): string {
	if (!money) return missing;
	const currency = money.currency.toUpperCase();
	let format = priceFormats.get(currency);
	if (!format) {
		format = new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 12 });
		priceFormats.set(currency, format);
	}
	return format.format(Number(money.amount));
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
	["year", 365 * 86_400],
	["month", 30 * 86_400],
	["day", 86_400],
	["hour", 3600],
	["minute", 60],
	["second", 1],
];

/** "3 min. ago", "in 2 days". */
export function formatRelative(instant: Instant, now: number): string {
	if (!instant) return words.never;
	const seconds = (Date.parse(instant) - now) / 1000;
	const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
	return relative.format(Math.round(seconds / length), unit);
}

const month = new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" });
const dayShort = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });

/** For the axes of charts: "Nov", "23 Nov", "US$1.2K". */
export const formatMonth = (text: string): string => month.format(new Date(text));
export const formatDayShort = (text: string): string => dayShort.format(new Date(text));
export const formatMoneyShort = (amount: number, currency: string): string =>
	new Intl.NumberFormat(locale, {
		style: "currency",
		currency: currency.toUpperCase(),
		notation: "compact",
		maximumFractionDigits: 1,
	}).format(amount);
