import { describe, expect, test } from "bun:test";
import { type Buyer, chooseCountry } from "../../../../src/areas/pricing/choice/country";
import { price } from "./offered";

const plan = [
	price(null, "usd"),
	price("AT", "eur"),
	price("CH", "chf"),
	price("DE", "eur"),
	price("CA", "usd"),
	price("JP", "jpy", "ANNUALLY"),
];

const nobody: Buyer = { countries: [], currency: null, country: null };

describe("the country whose prices hold", () => {
	test.each<[string, Partial<Buyer>, string | null]>([
		["nothing is known: the default prices", {}, null],
		["a country by name", { countries: ["DE"] }, "DE"],
		["the first of two by name", { countries: ["CH", "DE"] }, "CH"],
		["the first of two that there are prices for", { countries: ["FR", "DE"] }, "DE"],
		["a country by name goes before the payer's currency", { countries: ["CH"], currency: "eur" }, "CH"],
		["a country by name goes before the payer's", { countries: ["CH"], country: "DE" }, "CH"],
		["one by name without prices: the default ones, and its name is kept", { countries: ["FR"] }, "FR"],
		["one by name without prices: the payer's currency", { countries: ["FR"], currency: "chf" }, "CH"],
		["one by name without prices: the payer's country", { countries: ["FR"], country: "DE" }, "DE"],
		["the payer's currency: its country's prices, where they are in it", { currency: "eur", country: "DE" }, "DE"],
		["the payer's currency: the default prices", { currency: "usd" }, null],
		["the payer's currency: its country's before the default ones", { currency: "usd", country: "CA" }, "CA"],
		["the payer's currency goes before its country", { currency: "usd", country: "DE" }, null],
		["the payer's currency: the first country by code", { currency: "eur", country: "FR" }, "AT"],
		["no prices in the payer's currency: its country", { currency: "gbp", country: "DE" }, "DE"],
		["no prices in either: the default ones", { currency: "gbp", country: "FR" }, null],
		["the payer's country", { country: "CH" }, "CH"],
		["prices of another billing period do not count", { currency: "jpy", country: "JP" }, null],
	])("%s", (_, buyer, country) => {
		expect(chooseCountry([plan], "MONTHLY", { ...nobody, ...buyer })).toBe(country);
	});

	test("items that are sold together must be in one currency, unless the country was named", () => {
		const dollarsOnly = [price(null, "usd")];
		const german = { ...nobody, currency: "eur", country: "DE" };
		expect(chooseCountry([plan, dollarsOnly], "MONTHLY", german)).toBeNull();
		expect(chooseCountry([plan, dollarsOnly], "MONTHLY", { ...nobody, country: "DE" })).toBeNull();
		expect(chooseCountry([plan, dollarsOnly], "MONTHLY", { ...nobody, countries: ["DE"] })).toBe("DE");
	});

	test("where nothing is priced by periods there is nothing to choose", () => {
		expect(chooseCountry([plan], null, { ...nobody, currency: "eur", country: "DE" })).toBeNull();
		expect(chooseCountry([plan], null, { ...nobody, countries: ["DE"] })).toBe("DE");
	});
});
