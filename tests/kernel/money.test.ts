import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { exact } from "../../src/kernel/decimal";
import { allocate, currencyCodes, minorDigits, roundToMinor } from "../../src/kernel/money";
import { Currency } from "../../src/kernel/schema";
import { $defs } from "../contract/schemas.json";

// Written by hand from the published list: what the code reads comes from a package.
const withoutDecimals = "bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf".split(" ");
const withThree = "bhd iqd jod kwd lyd omr tnd".split(" ");
const withFour = "clf uyw".split(" ");

describe("currencies", () => {
	test("all of the wire contract are there, and the others of ISO 4217", () => {
		for (const code of $defs.CurrencyCode.enum) expect(currencyCodes).toContain(code);
		const others =
			"aoa ars bob cop crc cup ghs gtq hnl huf lak mru mur nio omr pab pen ron srd svc twd uyu ves xcg zwg";
		for (const code of others.split(" ")) expect(currencyCodes).toContain(code);
		expect(new Set(currencyCodes).size).toBe(currencyCodes.length);
	});

	test.each(["xau", "xdr", "xts", "xxx", "btc", "USD", "us", "usdx", ""])("'%s' is none", (code) => {
		expect(Value.Check(Currency, code)).toBe(false);
	});

	test("have the decimals of ISO 4217", () => {
		const having = (digits: number) => currencyCodes.filter((code) => minorDigits(code) === digits);
		expect(having(0)).toEqual(withoutDecimals);
		expect(having(3)).toEqual(withThree);
		expect(having(4)).toEqual(withFour);
		const others = [...withoutDecimals, ...withThree, ...withFour];
		expect(having(2)).toEqual(currencyCodes.filter((code) => !others.includes(code)));
	});

	test.each([
		["jpy", "0.5", "1"],
		["eur", "0.005", "0.01"],
		["kwd", "0.0005", "0.001"],
		["kwd", "1.2344", "1.234"],
		["clf", "0.00005", "0.0001"],
	])("%s: %s is rounded half up to %s", (currency, value, rounded) => {
		expect(roundToMinor(exact(value), currency).toFixed()).toBe(rounded);
	});

	test.each([
		["jpy", ["4", "3", "3"]],
		["eur", ["3.34", "3.33", "3.33"]],
		["kwd", ["3.334", "3.333", "3.333"]],
		["clf", ["3.3334", "3.3333", "3.3333"]],
	])("%s: 10 split in three sums to 10", (currency, parts) => {
		const split = allocate(exact(10), [exact(1), exact(1), exact(1)], currency);
		expect(split.map((part) => part.toFixed())).toEqual(parts);
	});
});
