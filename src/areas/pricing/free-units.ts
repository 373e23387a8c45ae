import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";

/** Units of a feature that a coupon makes free in each window of usage. */
export interface FreeGrant {
	/** The caller's id. */
	readonly couponId: string;
	/** The name at the time of the calculation, for documents. */
	readonly name: string;
	/** In the units of the price. */
	readonly quantity: Decimal;
}

/** The free units of a window by one coupon after a bill. */
export interface UsedFreeUnits extends FreeGrant {
	/** The part that the bills of the window have made free. */
	readonly used: Decimal;
}

/** The free units of a window by one coupon, before and after a bill. */
export interface FreeUnits extends UsedFreeUnits {
	readonly before: Decimal;
}

/**
 * Makes the units that a bill adds to a window free, by the first coupon that has some left, then the next. Coupons that earlier
 * bills applied and that are not granted now keep what they have made free, and give no more.
 */
export function useFreeUnits(
	grants: readonly FreeGrant[],
	earlier: readonly UsedFreeUnits[],
	added: Big,
): readonly FreeUnits[] {
	let rest = added;
	const known = new Map(earlier.map((one) => [one.couponId, one]));
	const applied = grants.map((grant): FreeUnits => {
		const before = known.get(grant.couponId)?.used ?? zero;
		known.delete(grant.couponId);
		const taken = least(rest, atLeastZero(exact(grant.quantity).minus(exact(before))));
		rest = rest.minus(taken);
		return { ...grant, before, used: toDecimal(exact(before).plus(taken)) };
	});
	return [...applied, ...[...known.values()].map((one) => ({ ...one, quantity: one.used, before: one.used }))];
}

/** Returns the units of a window that are free, before or after a bill. */
export const freeUnitsAt = (units: readonly FreeUnits[] | undefined, at: "before" | "used"): Decimal =>
	units ? toDecimal(sum(units.map((one) => exact(one[at])))) : zero;

/** Returns the units that a bill makes free, by coupon. */
export const unitsFreedBy = (units: readonly FreeUnits[] = []): FreeGrant[] =>
	units.flatMap(({ couponId, name, before, used }) => {
		const quantity = exact(used).minus(exact(before));
		return quantity.gt(0) ? [{ couponId, name, quantity: toDecimal(quantity) }] : [];
	});

/** Returns the free units as a bill leaves them. */
export const usedFreeUnits = (units: readonly FreeUnits[]): UsedFreeUnits[] =>
	units.map(({ before: _, ...one }) => one);

const least = (one: Big, other: Big): Big => (one.lt(other) ? one : other);
const atLeastZero = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
