import { expect, test } from "bun:test";
import fc from "fast-check";
import type { NamedDiscount } from "../../../../src/areas/pricing/discounts";
import { byScope } from "../../../../src/areas/pricing/discounts";
import { type ChargeItem, rateInvoice } from "../../../../src/areas/pricing/rate";
import { ratedOtherwise } from "../../../../src/areas/pricing/rerate/rerate";
import { toDecimal } from "../../../../src/kernel/decimal";
import { runs } from "../arbitrary";
import { expectExplained } from "../explained";
import { charge } from "../samples";

/** A coupon in whole numbers: hundredths of a percent or cents, and the features it names; none means all. */
interface Coupon {
	readonly percent: boolean;
	readonly value: number;
	readonly features: readonly number[];
}

const coupons: fc.Arbitrary<Coupon[]> = fc.array(
	fc.record({
		percent: fc.boolean(),
		value: fc.integer({ min: 1, max: 10_000 }),
		features: fc.subarray([0, 1, 2]),
	}),
	{ minLength: 1, maxLength: 4 },
);

/** The fees of a bill, in cents, each for one of three features. */
const fees = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 2 })), {
	minLength: 1,
	maxLength: 5,
});

const money = (cents: number): string => (cents / 100).toFixed(2);
const cents = (amount: string): number => Math.round(Number(amount) * 100);

/** Calculates the discounts of each line in whole cents, without any code of the product. */
function oracle(lines: ReadonlyArray<readonly [number, number]>, all: readonly Coupon[]): number[][] {
	const left = lines.map(([amount]) => BigInt(amount));
	const found: number[][] = lines.map(() => []);
	const ordered = [
		...all.filter(({ features }) => features.length > 0),
		...all.filter((one) => one.features.length === 0),
	];
	for (const { percent, value, features } of ordered) {
		const isIn = (at: number) => features.length === 0 || features.includes(lines[at]?.[1] ?? -1);
		const weights = left.map((amount, at) => (isIn(at) ? amount : 0n));
		const parts = percent
			? weights.map((amount) => (amount * BigInt(value) * 2n + 10_000n) / 20_000n)
			: share(BigInt(value), weights);
		for (const [at, part] of parts.entries()) {
			left[at] = (left[at] ?? 0n) - part;
			if (part > 0n) found[at]?.push(Number(part));
		}
	}
	return found;
}

function share(offered: bigint, weights: readonly bigint[]): bigint[] {
	const whole = weights.reduce((sum, one) => sum + one, 0n);
	if (whole === 0n) return weights.map(() => 0n);
	const total = offered < whole ? offered : whole;
	const parts = weights.map((weight) => (total * weight) / whole);
	const rests = weights
		.map((weight, at) => ({ at, rest: (total * weight) % whole }))
		.sort((one, other) => (one.rest === other.rest ? one.at - other.at : one.rest < other.rest ? 1 : -1));
	let open = total - parts.reduce((sum, one) => sum + one, 0n);
	for (const { at } of rests) {
		if (open === 0n) break;
		parts[at] = (parts[at] ?? 0n) + 1n;
		open -= 1n;
	}
	return parts;
}

const discountOf = ({ percent, value, features }: Coupon, at: number): NamedDiscount => ({
	couponId: `c${at}`,
	name: `C${at}`,
	percentOff: percent ? toDecimal(value / 100) : null,
	amountsOff: percent ? null : [{ amount: toDecimal(money(value)), currency: "usd" }],
	...(features.length > 0 && { appliesTo: { featureIds: features.map((feature) => `f${feature}`) } }),
});

const itemOf = ([amount, feature]: readonly [number, number]): ChargeItem => ({
	charge: charge({ billingModel: "FLAT_FEE", price: { amount: toDecimal(money(amount)), currency: "usd" } }),
	quantity: toDecimal(1),
	description: "Fee",
	featureRefId: `f${feature}`,
});

test("several coupons discount each line as an independent calculation in cents does", () => {
	fc.assert(
		fc.property(fees, coupons, (lines, all) => {
			const discounts = byScope(all.map(discountOf));
			const rated = rateInvoice({ items: lines.map(itemOf), discounts, currency: "usd" });
			expect(rated.lines.map((line) => (line.discounts ?? []).map(({ amount }) => cents(amount)))).toEqual(
				oracle(lines, all),
			);
			for (const line of rated.lines) {
				expect(cents(line.discount)).toBeLessThanOrEqual(cents(line.amount));
				expectExplained(line, line.basis, "usd");
			}
			expect(ratedOtherwise(JSON.parse(JSON.stringify(rated.lines)), "usd")).toBeUndefined();
		}),
		runs(400),
	);
});

test("credits of a charge in parts reverse at most its discounts, and a whole credit reverses exactly them", () => {
	fc.assert(
		fc.property(fees, coupons, fc.integer({ min: 0, max: 30 }), (lines, all, days) => {
			const discounts = byScope(all.map(discountOf));
			const items = lines.map(itemOf);
			const charged = rateInvoice({ items, discounts, currency: "usd" });
			const credited = (partMs: number) =>
				rateInvoice({
					items: items.map((item, at) => {
						const line = charged.lines[at];
						const steps = line?.basis.discounts ?? [];
						return {
							...item,
							isCredit: true,
							share: { partMs, wholeMs: 30 },
							chargedDiscounts: { amount: line?.amount ?? toDecimal(0), discounts: steps },
						};
					}),
					currency: "usd",
				});
			const whole = credited(30);
			expect(cents(whole.discount) + cents(charged.discount)).toBe(0);
			expect(cents(whole.total) + cents(charged.total)).toBe(0);
			const part = credited(days);
			expect(cents(part.total) + cents(charged.total)).toBeGreaterThanOrEqual(0);
			for (const line of [...whole.lines, ...part.lines]) expectExplained(line, line.basis, "usd");
			expect(ratedOtherwise(JSON.parse(JSON.stringify(part.lines)), "usd")).toBeUndefined();
		}),
		runs(300),
	);
});
