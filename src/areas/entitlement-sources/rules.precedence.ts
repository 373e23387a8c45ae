import { exact, zero } from "../../kernel/decimal";
import type { Source } from "./rules.sources";

/** Whether a source has no limit: it is unlimited, or states no limit. */
export const isLimitless = ({ isUnlimited, usageLimit }: Source): boolean => isUnlimited || usageLimit === null;

const resetRank = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 } as const;
const resetRankOf = ({ resetPeriod }: Source): number => (resetPeriod === null ? 5 : resetRank[resetPeriod]);

/** Subscriptions before trials, and trials before promotional entitlements. */
const originRank = ({ isPromotional, isTrial }: Source): number => (isPromotional ? 2 : isTrial ? 1 : 0);

/** Less than zero: the left source goes first. */
type Compare = (left: Source, right: Source) => number;

const byLimit: Compare = (left, right) => {
	const [leftFree, rightFree] = [isLimitless(left), isLimitless(right)];
	if (leftFree !== rightFree) return leftFree ? -1 : 1;
	return leftFree ? 0 : exact(right.usageLimit ?? zero).cmp(exact(left.usageLimit ?? zero));
};

/** Breaks remaining ties by plain values, so the result never depends on the order of the sources. */
const byPlainValues: Compare = (left, right) =>
	right.usageAnchorAt - left.usageAnchorAt ||
	right.updatedAt - left.updatedAt ||
	compareTexts(left.resetAnchor ?? "", right.resetAnchor ?? "") ||
	compareTexts(left.enumValues.join(), right.enumValues.join()) ||
	// Both have no limit: unlimited sources before sources without a stated limit.
	Number(right.isUnlimited) - Number(left.isUnlimited) ||
	compareTexts(left.usageLimit ?? "", right.usageLimit ?? "");

const criteria = [
	["LARGER_LIMIT", byLimit],
	["SOFT_LIMIT", (left, right) => Number(right.isSoft) - Number(left.isSoft)],
	["BOUGHT_BEFORE_TRIED_BEFORE_GIVEN", (left, right) => originRank(left) - originRank(right)],
	["RESETS_MORE_OFTEN", (left, right) => resetRankOf(left) - resetRankOf(right)],
	["NEWER", byPlainValues],
] as const satisfies ReadonlyArray<readonly [string, Compare]>;

/** The reasons for precedence, in their order. The first difference decides. */
export type Precedence = (typeof criteria)[number][0] | "ALIKE";

/**
 * Compares sources, the most generous first: no limit, the larger limit, a soft limit, then a subscription before a trial before a
 * promotional entitlement (docs/interface/entitlements.md, tie-break), then the more frequent reset, then the newer source.
 */
export function byGenerosity(left: Source, right: Source): number {
	for (const [, compare] of criteria) {
		const order = compare(left, right);
		if (order !== 0) return order;
	}
	return 0;
}

/** Returns the reason why `byGenerosity` puts the first source before the second. */
export const precedenceOf = (first: Source, second: Source): Precedence =>
	criteria.find(([, compare]) => compare(first, second) !== 0)?.[0] ?? "ALIKE";

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
