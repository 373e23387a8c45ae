import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { earliest } from "../../kernel/period";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import { findCurrency } from "../currencies/operations";
import { findFeature } from "../features/operations";
import { isMetered } from "../features/rules";
import { usagePeriodAt } from "../grants/rules.reset-period";
import type {
	AccessDeniedReason,
	EffectiveCreditEntitlement,
	EffectiveEntitlement,
	EffectiveFeatureEntitlement,
} from "../grants/schema";
import { inPricedUnits } from "../pricing/usage";
import { isBudgetSpent } from "../subscriptions/billing/operations.budget";
import { currentUsage } from "../usage/operations";
import { heldUsage, nothingHeld } from "./consumption/operations.held";
import { decideCredits, totalCredits } from "./credits";
import { type Resolved, type ResolvedCredits, type ResolvedFeature, resolveEntitlements } from "./resolve";
import { type AccessRequest, type Candidate, decide } from "./rules";
import type { EntitlementCheckQuery, EntitlementsAnswer } from "./schema";
import { type FeatureAccess, viewCredits, viewDeniedCredits, viewDeniedFeature, viewFeature } from "./view";

/** How a customer's entitlements are found: looked up each time, or remembered (resolved-cache.ts). */
export type Resolve = (work: Work, customerRef: string, resourceRef: string | null) => Resolved;

/**
 * Everything the customer is entitled to, or one of its resources. Always an answer: an unknown customer is a reason,
 * not an error (docs/interface/entitlements.md). A list has no reason for an unknown resource, which then has no active
 * subscription.
 */
export function listEntitlements(
	work: Work,
	customerRef: string,
	resourceRef: string | null = null,
	resolve: Resolve = resolveEntitlements,
): EntitlementsAnswer {
	const resolved = resolve(work, customerRef, resourceRef);
	const { denied } = resolved;
	if (denied !== null)
		return {
			accessDeniedReason: denied === "CustomerResourceNotFound" ? "NoActiveSubscription" : denied,
			entitlements: [],
		};
	const of = { customerId: resolved.customerId ?? "", resourceRef, endsAt: resolved.endsAt };
	return {
		accessDeniedReason: null,
		entitlements: [
			...[...resolved.features.values()].map((one) => effectiveFeature(work, one, of, {})),
			...[...resolved.credits.values()].map((one) => effectiveCredits(work, one, of, undefined)),
		],
	};
}

/**
 * One entitlement, by `featureId` or `currencyId`. BadUserInput when both or none are given; whatever else is wrong is a
 * reason in the answer (docs/interface/entitlements.md).
 */
export function checkEntitlement(
	work: Work,
	customerRef: string,
	query: EntitlementCheckQuery,
	resolve: Resolve = resolveEntitlements,
): EffectiveEntitlement {
	const { featureId, currencyId } = query;
	if ((featureId === undefined) === (currencyId === undefined))
		throw fail("BadUserInput", "query: give exactly one of 'featureId' and 'currencyId'.");
	const resourceRef = query.resourceId || null;
	const resolved = resolve(work, customerRef, resourceRef);
	const requestedUsage = query.requestedUsage === undefined ? undefined : toDecimal(query.requestedUsage);
	const of = { customerId: resolved.customerId ?? "", resourceRef, endsAt: resolved.endsAt };
	if (featureId !== undefined) {
		const found = resolved.features.get(featureId);
		const requestedValues = queryValues(query.requestedValues);
		if (found) return effectiveFeature(work, found, of, { requestedUsage, requestedValues });
		return refuseFeature(work, featureId, resolved, { requestedUsage, requestedValues });
	}
	const found = resolved.credits.get(currencyId ?? "");
	if (found) return effectiveCredits(work, found, of, requestedUsage);
	const currency = findCurrency(work, currencyId ?? "");
	return viewDeniedCredits(currencyId ?? "", currency, resolved.denied ?? "EntitlementNotFound", work.now);
}

export interface Of {
	/** Row id. */
	readonly customerId: string;
	/** The caller's id. */
	readonly resourceRef: string | null;
	readonly endsAt: Instant | null;
}

export interface Taking {
	/** The instant whose usage periods count. */
	readonly at: Instant;
	/** How much more is taken, in the units that are reported. */
	readonly amount: Decimal;
}

export function decideFeature(
	work: Work,
	{ feature, isMetered, sources }: ResolvedFeature,
	{ customerId, resourceRef, endsAt }: Of,
	request: AccessRequest,
	{ at, amount }: Taking = { at: work.now, amount: zero },
): FeatureAccess {
	const { unitTransformation } = feature;
	const of = { featureId: feature.id, customerId, resourceId: resourceRef };
	const held = isMetered ? heldUsage(work, of) : nothingHeld;
	const more = sumOf(held.amount, amount);
	const candidates = sources.map((source): Candidate => {
		const period = usagePeriodAt(source, at);
		if (!isMetered) return { source, period, usage: zero };
		const usage = currentUsage(work, { ...of, period });
		const isOverBudget = source.budgeted !== undefined && isBudgetSpent(work, source.budgeted, feature.id);
		const shown = inPricedUnits(usage, unitTransformation);
		// Whole units of what is taken together: parts of one unit are not rounded up one by one.
		const taken = more === zero ? shown : inPricedUnits(sumOf(usage, more), unitTransformation);
		return { source, period, usage: shown, taken, isOverBudget };
	});
	const decision = decide({ featureType: feature.featureType, isMetered }, candidates, request);
	const validUntil = earliest([endsAt, held.until, ...candidates.map(({ period }) => period?.end ?? null)]);
	return { feature, isMetered, ...decision, validUntil, reserved: held.amount };
}

const sumOf = (one: Decimal, other: Decimal): Decimal =>
	other === zero ? one : toDecimal(exact(one).plus(exact(other)));

const effectiveFeature = (
	work: Work,
	found: ResolvedFeature,
	of: Of,
	request: AccessRequest,
): EffectiveFeatureEntitlement => viewFeature(decideFeature(work, found, of, request));

/** The ledger of credits is a part of its own: until something is consumed there, nothing is used. */
const creditsUsed: Decimal = zero;

function effectiveCredits(
	work: Work,
	{ currency, grants }: ResolvedCredits,
	{ endsAt }: Of,
	requestedUsage: Decimal | undefined,
): EffectiveCreditEntitlement {
	const total = totalCredits(grants, work.now);
	const decision = decideCredits(total, creditsUsed, requestedUsage);
	return viewCredits({ currency, total, decision, used: creditsUsed, validUntil: earliest([endsAt, total.periodEnd]) });
}

/** Why a feature that nothing entitles is denied: the customer comes first, then the feature, then the subscription. */
export function refuseFeature(
	work: Work,
	featureRef: string,
	{ denied }: Resolved,
	request: AccessRequest,
): EffectiveFeatureEntitlement {
	const feature = findFeature(work, featureRef);
	return viewDeniedFeature(feature, reasonWithout(feature, denied, request));
}

function reasonWithout(
	feature: ReturnType<typeof findFeature>,
	denied: Resolved["denied"],
	request: AccessRequest,
): AccessDeniedReason {
	if (denied !== null && denied !== "NoActiveSubscription") return denied;
	if (!feature) return "FeatureNotFound";
	if (denied !== null) return denied;
	return (
		decide({ featureType: feature.featureType, isMetered: isMetered(feature) }, [], request).reason ??
		"NoFeatureEntitlementInSubscription"
	);
}
