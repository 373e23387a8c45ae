import { type Decimal, isLess, plus, zero } from "../../kernel/decimal";
import { byGenerosity, isLimitless } from "../entitlement-sources/rules.precedence";
import type { UsagePeriod } from "../entitlement-sources/rules.reset-period";
import type { Source } from "../entitlement-sources/rules.sources";
import type { AccessDeniedReason } from "../entitlement-sources/schema";

/** The fields of a feature that the decision needs. */
export interface DecidedFeature {
	readonly featureType: "BOOLEAN" | "NUMBER" | "ENUM";
	readonly isMetered: boolean;
}

/** A source with the usage in its own usage period, in limited units. */
export interface Candidate {
	readonly source: Source;
	readonly period: UsagePeriod | null;
	readonly usage: Decimal;
	/** The amount that counts against the limit before the request: usage and reservations. Default: the usage. */
	readonly usageAndReserved?: Decimal;
	/** Whether the subscription's hard budget is spent and this feature costs more. */
	readonly isOverBudget?: boolean;
}

export interface AccessRequest {
	readonly requestedUsage?: Decimal | undefined;
	readonly requestedValues?: readonly string[] | undefined;
}

/** The rule that decided, for decisions from sources. */
export type DecidedBy =
	| "NOTHING_GRANTS"
	| "REVOKED"
	| "REQUEST_DOES_NOT_FIT"
	| "INCLUDED"
	| "VALUES_ALLOWED"
	| "VALUES_NOT_ALLOWED"
	| "UNLIMITED"
	| "WITHIN_LIMIT"
	| "SOFT_LIMIT"
	| "LIMIT_REACHED"
	| "BUDGET_SPENT"
	| "TOO_FEW_CREDITS"
	| "ENTITY_BUDGET_SPENT";

export interface Decision<C extends Candidate = Candidate> {
	readonly isGranted: boolean;
	readonly reason: AccessDeniedReason | null;
	/** The candidate that the answer shows: the one that grants, or else the most generous one. */
	readonly shown: C | null;
	readonly decidedBy: DecidedBy;
	/** All candidates, the most generous first. */
	readonly ordered: readonly C[];
	/** The requested additional units; null where no units are counted. */
	readonly requested: Decimal | null;
}

/**
 * Decides the access to a feature. Limits of sources are not added. Any source can grant access, so an additional source never
 * removes it, unless it revokes (docs/interface/entitlements.md). A smaller soft limit also grants next to a larger hard limit.
 */
export function decide<C extends Candidate>(
	feature: DecidedFeature,
	candidates: readonly C[],
	request: AccessRequest,
): Decision<C> {
	const ordered = [...candidates].sort((left, right) => byGenerosity(left.source, right.source));
	const requested = requestedOf(feature, request);
	const granted = (decidedBy: DecidedBy, shown: C): Decision<C> => ({
		isGranted: true,
		reason: null,
		shown,
		decidedBy,
		ordered,
		requested,
	});
	const denied = (decidedBy: DecidedBy, reason: AccessDeniedReason, shown: C | null): Decision<C> => ({
		isGranted: false,
		reason,
		shown,
		decidedBy,
		ordered,
		requested,
	});
	const [best] = ordered;
	if (!best) return denied("NOTHING_GRANTS", "NoFeatureEntitlementInSubscription", null);
	const revoked = ordered.find(({ source }) => source.isRevoked);
	if (revoked) return denied("REVOKED", "Revoked", revoked);
	if (!fits(feature, request)) return denied("REQUEST_DOES_NOT_FIT", "FeatureTypeMismatch", best);
	switch (feature.featureType) {
		case "BOOLEAN":
			return granted("INCLUDED", best);
		case "ENUM": {
			// The values of all sources are combined (docs/interface/entitlements.md).
			const allowed = new Set(ordered.flatMap(({ source }) => source.enumValues));
			const all = (request.requestedValues ?? []).every((value) => allowed.has(value));
			return all ? granted("VALUES_ALLOWED", best) : denied("VALUES_NOT_ALLOWED", "RequestedValuesMismatch", best);
		}
		case "NUMBER": {
			const granting = ordered.find((candidate) => obstacleOf(candidate, requested ?? zero) === null);
			if (granting) return granted(grantedBy(granting, requested ?? zero), granting);
			const spent = ordered.find((candidate) => obstacleOf(candidate, requested ?? zero) === "BUDGET_SPENT");
			return spent
				? denied("BUDGET_SPENT", "BudgetExceeded", spent)
				: denied("LIMIT_REACHED", "RequestedUsageExceedingLimit", best);
		}
	}
}

/** Denies a use that its sources grant, because it costs more credits than remain. */
export const withoutCredits = <C extends Candidate>(decision: Decision<C>): Decision<C> =>
	decision.isGranted
		? { ...decision, isGranted: false, reason: "InsufficientCredits", decidedBy: "TOO_FEW_CREDITS" }
		: decision;

/** Denies a use that its sources and the credits grant, because a budget of an entity does not allow it. */
export const withoutBudget = <C extends Candidate>(decision: Decision<C>): Decision<C> =>
	decision.isGranted
		? { ...decision, isGranted: false, reason: "BudgetExceeded", decidedBy: "ENTITY_BUDGET_SPENT" }
		: decision;

/** The outcome of one source in a decision. */
export type Outcome =
	| "GRANTS"
	| "ALSO_GRANTS"
	| "LIMIT_REACHED"
	| "BUDGET_SPENT"
	| "TOO_FEW_CREDITS"
	| "REVOKES"
	| "OVERRULED"
	| "VALUES_MISSING"
	| "DOES_NOT_FIT";

export function outcomeOf(decision: Decision, candidate: Candidate): Outcome {
	const { isGranted, shown, decidedBy, requested } = decision;
	if (isGranted && candidate === shown) return "GRANTS";
	switch (decidedBy) {
		case "REVOKED":
			return candidate.source.isRevoked ? "REVOKES" : "OVERRULED";
		case "REQUEST_DOES_NOT_FIT":
			return "DOES_NOT_FIT";
		case "VALUES_NOT_ALLOWED":
			return "VALUES_MISSING";
		case "TOO_FEW_CREDITS":
			return obstacleOf(candidate, requested ?? zero) ?? "TOO_FEW_CREDITS";
		case "ENTITY_BUDGET_SPENT":
			return obstacleOf(candidate, requested ?? zero) ?? "OVERRULED";
		default:
			return (requested === null ? null : obstacleOf(candidate, requested)) ?? "ALSO_GRANTS";
	}
}

const one = "1" as Decimal;

/** The default request for a metered feature is one unit, so an exhausted limit denies (docs/interface/entitlements.md). */
const requestedOf = ({ featureType, isMetered }: DecidedFeature, { requestedUsage }: AccessRequest): Decimal | null =>
	featureType === "NUMBER" ? (requestedUsage ?? (isMetered ? one : zero)) : null;

/** Requests of usage fit number features, requests of values fit enum features. */
const fits = ({ featureType }: DecidedFeature, { requestedUsage, requestedValues }: AccessRequest): boolean =>
	(requestedUsage === undefined || featureType === "NUMBER") &&
	(requestedValues === undefined || featureType === "ENUM");

/** Returns why a candidate does not grant a number of units; null if it does. The limit is tested first. */
export function obstacleOf(candidate: Candidate, requested: Decimal): "LIMIT_REACHED" | "BUDGET_SPENT" | null {
	const { source } = candidate;
	if (!source.isSoft && !isLimitless(source) && !isWithinLimit(candidate, requested)) return "LIMIT_REACHED";
	return candidate.isOverBudget ? "BUDGET_SPENT" : null;
}

const grantedBy = (candidate: Candidate, requested: Decimal): DecidedBy =>
	isLimitless(candidate.source) ? "UNLIMITED" : isWithinLimit(candidate, requested) ? "WITHIN_LIMIT" : "SOFT_LIMIT";

const isWithinLimit = ({ source, usage, usageAndReserved = usage }: Candidate, requested: Decimal): boolean =>
	!isLess(source.usageLimit ?? zero, plus(usageAndReserved, requested));
