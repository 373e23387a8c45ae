import fc from "fast-check";
import type { Discount } from "../../../src/areas/pricing/discount";
import type { Share } from "../../../src/areas/pricing/proration";
import type { ChargeItem } from "../../../src/areas/pricing/rate";
import { type Decimal, exact, toDecimal } from "../../../src/kernel/decimal";
import type { Money } from "../../../src/kernel/money";
import { charge, decimals } from "./samples";

/** The number of runs. A failing run shrinks for a few seconds, not for minutes. Running out of time is a failure. */
export const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: true });

/** With and without a minor unit. */
export const currencies = fc.constantFrom("usd", "eur", "jpy", "ugx");

/** Half of them below one major unit, to five decimals: rounding decides most of their totals. */
const prices = (currency: string): fc.Arbitrary<Money> =>
	fc.oneof(decimals(0), decimals(60)).map((amount) => ({ amount, currency }));

type Pricing = Pick<ChargeItem["charge"], "price" | "tiersMode" | "tiers" | "blockSize">;
const blockSizes = fc.oneof(fc.constant(null), fc.constant(toDecimal(1)), decimals(30).map(aboveNothing));

const tiered = (
	currency: string,
	tiersMode: "VOLUME" | "GRADUATED" | null,
	parts: Record<"unitPrice" | "flatPrice", fc.Arbitrary<Money | null>>,
): fc.Arbitrary<Pricing> =>
	fc
		.tuple(
			fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 4 }),
			fc.array(fc.record(parts), { minLength: 5, maxLength: 5 }),
			blockSizes,
		)
		.map(([bounds, rows, blockSize]) => ({
			price: null,
			tiersMode,
			blockSize,
			tiers: [...bounds.sort((one, other) => one - other).map((bound) => toDecimal(bound)), null].map((upTo, at) => ({
				upTo,
				unitPrice: rows[at]?.unitPrice ?? null,
				flatPrice: rows[at]?.flatPrice ?? (at === 0 ? { amount: toDecimal(0), currency } : null),
			})),
		}));

function models(currency: string, modes: readonly ("VOLUME" | "GRADUATED" | null)[]) {
	const [each, once] = [fc.option(prices(currency)), fc.option(prices(currency))];
	return fc.oneof(
		fc.record({
			price: prices(currency),
			blockSize: blockSizes,
			tiersMode: fc.constant(null),
			tiers: fc.constant(null),
		}),
		...modes.flatMap((mode) => [
			tiered(currency, mode, { unitPrice: each, flatPrice: once }),
			tiered(currency, mode, { unitPrice: fc.constant(null), flatPrice: once }),
		]),
	);
}

/** How units are priced: by the unit, by blocks, graduated, by volume, by steps; tiers over blocks too. */
export const pricings = (currency: string) => models(currency, ["VOLUME", "GRADUATED", null]);
/** The same, where more units never cost less. */
export const risingPricings = (currency: string) => models(currency, ["GRADUATED", null]);

const transformations = fc.option(
	fc.record({ divide: decimals(40).map(aboveNothing), round: fc.constantFrom("UP" as const, "DOWN" as const) }),
);

/** Pay as you go or overage, of nothing yet. */
export const usageItems = (currency: string, pricing = pricings(currency)): fc.Arbitrary<ChargeItem> =>
	fc.tuple(pricing, transformations, fc.boolean(), fc.option(decimals(200))).map(
		([priced, unitTransformation, isOverage, limit]): ChargeItem => ({
			charge: { ...charge({ billingModel: "USAGE_BASED" }), ...priced, isOverage },
			quantity: toDecimal(0),
			description: "Usage",
			unitTransformation,
			...(isOverage && { limit }),
		}),
	);

const units = fc.integer({ min: 1, max: 500 }).map((quantity) => toDecimal(quantity));

export const shares: fc.Arbitrary<Share> = fc
	.tuple(fc.nat(3_000_000_000), fc.integer({ min: 1, max: 3_000_000_000 }))
	.map(([part, whole]) => ({ partMs: Math.min(part, whole), wholeMs: whole }));

/** Charges in advance for each period, whole. */
export const advanceItems = (currency: string): fc.Arbitrary<ChargeItem> =>
	fc
		.tuple(
			fc.constantFrom("FLAT_FEE" as const, "PER_UNIT" as const, "CREDIT_BASED" as const, "MINIMUM_SPEND" as const),
			pricings(currency),
			prices(currency),
			units,
			fc.boolean(),
		)
		.map(([billingModel, pricing, price, quantity, isAddon]) => {
			const isFlat = billingModel === "FLAT_FEE" || billingModel === "MINIMUM_SPEND";
			const priced = { ...charge({ billingModel, price }), ...(!isFlat && pricing) };
			return { charge: priced, quantity, description: "In advance", isAddon };
		});

/** None, a percentage, or an amount in the invoice's currency or another. */
export const coupons = (currency: string): fc.Arbitrary<Discount | null> =>
	fc.oneof(
		fc.constant(null),
		decimals(99).map((percentOff): Discount => ({ percentOff, amountsOff: null })),
		fc
			.tuple(fc.oneof(decimals(9), decimals(3_000)), fc.constantFrom(currency, currency, currency, "gbp"))
			.map(([amount, own]): Discount => ({ percentOff: null, amountsOff: [{ amount, currency: own }] })),
	);

export const taxes = fc.option(decimals(99));

/** The reported usage of a window each time it is billed; it may fall, too. */
export const readings = fc.array(decimals(700), { minLength: 1, maxLength: 6 });

/** A window's item as each invoice sees it, and as one invoice for all would. */
export function billedInTurn(item: ChargeItem, seen: readonly Decimal[]) {
	let billed = toDecimal(0);
	const parts = seen.map((quantity): ChargeItem => {
		const part = { ...item, quantity, billed };
		if (exact(quantity).gt(exact(billed))) billed = quantity;
		return part;
	});
	return { parts, whole: { ...item, quantity: billed } };
}

function aboveNothing(value: Decimal): Decimal {
	return toDecimal(exact(value).plus("0.01"));
}

/** The items of an invoice in one currency: charges and credits, used or in advance, whole or in part. */
export const bills = (currency: string) => {
	const advance = fc
		.tuple(advanceItems(currency), fc.option(shares), fc.boolean(), fc.option(fc.tuple(decimals(10), decimals(10))))
		.map(([item, share, isCredit, left]): ChargeItem => {
			const [part, rest] = left ? left.map((value) => exact(value)) : [];
			const of =
				share && part && rest && part.plus(rest).gt(0)
					? { left: { part: toDecimal(part), whole: toDecimal(part.plus(rest)) } }
					: {};
			return { ...item, isCredit, ...(share && { share: { ...share, ...of } }) };
		});
	const used = fc
		.tuple(usageItems(currency), decimals(700), fc.option(decimals(700)))
		.map(([item, quantity, billed]): ChargeItem => ({ ...item, quantity, ...(billed && { billed }) }));
	return fc.record({
		currency: fc.constant(currency),
		items: fc.array(fc.oneof(advance, used), { maxLength: 5 }),
		coupon: coupons(currency),
		taxPercentage: taxes,
		minimumSpendPaid: fc.option(
			fc.record({
				amount: fc.integer({ min: 0, max: 5000 }).map((amount) => toDecimal(amount)),
				drawn: fc.integer({ min: 0, max: 900 }).map((amount) => toDecimal(amount)),
				description: fc.constant("Covered by the minimum spend"),
			}),
		),
	});
};
