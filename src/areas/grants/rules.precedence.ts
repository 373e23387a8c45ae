import { exact, zero } from "../../kernel/decimal";
import type { Source } from "./rules.sources";

/** An entitlement that states no limit has none. (Our choice; the interface is silent.) */
export const isLimitless = ({ isUnlimited, usageLimit }: Source): boolean => isUnlimited || usageLimit === null;

const resetRank = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 } as const;

/**
 * Most generous first: no limit, then the larger limit, then the soft one, then a subscription's before a promotional
 * one (docs/interface/entitlements.md, tie-break), then the one that resets more often. What is left is ordered by
 * plain values, so that the order in which sources were found never shows.
 */
export function byGenerosity(left: Source, right: Source): number {
	const [leftFree, rightFree] = [isLimitless(left), isLimitless(right)];
	if (leftFree !== rightFree) return leftFree ? -1 : 1;
	const byLimit = leftFree ? 0 : exact(right.usageLimit ?? zero).cmp(exact(left.usageLimit ?? zero));
	if (byLimit !== 0) return byLimit;
	if (left.isSoft !== right.isSoft) return left.isSoft ? -1 : 1;
	if (left.isPromotional !== right.isPromotional) return left.isPromotional ? 1 : -1;
	const rank = (source: Source) => (source.resetPeriod === null ? 5 : resetRank[source.resetPeriod]);
	return (
		rank(left) - rank(right) ||
		right.usageAnchorAt - left.usageAnchorAt ||
		right.updatedAt - left.updatedAt ||
		compareTexts(left.resetAnchor ?? "", right.resetAnchor ?? "") ||
		compareTexts(left.enumValues.join(), right.enumValues.join()) ||
		// Both limitless: the one that says so before the one that states nothing, then by what it states.
		Number(right.isUnlimited) - Number(left.isUnlimited) ||
		compareTexts(left.usageLimit ?? "", right.usageLimit ?? "")
	);
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
