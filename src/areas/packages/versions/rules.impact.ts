import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import type { PackageEntitlementTerms } from "../entitlements/schema";
import type { CreditCadence, ResetPeriod } from "../schema";

export interface Difference<Terms> {
	readonly key: string;
	readonly change: "ADDED" | "REMOVED" | "CHANGED";
	readonly before: Terms | null;
	readonly after: Terms | null;
}

/** What has to happen to `before` for it to become `after`: what goes or changes in its order, then what is new. */
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

/** What of an entitlement adds up when a plan and its base plan both grant the same thing. */
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
 * A plan's own grant upon its base's, as `entitlements` combines them: limits and credits add up, values are united, and
 * what is not granted by one is not granted at all. Credits of two cadences cannot be one; the plan's own then speak.
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

/** How long a limit has to last: the longer, the less it is worth. Null never resets. */
const periodRank: Readonly<Record<ResetPeriod, number>> = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 };
const neverRank = 5;
const rankOf = (period: ResetPeriod | null): number => (period === null ? neverRank : periodRank[period]);

/**
 * Whether somebody who had `before` has less with `after`: it is gone or not granted, its limit is lower, harder or has to
 * last longer, a value is missing, or fewer credits come. Display and order are no loss.
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
	// Nothing ends what has no end; a soft limit denies nothing.
	if (has === Number.POSITIVE_INFINITY || after.hasSoftLimit) return false;
	if (before.hasSoftLimit) return true;
	const had = capacityOf(before);
	return has < had || (had > 0 && rankOf(after.resetPeriod) > rankOf(before.resetPeriod));
}

/** An entitlement that states no limit has none (the reading of `entitlements`). */
const capacityOf = ({ hasUnlimitedUsage, usageLimit }: FeatureTerms): number =>
	hasUnlimitedUsage || usageLimit === null ? Number.POSITIVE_INFINITY : usageLimit;
