import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	type FreeGrant,
	type UsedFreeUnits,
	unitsFreedBy,
	usedFreeUnits,
	useFreeUnits,
} from "../../../src/areas/pricing/free-units";
import type { PricedCharge } from "../../../src/areas/pricing/models/charge";
import { rateInvoice } from "../../../src/areas/pricing/rate";
import { type Decimal, exact, sum, toDecimal } from "../../../src/kernel/decimal";

const grants: FreeGrant[] = [
	{ couponId: "gift", name: "Gift", quantity: "500" as Decimal },
	{ couponId: "more", name: "More", quantity: "40" as Decimal },
];
const perCall: PricedCharge = {
	...{ billingModel: "USAGE_BASED", price: { amount: "2" as Decimal, currency: "usd" }, tiersMode: null, tiers: null },
	...{ blockSize: null, minUnitQuantity: null, maxUnitQuantity: null },
};

/** Bills a window in steps, each of which adds usage, and returns the amounts in cents. */
function billed(uses: readonly number[]): number[] {
	let [total, earlier] = [0, [] as readonly UsedFreeUnits[]];
	return uses.map((n) => {
		const before = total;
		total += n;
		const freeUnits = useFreeUnits(grants, earlier, exact(n));
		earlier = usedFreeUnits(freeUnits);
		const item = { charge: perCall, quantity: toDecimal(total), billed: toDecimal(before), description: "Calls" };
		return Number(rateInvoice({ items: [{ ...item, freeUnits }], currency: "usd" }).subTotal) * 100;
	});
}

const usesOfWindow = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 8 });

describe("the bills of one window", () => {
	test("give together what one bill for all of it gives: never more than the free units", () => {
		fc.assert(
			fc.property(usesOfWindow, (uses) => {
				const used = uses.reduce((whole, n) => whole + n, 0);
				const charged = billed(uses).reduce((whole, cents) => whole + cents, 0);
				expect(charged).toBe(Math.max(0, used - 540) * 200);
			}),
		);
	});

	test("coupons that come and go make no unit free twice, and none gives more than its units", () => {
		const bills = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.subarray(grants)), { maxLength: 8 });
		fc.assert(
			fc.property(bills, (steps) => {
				let earlier: readonly UsedFreeUnits[] = [];
				for (const [added, granted] of steps) {
					const units = useFreeUnits(granted, earlier, exact(added));
					const freed = sum(units.map(({ used, before }) => exact(used).minus(before)));
					expect(freed.gte(0) && freed.lte(added)).toBe(true);
					earlier = usedFreeUnits(units);
					for (const { couponId, used } of earlier)
						expect(Number(used)).toBeLessThanOrEqual(couponId === "gift" ? 500 : 40);
				}
			}),
		);
	});
});

describe("the units that a bill makes free", () => {
	const used = (couponId: string, units: string): UsedFreeUnits => ({
		...{ couponId, name: couponId, quantity: units as Decimal, used: units as Decimal },
	});

	test("are those that it adds, by coupon, and only where it adds some", () => {
		const freed = (earlier: readonly UsedFreeUnits[], added: number) =>
			unitsFreedBy(useFreeUnits(grants, earlier, exact(added))).map(({ couponId, quantity }) => [couponId, quantity]);
		expect(freed([used("gift", "499.5")], 20)).toEqual([
			["gift", "0.5"],
			["more", "19.5"],
		] as never);
		expect(freed([used("gift", "500")], 0)).toEqual([]);
		expect(unitsFreedBy()).toEqual([]);
	});

	test("are none of a coupon that gives less now than it has given", () => {
		const [gift, more] = useFreeUnits(grants, [used("gift", "600")], exact(5));
		expect([gift?.used, more?.used]).toEqual(["600", "5"] as never);
	});
});
