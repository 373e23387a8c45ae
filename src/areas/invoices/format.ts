import type { Instant } from "../../kernel/clock";
import { type Decimal, exact } from "../../kernel/decimal";
import { minorDigits } from "../../kernel/money";
import type { Period } from "../../kernel/period";

/** Signs that no reader takes for another currency's, and that the standard fonts have; the rest go by their code. */
const signs: Readonly<Record<string, string>> = {
	usd: "$",
	eur: "€",
	gbp: "£",
	jpy: "¥",
	cad: "CA$",
	aud: "A$",
	nzd: "NZ$",
	hkd: "HK$",
	sgd: "S$",
	mxn: "MX$",
	brl: "R$",
};

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** Plain digits with groups and at least `places` digits after the point: "1,234.50". */
function digitsOf(value: Decimal | string, places: number): { negative: boolean; digits: string } {
	const [whole = "0", fraction = ""] = exact(value).abs().toFixed().split(".");
	const shown = fraction.padEnd(places, "0");
	return { negative: exact(value).lt(0), digits: grouped(whole) + (shown === "" ? "" : `.${shown}`) };
}

/**
 * An amount of money by its currency's minor unit: "$1,234.50", "¥1,235", "CHF 1,234.50", "-$5.00". A unit price that is
 * finer than the minor unit keeps its digits: "$0.00125".
 */
export function formatMoney(value: Decimal | string, currency: string): string {
	const { negative, digits } = digitsOf(value, minorDigits(currency));
	return `${negative ? "-" : ""}${signs[currency] ?? `${currency.toUpperCase()} `}${digits}`;
}

/** With the code behind, where an amount stands alone: "$1,234.50 USD". */
export const formatMoneyWithCode = (value: Decimal | string, currency: string): string =>
	signs[currency] ? `${formatMoney(value, currency)} ${currency.toUpperCase()}` : formatMoney(value, currency);

export function formatQuantity(value: Decimal | string): string {
	const { negative, digits } = digitsOf(value, 0);
	return (negative ? "-" : "") + digits;
}

export const formatPercent = (value: Decimal | string): string => `${exact(value).toFixed()}%`;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "14 Feb 2026", in UTC: read the same way on both sides of the Atlantic. */
export function formatDate(at: Instant): string {
	const { day, month, year } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC");
	return `${day} ${months[month - 1]} ${year}`;
}

/** The first and the last day of [start, end): "1 Jan 2026 – 31 Jan 2026". */
export function formatPeriod({ start, end }: Period): string {
	const last = Math.max(start, end - 1) as Instant;
	const [first, lastDay] = [formatDate(start), formatDate(last)];
	return first === lastDay ? first : `${first} – ${lastDay}`;
}
