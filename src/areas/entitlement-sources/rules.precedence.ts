import { exact, zero } from "../../kernel/decimal";
import type { Source } from "./rules.sources";

/** An entitlement that states no limit has none. (Our choice; the interface is silent.) */
export const isLimitless = ({ isUnlimited, usageLimit }: Source): boolean => isUnlimited || usageLimit === null;

const resetRank = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 } as const;
const resetRankOf = ({ resetPeriod }: Source): number => (resetPeriod === null ? 5 : resetRank[resetPeriod]);

/** What was bought before what is tried, and that before what was given. */
const originRank = ({ isPromotional, isTrial }: Source): number => (isPromotional ? 2 : isTrial ? 1 : 0);

/** Less than zero: the left one goes first. */
type Compare = (left: Source, right: Source) => number;

const byLimit: Compare = (left, right) => {
	const [leftFree, rightFree] = [isLimitless(left), isLimitless(right)];
	if (leftFree !== rightFree) return leftFree ? -1 : 1;
	return leftFree ? 0 : exact(right.usageLimit ?? zero).cmp(exact(left.usageLimit ?? zero));
};

/** What is left is ordered by plain values, so that the order in which sources were found never shows. */
const byPlainValues: Compare = (left, right) =>
	right.usageAnchorAt - left.usageAnchorAt ||
	right.updatedAt - left.updatedAt ||
	compareTexts(left.resetAnchor ?? "", right.resetAnchor ?? "") ||
	compareTexts(left.enumValues.join(), right.enumValues.join()) ||
	// Both limitless: the one that says so before the one that states nothing, then by what it states.
	Number(right.isUnlimited) - Number(left.isUnlimited) ||
	compareTexts(left.usageLimit ?? "", right.usageLimit ?? "");

const criteria = [
	["LARGER_LIMIT", byLimit],
	["SOFT_LIMIT", (left, right) => Number(right.isSoft) - Number(left.isSoft)],
	["BOUGHT_BEFORE_TRIED_BEFORE_GIVEN", (left, right) => originRank(left) - originRank(right)],
	["RESETS_MORE_OFTEN", (left, right) => resetRankOf(left) - resetRankOf(right)],
	["NEWER", byPlainValues],
] as const satisfies ReadonlyArray<readonly [string, Compare]>;

/** Why one source goes before another: the first of these in which they differ. */
export type Precedence = (typeof criteria)[number][0] | "ALIKE";

/**
 * Most generous first: no limit, then the larger limit, then the soft one, then a subscription's before a trial's before a
 * promotional one (docs/interface/entitlements.md, tie-break), then the one that resets more often, then the newer.
 */
export function byGenerosity(left: Source, right: Source): number {
	for (const [, compare] of criteria) {
		const order = compare(left, right);
		if (order !== 0) return order;
	}
	return 0;
}

/** By what `byGenerosity` has put the first of the two before the second. */
export const precedenceOf = (first: Source, second: Source): Precedence =>
	criteria.find(([, compare]) => compare(first, second) !== 0)?.[0] ?? "ALIKE";

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
