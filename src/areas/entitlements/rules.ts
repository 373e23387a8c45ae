import { type Decimal, exact, zero } from "../../kernel/decimal";
import { byGenerosity, isLimitless } from "../grants/rules.precedence";
import type { UsagePeriod } from "../grants/rules.reset-period";
import type { Source } from "../grants/rules.sources";
import type { AccessDeniedReason } from "../grants/schema";

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
	/** What counts against the limit before anything is asked for: usage and what is reserved. The usage when left out. */
	readonly taken?: Decimal;
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
 * still grants alongside a larger hard one is our reading of "the more generous wins".
 */
export function decide(feature: DecidedFeature, candidates: readonly Candidate[], request: AccessRequest): Decision {
	const [best, ...others] = [...candidates].sort((left, right) => byGenerosity(left.source, right.source));
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

const leavesRoom = ({ source, usage, taken = usage }: Candidate, requested: Decimal): boolean =>
	source.isSoft ||
	isLimitless(source) ||
	exact(taken)
		.plus(exact(requested))
		.lte(exact(source.usageLimit ?? zero));
