import { describe, expect, test } from "bun:test";
import { formatsOf } from "../../../../src/areas/invoices/document/format";
import { instant } from "../samples";

const english = formatsOf("en");
const plainBlanks = (text: string): string => text.replaceAll("\u00a0", " ");

describe("an amount is formatted in its currency:", () => {
	test.each([
		["1234.5", "usd", "$1,234.50"],
		["1234567.89", "eur", "€1,234,567.89"],
		["36000", "jpy", "¥36,000"],
		["0.12345", "jpy", "¥0.12345"],
		["0.00125", "usd", "$0.00125"],
		["-5", "gbp", "-£5.00"],
		["0", "chf", "CHF 0.00"],
		["12", "inr", "₹12.00"],
		["1000", "krw", "₩1,000"],
		["9999999999999.99", "cad", "CA$9,999,999,999,999.99"],
	])("%s %s as %s", (value, currency, text) => expect(plainBlanks(english.money(value, currency))).toBe(text));

	test("with the code of the currency where it stands alone", () => {
		expect(english.moneyAlone("12", "usd")).toBe("$12.00 USD");
		expect(english.moneyAlone("12", "cad")).toBe("CA$12.00");
		expect(plainBlanks(english.moneyAlone("12", "chf"))).toBe("CHF 12.00");
	});
});

test("quantities, dates and periods are formatted for the locale", () => {
	expect(english.quantity("1234567.125")).toBe("1,234,567.125");
	expect(english.quantity("-3")).toBe("-3");
	expect(english.date(instant("2026-02-28T23:59:59Z"))).toBe("28 Feb 2026");
	const period = (start: string, end: string) => english.period({ start: instant(start), end: instant(end) });
	expect(period("2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z")).toBe("31 Jan 2026 – 27 Feb 2026");
	expect(period("2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z")).toBe("31 Jan 2026 – 28 Feb 2026");
	expect(period("2026-01-31T00:00:00Z", "2026-01-31T00:00:00Z")).toBe("31 Jan 2026");
});
