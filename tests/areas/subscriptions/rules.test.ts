import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCouponActiveAt } from "../../../src/areas/coupons/rules.duration";
import { rateInvoice } from "../../../src/areas/pricing/rate";
import { usageAnchorAfter } from "../../../src/areas/subscriptions/rules";
import { type DueKind, effectiveEndAt, nextDue, type Scheduled } from "../../../src/areas/subscriptions/rules.due";
import { cancelReasonAt, nextStatuses, statusAt } from "../../../src/areas/subscriptions/rules.status";
import type { SubscriptionUpdate } from "../../../src/areas/subscriptions/schema.update";
import { chargesOfPeriod } from "../../../src/areas/subscriptions/terms/charge-items";
import { type Override, withOverrides } from "../../../src/areas/subscriptions/terms/price-overrides";
import { pricesFor } from "../../../src/areas/subscriptions/terms/prices";
import { purchasedQuantities } from "../../../src/areas/subscriptions/terms/purchased-quantities";
import { mergedChanges, nowOnly, partsOf } from "../../../src/areas/subscriptions/terms/rules.update";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, toDecimal } from "../../../src/kernel/decimal";

const at = (ms: number) => ms as Instant;

describe("status", () => {
	const running = { status: "ACTIVE" as const, cancelAt: null, endAt: null, cancelReason: null };
	test("a canceled subscription never changes again, and an expired one only begins again", () => {
		expect(nextStatuses.CANCELED).toEqual([]);
		expect(nextStatuses.EXPIRED).toEqual(["NOT_STARTED"]);
		for (const [status, next] of Object.entries(nextStatuses)) expect(next).not.toContain(status as never);
	});

	test("an agreed end counts from its instant: half open", () => {
		const term = { ...running, endAt: at(10), effectiveEndAt: at(10) };
		expect([9, 10, 11].map((now) => statusAt(term, at(now)))).toEqual(["ACTIVE", "EXPIRED", "EXPIRED"]);
		expect([9, 10].map((now) => cancelReasonAt(term, at(now)))).toEqual([null, "EXPIRED"]);
		const ended = { ...term, status: "CANCELED" as const, cancelReason: "Immediate" as const };
		expect(statusAt(ended, at(20))).toBe("CANCELED");
		expect(cancelReasonAt(ended, at(20))).toBe("Immediate");
	});

	test("a coupon acts from its start to before its end", () => {
		const coupon = { startAt: at(5), endAt: at(10) };
		expect([4, 5, 9, 10].map((now) => isCouponActiveAt(coupon, at(now)))).toEqual([false, true, true, false]);
		expect(isCouponActiveAt({ startAt: at(5), endAt: null }, at(1e15))).toBe(true);
	});
});

describe("the next step of a subscription", () => {
	const nothing: Scheduled = {
		status: "ACTIVE",
		pricingType: "PAID",
		paymentCollectionMethod: null,
		startAt: at(0),
		trialEndAt: null,
		trialEndBehavior: null,
		cancelAt: null,
		endAt: null,
		paymentDueAt: null,
		billedUntil: null,
		usageDueAt: null,
		nextUpdateAt: null,
		creditsDueAt: null,
		phase: null,
		runningTerm: null,
		pause: null,
		isHeld: false,
	};
	const everything = {
		...nothing,
		startAt: at(5),
		trialEndAt: at(5),
		cancelAt: at(5),
		endAt: at(5),
		paymentDueAt: at(5),
		billedUntil: at(5),
		usageDueAt: at(5),
		nextUpdateAt: at(5),
		creditsDueAt: at(5),
		pause: { at: at(5), resumeAt: at(5) },
		runningTerm: { endAt: at(5), agreed: { renewal: {} } },
	};
	const order: Array<[Scheduled["status"], DueKind[]]> = [
		["NOT_STARTED", ["CANCEL", "EXPIRE", "START"]],
		["PAYMENT_PENDING", ["CANCEL", "EXPIRE", "PAYMENT_EXPIRE"]],
		["IN_TRIAL", ["CANCEL", "EXPIRE", "TRIAL_END", "GRANT_CREDITS"]],
		["ACTIVE", ["CANCEL", "EXPIRE", "PAUSE", "RENEW_TERM", "UPDATE", "BILL_USAGE", "RENEW", "GRANT_CREDITS"]],
		["PAUSED", ["CANCEL", "EXPIRE", "RENEW_TERM", "RESUME"]],
		["CANCELED", ["BILL_USAGE"]],
		["EXPIRED", ["BILL_USAGE"]],
	];
	const fieldOf: Record<DueKind, keyof Scheduled> = {
		CANCEL: "cancelAt",
		EXPIRE: "endAt",
		PAYMENT_EXPIRE: "paymentDueAt",
		TRIAL_END: "trialEndAt",
		START: "startAt",
		PAUSE: "pause",
		RESUME: "pause",
		RENEW_TERM: "runningTerm",
		UPDATE: "nextUpdateAt",
		BILL_USAGE: "usageDueAt",
		RENEW: "billedUntil",
		GRANT_CREDITS: "creditsDueAt",
	};
	test.each(order)("is %s among steps of one instant: %j", (status, kinds) => {
		let row: Scheduled = { ...everything, status };
		for (const kind of kinds) {
			expect(nextDue(row)).toEqual({ kind, at: at(5) });
			row = { ...row, [fieldOf[kind]]: kind === "START" ? at(9) : null };
		}
		expect(nextDue(row)?.at).toBe(status === "NOT_STARTED" ? at(9) : undefined);
	});
	test("is the earliest of all; subscriptions that are billed elsewhere have no billing step", () => {
		const times = fc.record({ cancelAt: fc.nat(9), endAt: fc.nat(9), nextUpdateAt: fc.nat(9), billedUntil: fc.nat(9) });
		fc.assert(
			fc.property(times, (given) => {
				const row = { ...nothing, ...(given as unknown as Partial<Scheduled>) };
				expect(nextDue(row)?.at).toBe(at(Math.min(...Object.values(given))));
				const elsewhere = nextDue({ ...row, pricingType: "CUSTOM" });
				expect(elsewhere?.at).toBe(at(Math.min(given.cancelAt, given.endAt, given.nextUpdateAt)));
				expect(effectiveEndAt(row)).toBe(at(Math.min(given.cancelAt, given.endAt)));
			}),
		);
	});
});

describe("changes of an update", () => {
	const whole: SubscriptionUpdate = {
		billingPeriod: "ANNUALLY",
		addons: [],
		charges: [
			{ id: "seats", quantity: 2, type: "FEATURE" },
			{ id: "gold", quantity: 5, type: "CREDIT" },
		],
		priceOverrides: [],
		minimumSpend: null,
		appliedCoupon: { couponId: "TEN" },
		metadata: {},
		billingInformation: { taxPercentage: 5, couponId: "TEN" },
		budget: null,
		entitlements: [],
		salesforceId: null,
	};
	test("split into parts that make up the whole again", () => {
		const parts = partsOf(whole);
		expect(parts.map(({ type }) => type)).toEqual([
			"BILLING_PERIOD",
			"ADDON",
			"UNIT_AMOUNT",
			"RECURRING_CREDITS",
			"PRICE_OVERRIDE",
			"COUPON",
			"ADDITIONAL_META_DATA",
			"BILLING_INFO_METADATA",
		]);
		expect({ ...mergedChanges(parts), ...nowOnly(whole) }).toEqual(whole);
		expect(partsOf({})).toEqual([]);
		expect(partsOf({ cancellationDate: null, scheduleStrategy: "IMMEDIATE" })).toEqual([]);
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
	versionNumber: 1,
	taxes: null,
	charges,
});
const addon = (quantity: number, ...charges: ReturnType<typeof charge>[]) => ({
	refId: "extra",
	displayName: "Extra",
	quantity,
	isAddon: true,
	versionNumber: 1,
	taxes: null,
	charges,
});
const names = {
	featureRef: (id: string) => `ref-${id}`,
	currencyRef: (id: string) => `ref-${id}`,
	featureName: (id: string) => `Name ${id}`,
	featureUnits: () => null,
	currencyName: (id: string) => id,
	taxes: () => [],
};
const terms = { names, product: { refId: "app" } };
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
		expect(purchasedQuantities(prices, [], undefined, names)).toEqual([units("seats", 2)]);
	});
	test("are requested by feature or as the single quantity", () => {
		expect(purchasedQuantities(prices, [units("seats", 7)], undefined, names)).toEqual([units("seats", 7)]);
		expect(purchasedQuantities(prices, [], 7, names)).toEqual([units("seats", 7)]);
		expect(purchasedQuantities(prices, [units("seats", 7)], 7, names)).toEqual([units("seats", 7)]);
	});
	test("an addon's per-unit price counts the addon's quantity, unless its units are asked for", () => {
		const bill = (purchased: ReturnType<typeof purchasedQuantities>) =>
			chargesOfPeriod({ ...terms, prices, purchased }, null).map(({ description, quantity }) => [
				description,
				quantity as string,
			]);
		expect(bill(purchasedQuantities(prices, [], undefined, names))).toEqual([
			["Pro", "1"],
			["Name seats (Pro)", "2"],
			["Name disk (Extra)", "3"],
		]);
		expect(bill(purchasedQuantities(prices, [units("disk", 8)], undefined, names))[2]).toEqual([
			"Name disk (Extra)",
			"8",
		]);
	});
	test("units of the plan are the plan's alone, where an addon sells the same feature", () => {
		const both = pricesFor(
			[plan(charge("PER_UNIT", 5, "seats")), addon(3, charge("PER_UNIT", 1, "seats"))],
			"MONTHLY",
			null,
		);
		const purchased = purchasedQuantities(both, [units("seats", 7)], undefined, names);
		const items = chargesOfPeriod({ ...terms, prices: both, purchased }, null);
		expect(items.map(({ quantity }) => quantity as string)).toEqual(["7", "3"]);
	});
	test("usage is not bought", () => {
		const used = pricesFor([plan(charge("USAGE_BASED", 1, "calls"))], "MONTHLY", null);
		expect(() => purchasedQuantities(used, [units("calls", 1)], undefined, names)).toThrow("not sold by the unit");
		expect(chargesOfPeriod({ ...terms, prices: used, purchased: [] }, null)).toEqual([]);
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

test("the advance charge is the sum of price times quantity, in cents, whatever the quantities", () => {
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
			const purchased = purchasedQuantities(prices, [], seats, names);
			const items = chargesOfPeriod({ ...terms, prices, purchased }, null);
			const { total } = rateInvoice({ items, currency: "usd" });
			// The oracle counts in whole cents.
			const expected = base + seat * seats + (extra ? extra.cents * extra.quantity : 0);
			expect(Math.round(Number(total) * 100)).toBe(expected);
		}),
		{ numRuns: 200 },
	);
});
