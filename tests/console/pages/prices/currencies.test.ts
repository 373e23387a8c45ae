import { expect, test } from "bun:test";
import type { Charge } from "../../../../src/areas/packages/charges/schema";
import { furtherCurrencies, furtherOf } from "../../../../src/console/pages/prices/currencies";

// The texts of the console choose their language by the browser.
Object.assign(globalThis, { localStorage: { getItem: () => "en" }, document: { documentElement: {} } });
Object.defineProperty(navigator, "languages", { value: ["en"], configurable: true });
const { currencyOf, editedOf, modelOf, modelsOf } = await import("../../../../src/console/pages/prices/model");

type Terms = Partial<Charge> & { readonly billingCountryCode?: string };

/** As the API lists charges: the newest first. */
const listed = (...charges: readonly Terms[]): Charge[] =>
	charges
		.map((terms) => ({
			...{ billingModel: "FLAT_FEE", billingCadence: "RECURRING", billingPeriod: "MONTHLY", ...terms },
		}))
		.reverse() as unknown as Charge[];

const fee = (amount: number, currency: string, terms: Terms = {}) => ({ price: { amount, currency }, ...terms });
const tiers = (currency: string, ...amounts: readonly number[]) =>
	amounts.map((amount, at) => ({
		...(at < amounts.length - 1 && { upTo: 10 * (at + 1) }),
		unitPrice: { amount, currency },
	}));

const rowsOf = (charges: readonly Charge[]) =>
	modelsOf(charges).flatMap(({ pricePeriods }) =>
		pricePeriods.map(({ billingPeriod, price, tiers: of }) =>
			[billingPeriod, ...(of ?? []).map(({ unitPrice }) => `${unitPrice?.amount} ${unitPrice?.currency}`), price]
				.map((part) => (typeof part === "object" ? `${part.amount} ${part.currency}` : part))
				.filter(Boolean)
				.join(" "),
		),
	);

test("the form shows and keeps the amounts of each period and currency, the main one first", () => {
	const year = { billingPeriod: "ANNUALLY" } as const;
	const charges = listed(fee(10, "usd"), fee(9, "eur"), fee(100, "usd", year), fee(90, "eur", year));
	expect([currencyOf(charges), furtherCurrencies(charges, "usd")]).toEqual(["usd", ["eur"]]);
	expect(editedOf(charges)).toMatchObject([
		{ open: { amount: { MONTHLY: 10, ANNUALLY: 100 }, further: { eur: { MONTHLY: 9, ANNUALLY: 90 } } } },
	]);
	expect(rowsOf(charges)).toEqual(["MONTHLY 10 usd", "ANNUALLY 100 usd", "MONTHLY 9 eur", "ANNUALLY 90 eur"]);
});

test("tiers have amounts in each currency under the same bounds", () => {
	const seats = { billingModel: "PER_UNIT", featureId: "seats", tiersMode: "GRADUATED" } as const;
	const charges = listed({ ...seats, tiers: tiers("usd", 5, 4) }, { ...seats, tiers: tiers("eur", 4.5, 3.5) });
	expect(rowsOf(charges)).toEqual(["MONTHLY 5 usd 4 usd", "MONTHLY 4.5 eur 3.5 eur"]);
});

test("a price with amounts of one currency alone in its bounds is kept as it is", () => {
	const used = { billingModel: "USAGE_BASED", featureId: "calls", minimumAmount: 5 } as const;
	expect(editedOf(listed(fee(1, "usd", used)))).toMatchObject([{ open: { minimumAmount: 5 } }]);
	expect(editedOf(listed(fee(1, "usd", used), fee(0.9, "eur", used)))).toMatchObject([{ kept: {} }]);
});

test("prices by country are kept as they are, and do not decide the currency of the form", () => {
	const charges = listed(fee(8.5, "eur", { billingCountryCode: "DE" }), fee(10, "usd"), fee(9, "eur"));
	expect(currencyOf(charges)).toBe("usd");
	expect(editedOf(charges)).toMatchObject([{ kept: { pricePeriods: { length: 3 } } }]);
});

test("a currency without an amount is not sold, and bounds leave further currencies out", () => {
	const [price] = editedOf(listed(fee(10, "usd")));
	if (!price || !("open" in price)) throw new Error("a plain price is open");
	const open = { ...price.open, further: { eur: { MONTHLY: undefined }, gbp: { MONTHLY: 8 } } };
	const sold = (of: typeof open) => modelOf({ open: of }, "usd").pricePeriods.map((period) => period.price?.currency);
	expect(sold(open)).toEqual(["usd", "gbp"]);
	const bounded = { ...open, billingModel: "USAGE_BASED" as const, featureId: "calls", maximumAmount: 9 };
	expect([furtherOf(bounded), sold(bounded)]).toEqual([[], ["usd"]]);
});
