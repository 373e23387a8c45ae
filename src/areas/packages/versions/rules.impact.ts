import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import type { PackageEntitlementTerms } from "../entitlements/schema";
import type { CreditCadence, ResetPeriod } from "../schema";

export interface Difference<Terms> {
	readonly key: string;
	readonly change: "ADDED" | "REMOVED" | "CHANGED";
	readonly before: Terms | null;
	readonly after: Terms | null;
}

/** Returns the changes from `before` to `after`: removals and changes in the order of `before`, then additions. */
export function differences<Terms>(
	before: ReadonlyMap<string, Terms>,
	after: ReadonlyMap<string, Terms>,
): Difference<Terms>[] {
	const found: Difference<Terms>[] = [];
	for (const [key, was] of before) {
		const is = after.get(key);
		if (is === undefined) found.push({ key, change: "REMOVED", before: was, after: null });
		else if (!Bun.deepEquals(was, is, true)) found.push({ key, change: "CHANGED", before: was, after: is });
	}
	for (const [key, is] of after) if (!before.has(key)) found.push({ key, change: "ADDED", before: null, after: is });
	return found;
}

/** The part of an entitlement that combines if a plan and its base plan both grant it. */
interface Grant {
	readonly isGranted: boolean;
	readonly usageLimit: Decimal | null;
	readonly hasUnlimitedUsage: boolean | null;
	readonly hasSoftLimit: boolean | null;
	readonly enumValues: string[] | null;
	readonly resetPeriod: ResetPeriod | null;
	readonly amount: Decimal | null;
	readonly cadence: CreditCadence | null;
}

/**
 * Combines a plan's own grant with its base's, as `entitlements` does: adds limits and credits, and unites values. The result is
 * granted only if both are granted. Credits with two cadences cannot be combined; the plan's own then count.
 */
export function combinedGrant<Row extends Grant & { readonly resetAnchor: unknown }>(own: Row, base: Row): Row {
	const reset = own.resetPeriod === null ? base : own;
	return {
		...own,
		isGranted: own.isGranted && base.isGranted,
		usageLimit: plus(own.usageLimit, base.usageLimit),
		hasUnlimitedUsage: either(own.hasUnlimitedUsage, base.hasUnlimitedUsage),
		hasSoftLimit: either(own.hasSoftLimit, base.hasSoftLimit),
		enumValues:
			own.enumValues === null && base.enumValues === null
				? null
				: [...new Set([...(own.enumValues ?? []), ...(base.enumValues ?? [])])],
		resetPeriod: reset.resetPeriod,
		resetAnchor: reset.resetAnchor,
		amount: own.cadence === base.cadence ? plus(own.amount, base.amount) : own.amount,
	};
}

const either = (one: boolean | null, other: boolean | null): boolean | null => (one || other) ?? null;

function plus(one: Decimal | null, other: Decimal | null): Decimal | null {
	if (one === null || other === null) return one ?? other;
	return toDecimal(exact(one).plus(exact(other)));
}

type FeatureTerms = Extract<PackageEntitlementTerms, { type: "FEATURE" }>;

/** Ranks periods by how long a limit must last: a longer period makes the limit worth less. Null never resets. */
const periodRank: Readonly<Record<ResetPeriod, number>> = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 };
const neverRank = 5;
const rankOf = (period: ResetPeriod | null): number => (period === null ? neverRank : periodRank[period]);

/**
 * Whether a customer with `before` has less with `after`: a removed grant, a lower or harder limit, a longer period, a missing
 * value, or fewer credits. Ignores display and order.
 */
export function isLoss(before: PackageEntitlementTerms | null, after: PackageEntitlementTerms | null): boolean {
	if (!before?.isGranted) return false;
	if (!after?.isGranted || after.type !== before.type) return true;
	if (before.type === "FEATURE" && after.type === "FEATURE") return isLessOfFeature(before, after);
	if (before.type === "CREDIT" && after.type === "CREDIT") {
		const [had, has] = [before.amount ?? 0, after.amount ?? 0];
		if (before.hasSoftLimit && !after.hasSoftLimit) return true;
		return has < had || (had > 0 && before.cadence === "MONTH" && after.cadence === "YEAR");
	}
	return false;
}

function isLessOfFeature(before: FeatureTerms, after: FeatureTerms): boolean {
	const values = new Set(after.enumValues);
	if (before.enumValues?.some((value) => !values.has(value))) return true;
	const has = capacityOf(after);
	// An unlimited grant loses nothing, and a soft limit denies nothing.
	if (has === Number.POSITIVE_INFINITY || after.hasSoftLimit) return false;
	if (before.hasSoftLimit) return true;
	const had = capacityOf(before);
	return has < had || (had > 0 && rankOf(after.resetPeriod) > rankOf(before.resetPeriod));
}

/** Returns the capacity of a grant. An entitlement without a limit is unlimited, as in `entitlements`. */
const capacityOf = ({ hasUnlimitedUsage, usageLimit }: FeatureTerms): number =>
	hasUnlimitedUsage || usageLimit === null ? Number.POSITIVE_INFINITY : usageLimit;
