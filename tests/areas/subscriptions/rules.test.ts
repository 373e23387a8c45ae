import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rateInvoice } from "../../../src/areas/pricing/rate";
import {
	cancelReasonAt,
	isLiveAt,
	nextStatuses,
	statusAt,
	usageAnchorAfter,
} from "../../../src/areas/subscriptions/rules";
import {
	billInAdvance,
	boughtUnits,
	couponActsAt,
	type Override,
	pricesFor,
	withOverrides,
} from "../../../src/areas/subscriptions/terms";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, toDecimal } from "../../../src/kernel/decimal";

const at = (ms: number) => ms as Instant;

describe("status", () => {
	test("what has ended never changes again", () => {
		for (const status of ["CANCELED", "EXPIRED"] as const) expect(nextStatuses[status]).toEqual([]);
		for (const [status, next] of Object.entries(nextStatuses)) expect(next).not.toContain(status as never);
	});

	test("an agreed end counts from its instant: half open", () => {
		const term = { status: "ACTIVE" as const, endAt: at(10), cancelReason: null };
		expect([9, 10, 11].map((now) => statusAt(term, at(now)))).toEqual(["ACTIVE", "EXPIRED", "EXPIRED"]);
		expect([9, 10].map((now) => isLiveAt(term, at(now)))).toEqual([true, false]);
		expect([9, 10].map((now) => cancelReasonAt(term, at(now)))).toEqual([null, "EXPIRED"]);
		expect(statusAt({ status: "CANCELED", endAt: at(10) }, at(20))).toBe("CANCELED");
		expect(cancelReasonAt({ status: "CANCELED", endAt: at(10), cancelReason: "Immediate" }, at(20))).toBe("Immediate");
	});

	test("a coupon acts from its start to before its end", () => {
		const coupon = { startAt: at(5), endAt: at(10) };
		expect([4, 5, 9, 10].map((now) => couponActsAt(coupon, at(now)))).toEqual([false, true, true, false]);
		expect(couponActsAt({ startAt: at(5), endAt: null }, at(1e15))).toBe(true);
	});
});

describe("where the counting of usage begins", () => {
	const previous = { usageAnchorAt: at(1), billingPeriod: "MONTHLY" as const };
	const cases = [
		["ALWAYS_RESET", previous, "MONTHLY", 9],
		["NEVER_RESET", previous, "ANNUALLY", 1],
		["NEVER_RESET", undefined, "MONTHLY", 9],
		["BILLING_PERIOD_CHANGE", previous, "MONTHLY", 1],
		["BILLING_PERIOD_CHANGE", previous, "ANNUALLY", 9],
		["BILLING_PERIOD_CHANGE", undefined, "ANNUALLY", 9],
	] as const;
	test.each(cases)("%s after %j, now %s", (behavior, before, billingPeriod, expected) => {
		expect(usageAnchorAfter(before, { startAt: at(9), billingPeriod }, behavior)).toBe(at(expected));
	});
});

const charge = (
	billingModel: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED",
	amount: number,
	featureId: string | null = null,
) => ({
	billingModel,
	isOverage: false,
	billingCadence: "RECURRING" as const,
	billingPeriod: "MONTHLY" as const,
	billingCountryCode: null as string | null,
	featureId,
	overageCurrencyId: null,
	topUpCurrencyId: null as string | null,
	creditCurrencyId: null,
	price: { amount: toDecimal(amount), currency: "usd" },
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null as number | null,
	maxUnitQuantity: null as number | null,
});
const plan = (...charges: ReturnType<typeof charge>[]) => ({
	refId: "pro",
	displayName: "Pro",
	quantity: 1,
	isAddon: false,
	charges,
});
const addon = (quantity: number, ...charges: ReturnType<typeof charge>[]) => ({
	refId: "extra",
	displayName: "Extra",
	quantity,
	isAddon: true,
	charges,
});
const names = {
	featureRef: (id: string) => `ref-${id}`,
	featureName: (id: string) => `Name ${id}`,
	currencyName: (id: string) => id,
};
const units = (featureId: string, quantity: number) => ({ featureId, currencyId: null, quantity: toDecimal(quantity) });

describe("the units that are bought", () => {
	const prices = pricesFor(
		[
			plan(charge("FLAT_FEE", 20), { ...charge("PER_UNIT", 5, "seats"), minUnitQuantity: 2 }),
			addon(3, charge("PER_UNIT", 1, "disk")),
		],
		"MONTHLY",
		null,
	);

	test("the least that is sold, where nobody asks", () => {
		expect(boughtUnits(prices, [], undefined, names)).toEqual([units("seats", 2)]);
	});
	test("what is asked for, by feature or as the single quantity", () => {
		expect(boughtUnits(prices, [units("seats", 7)], undefined, names)).toEqual([units("seats", 7)]);
		expect(boughtUnits(prices, [], 7, names)).toEqual([units("seats", 7)]);
		expect(boughtUnits(prices, [units("seats", 7)], 7, names)).toEqual([units("seats", 7)]);
	});
	test("an addon's per-unit price counts the addon's quantity, unless its units are asked for", () => {
		const bill = (bought: ReturnType<typeof boughtUnits>) =>
			billInAdvance(prices, { bought, period: null, productRefId: "app", names }).map(({ description, quantity }) => [
				description,
				quantity as string,
			]);
		expect(bill(boughtUnits(prices, [], undefined, names))).toEqual([
			["Pro", "1"],
			["Name seats (Pro)", "2"],
			["Name disk (Extra)", "3"],
		]);
		expect(bill(boughtUnits(prices, [units("disk", 8)], undefined, names))[2]).toEqual(["Name disk (Extra)", "8"]);
	});
	test("units of the plan are the plan's alone, where an addon sells the same feature", () => {
		const both = pricesFor(
			[plan(charge("PER_UNIT", 5, "seats")), addon(3, charge("PER_UNIT", 1, "seats"))],
			"MONTHLY",
			null,
		);
		const items = billInAdvance(both, {
			bought: boughtUnits(both, [units("seats", 7)], undefined, names),
			period: null,
			productRefId: "app",
			names,
		});
		expect(items.map(({ quantity }) => quantity as string)).toEqual(["7", "3"]);
	});
	test("usage is not bought", () => {
		const used = pricesFor([plan(charge("USAGE_BASED", 1, "calls"))], "MONTHLY", null);
		expect(() => boughtUnits(used, [units("calls", 1)], undefined, names)).toThrow("not sold by the unit");
		expect(billInAdvance(used, { bought: [], period: null, productRefId: "app", names })).toEqual([]);
	});
});

describe("prices of a subscription's own", () => {
	const prices = pricesFor(
		[plan(charge("FLAT_FEE", 20), charge("PER_UNIT", 5, "seats")), addon(1, charge("FLAT_FEE", 3))],
		"MONTHLY",
		null,
	);
	const override = (changes: Partial<Override>): Override => ({
		isBase: false,
		addonRefId: null,
		featureRefId: null,
		billingCountryCode: null,
		amount: toDecimal(1),
		currency: null,
		blockSize: null,
		tiers: null,
		...changes,
	});
	const amounts = (overrides: Override[], country: string | null = null) =>
		withOverrides(prices, overrides, country, names).map(({ charge: { price } }) => Number(price?.amount));
	test("each takes the place of what it names, and of nothing else", () => {
		expect(amounts([override({ isBase: true })])).toEqual([1, 5, 3]);
		expect(amounts([override({ featureRefId: "ref-seats" })])).toEqual([20, 1, 3]);
		expect(amounts([override({ addonRefId: "extra" })])).toEqual([20, 5, 1]);
		expect(
			amounts([override({ addonRefId: "extra", isBase: true }), override({ isBase: true, amount: "0" as Decimal })]),
		).toEqual([0, 5, 1]);
		expect(() => amounts([override({ featureRefId: "ref-calls" })])).toThrow("ref-calls");
	});
	test("one for another country waits for it", () => {
		expect(amounts([override({ isBase: true, billingCountryCode: "DE" })])).toEqual([20, 5, 3]);
		expect(amounts([override({ isBase: true, billingCountryCode: "DE" })], "DE")).toEqual([1, 5, 3]);
	});
});

test("what is billed in advance is the sum of price times quantity, in cents, whatever there is of it", () => {
	const cents = fc.integer({ min: 0, max: 100_000 });
	const anyAddon = fc.record({ cents, quantity: fc.integer({ min: 1, max: 9 }) });
	fc.assert(
		fc.property(cents, cents, fc.integer({ min: 1, max: 500 }), fc.option(anyAddon), (base, seat, seats, extra) => {
			const prices = pricesFor(
				[
					plan(charge("FLAT_FEE", base / 100), charge("PER_UNIT", seat / 100, "seats")),
					...(extra ? [addon(extra.quantity, charge("FLAT_FEE", extra.cents / 100))] : []),
				],
				"MONTHLY",
				null,
			);
			const bought = boughtUnits(prices, [], seats, names);
			const items = billInAdvance(prices, { bought, period: null, productRefId: "app", names });
			const { total } = rateInvoice({ items, currency: "usd" });
			// The oracle counts in whole cents.
			const expected = base + seat * seats + (extra ? extra.cents * extra.quantity : 0);
			expect(Math.round(Number(total) * 100)).toBe(expected);
		}),
		{ numRuns: 200 },
	);
});
