import { expect, test } from "bun:test";
import { fromUnits, toUnits } from "../../../../../src/areas/collection/providers/stripe/amounts";
import { kindOf, money } from "../suite";

test.each([
	["12.34", "eur", 1234],
	["0.5", "usd", 50],
	["1000", "jpy", 1000],
	["1000", "mga", 1000],
	["1.23", "huf", 123],
	["7.5", "twd", 750],
	["1.25", "kwd", 1250],
	["5", "isk", 500],
	["5", "ugx", 500],
	["-3.33", "eur", -333],
	["0.29", "eur", 29],
	["1.005", "bhd", undefined],
	["12.345", "eur", undefined],
	["0.5", "jpy", undefined],
	["5.5", "isk", undefined],
	["1", "iqd", undefined],
	["1", "clf", undefined],
	["90071992547409.92", "eur", undefined],
])("%s %s is %p units of the provider, both ways; undefined is rejected", async (amount, currency, units) => {
	if (units === undefined) {
		expect(await kindOf(Promise.try(() => toUnits(money(amount, currency))))).toBe("REJECTED");
		return;
	}
	expect(toUnits(money(amount, currency))).toBe(units);
	expect(fromUnits(units, currency)).toEqual(money(amount, currency));
});
