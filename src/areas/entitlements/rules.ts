import { type Decimal, exact, zero } from "../../kernel/decimal";
import type { Source } from "./combine";
import type { UsagePeriod } from "./period";
import type { AccessDeniedReason } from "./schema";

/** What the decision reads of a feature. */
export interface DecidedFeature {
	readonly featureType: "BOOLEAN" | "NUMBER" | "ENUM";
	readonly isMetered: boolean;
}

/** A source with the usage that counts against it: in its own usage period, in the units that are limited. */
export interface Candidate {
	readonly source: Source;
	readonly period: UsagePeriod | null;
	readonly usage: Decimal;
	/** The subscription's hard budget is spent, and this feature would cost more. */
	readonly isOverBudget?: boolean;
}

export interface AccessRequest {
	readonly requestedUsage?: Decimal | undefined;
	readonly requestedValues?: readonly string[] | undefined;
}

export interface Decision {
	readonly isGranted: boolean;
	readonly reason: AccessDeniedReason | null;
	/** The candidate that the answer shows: the one that grants, else the most generous one. */
	readonly shown: Candidate | null;
}

const granted = (shown: Candidate): Decision => ({ isGranted: true, reason: null, shown });
const denied = (reason: AccessDeniedReason, shown: Candidate | null): Decision => ({ isGranted: false, reason, shown });

/**
 * Whether a feature may be used. Sources are not summed: access is given by any source that gives it, so that one more
 * source never takes access away, unless it revokes. Source: docs/interface/entitlements.md; that a smaller soft limit
 * still grants beside a larger hard one is our reading of "the more generous wins".
 */
export function decide(feature: DecidedFeature, candidates: readonly Candidate[], request: AccessRequest): Decision {
	const [best, ...others] = [...candidates].sort(byGenerosity);
	if (!best) return denied("NoFeatureEntitlementInSubscription", null);
	const revoked = [best, ...others].find(({ source }) => source.isRevoked);
	if (revoked) return denied("Revoked", revoked);
	if (!fits(feature, request)) return denied("FeatureTypeMismatch", best);
	switch (feature.featureType) {
		case "BOOLEAN":
			return granted(best);
		case "ENUM": {
			// The values of all sources together (docs/interface/entitlements.md).
			const allowed = new Set([best, ...others].flatMap(({ source }) => source.enumValues));
			const all = (request.requestedValues ?? []).every((value) => allowed.has(value));
			return all ? granted(best) : denied("RequestedValuesMismatch", best);
		}
		case "NUMBER": {
			// A metered feature is asked for one more unit unless said otherwise, so a full quota denies
			// (docs/interface/entitlements.md).
			const requested = request.requestedUsage ?? (feature.isMetered ? one : zero);
			const withRoom = [best, ...others].filter((candidate) => leavesRoom(candidate, requested));
			const granting = withRoom.find(({ isOverBudget = false }) => !isOverBudget);
			if (granting) return granted(granting);
			return withRoom[0] ? denied("BudgetExceeded", withRoom[0]) : denied("RequestedUsageExceedingLimit", best);
		}
	}
}

const one = "1" as Decimal;

/** Usage is asked of numbers, values of enums. */
const fits = ({ featureType }: DecidedFeature, { requestedUsage, requestedValues }: AccessRequest): boolean =>
	(requestedUsage === undefined || featureType === "NUMBER") &&
	(requestedValues === undefined || featureType === "ENUM");

/** An entitlement that states no limit has none. (Our choice; the interface is silent.) */
const isLimitless = ({ isUnlimited, usageLimit }: Source): boolean => isUnlimited || usageLimit === null;

const leavesRoom = ({ source, usage }: Candidate, requested: Decimal): boolean =>
	source.isSoft ||
	isLimitless(source) ||
	exact(usage)
		.plus(exact(requested))
		.lte(exact(source.usageLimit ?? zero));

const resetRank = { HOUR: 0, DAY: 1, WEEK: 2, MONTH: 3, YEAR: 4 } as const;

/**
 * Most generous first: no limit, then the larger limit, then the soft one, then a subscription's before a promotional
 * one (docs/interface/entitlements.md, tie-break), then the one that resets more often. What is left is ordered by
 * plain values, so that the order in which sources were found never shows.
 */
export function byGenerosity({ source: left }: Candidate, { source: right }: Candidate): number {
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
