import type { Instant } from "../../kernel/clock";
import { type Decimal, plus, toDecimal, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { earliest } from "../../kernel/period";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import { findCurrency } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import { usagePeriodAt } from "../entitlement-sources/rules.reset-period";
import type {
	AccessDeniedReason,
	EffectiveEntitlement,
	EffectiveFeatureEntitlement,
} from "../entitlement-sources/schema";
import { findFeature } from "../features/operations";
import { isMetered } from "../features/rules";
import type { FeatureRow } from "../features/table";
import { assertAttributable, hasAny } from "../governance/operations.attribution";
import { type BudgetDecision, decideBudgets } from "../governance/operations.decide";
import { shownChains } from "../governance/shown/operations.chains";
import type { Dimensions } from "../pricing/models/formula";
import { convertUnits } from "../pricing/unit-conversion";
import { isBudgetSpent } from "../subscriptions/billing/budget/operations";
import { currentUsage, reportedUsage } from "../usage/operations";
import { type CreditDecision, decideCredits } from "./credits";
import { type CustomerCredits, creditsOf } from "./operations.credits";
import {
	type Resolved,
	type ResolvedFeature,
	type ResolvedSource,
	resolveEntitlements,
	wasRevoked,
} from "./operations.resolve";
import { creditsFor, type RequestedUse, reportedAmount, type UseCost, useCost } from "./operations.use-cost";
import { nothingReserved, reservedUsage } from "./reservations/operations.reserved";
import { type AccessRequest, type Candidate, type Decision, decide, withoutBudget, withoutCredits } from "./rules";
import type { EntitlementQuestion, EntitlementsAnswer } from "./schema";
import { viewCredits, viewDeniedCredits, viewDeniedFeature, viewFeature } from "./view";

/** Resolves a customer's entitlements, without or with a cache (operations.remembered.ts). */
export type Resolve = (work: Work, customerRef: string, resourceRef: string | null) => Resolved;

/** The customer or resource of entitlements. */
export interface Holder {
	/** Row id; empty for an unknown customer. */
	readonly customerId: string;
	/** The caller's id. */
	readonly resourceRef: string | null;
	readonly changesAt: Instant | null;
	readonly resolved: Resolved;
}

/** A source with the data for the decision. */
export interface FeatureCandidate extends Candidate {
	readonly source: ResolvedSource;
	/** The counted usage, in reported units. */
	readonly counted: Decimal;
}

/** The result of a check with its data. The answer and the explanation are made from it. */
export type Finding =
	| {
			readonly kind: "FEATURE";
			readonly resolved: ResolvedFeature;
			readonly holder: Holder;
			readonly request: AccessRequest;
			readonly decision: Decision<FeatureCandidate>;
			/** The reserved amount, in reported units. */
			readonly reserved: Decimal;
			/** Undefined where the feature costs no credits. */
			readonly useCost: UseCost | undefined;
			/** Undefined where dimensions attribute the use to no entity. */
			readonly budgets: BudgetDecision | undefined;
			readonly validUntil: Instant | null;
	  }
	| {
			readonly kind: "FEATURE_REFUSED";
			readonly featureRef: string;
			readonly feature: FeatureRow | undefined;
			readonly reason: AccessDeniedReason;
			readonly validUntil: Instant | null;
	  }
	| {
			readonly kind: "CREDITS";
			readonly credits: CustomerCredits;
			readonly requested: Decimal;
			readonly decision: CreditDecision;
			readonly budgets: BudgetDecision | undefined;
			readonly validUntil: Instant | null;
	  }
	| {
			readonly kind: "CREDITS_REFUSED";
			readonly currencyRef: string;
			readonly currency: CurrencyRow | undefined;
			readonly reason: AccessDeniedReason;
	  };

export type FeatureFinding = Extract<Finding, { kind: "FEATURE" }>;
type FeatureRefusal = Extract<Finding, { kind: "FEATURE_REFUSED" }>;

/** The results for all entitlements of a customer. `denied` is the reason if there are none. */
export interface Findings {
	readonly denied: EntitlementsAnswer["accessDeniedReason"];
	readonly found: readonly Finding[];
}

/**
 * Finds all entitlements of a customer or a resource. An unknown customer is a reason, not an error
 * (docs/interface/entitlements.md). The reason for an unknown resource is that it has no active subscription.
 */
export function findEntitlements(
	work: Work,
	customerRef: string,
	resourceRef: string | null = null,
	resolve: Resolve = resolveEntitlements,
): Findings {
	const resolved = resolve(work, customerRef, resourceRef);
	const { denied } = resolved;
	if (denied !== null && denied !== "NoActiveSubscription")
		return { denied: denied === "CustomerResourceNotFound" ? "NoActiveSubscription" : denied, found: [] };
	const holder = holderOf(resolved, resourceRef);
	const credits = creditsOf(work, resolved, resourceRef);
	return {
		// Manually granted credits need no subscription.
		denied: credits.some(({ limit }) => limit !== zero) ? null : denied,
		found: [
			...[...resolved.features.values()].map((one) => findFeatureAccess(work, one, holder, {})),
			...credits.map((one) => findCredits(work, one, holder, {})),
		],
	};
}

/** As `findEntitlements`, for a response. */
export function listEntitlements(
	work: Work,
	customerRef: string,
	resourceRef: string | null = null,
	resolve: Resolve = resolveEntitlements,
): EntitlementsAnswer {
	return viewFindings(work, findEntitlements(work, customerRef, resourceRef, resolve));
}

export const viewFindings = (work: Work, { denied, found }: Findings): EntitlementsAnswer => ({
	accessDeniedReason: denied,
	entitlements: found.map((finding) => viewFinding(work, finding)),
});

/**
 * Finds one entitlement by `featureId` or `currencyId`. Throws BadUserInput for both or neither. Any other problem is a reason in the answer
 * (docs/interface/entitlements.md).
 */
export function findEntitlement(
	work: Work,
	customerRef: string,
	query: EntitlementQuestion,
	resolve: Resolve = resolveEntitlements,
): Finding {
	const { featureId, currencyId, dimensions } = query;
	if ((featureId === undefined) === (currencyId === undefined))
		throw fail("BadUserInput", "query: give exactly one of 'featureId' and 'currencyId'.");
	assertAttributable(work, dimensions, "query");
	const resourceRef = query.resourceId || null;
	const resolved = resolve(work, customerRef, resourceRef);
	const requestedUsage = query.requestedUsage === undefined ? undefined : toDecimal(query.requestedUsage);
	const holder = holderOf(resolved, resourceRef);
	if (featureId !== undefined) {
		const found = resolved.features.get(featureId);
		const request = { requestedUsage, requestedValues: queryValues(query.requestedValues) };
		if (found) return findFeatureAccess(work, found, holder, request, { at: work.now, amount: zero, dimensions });
		return refuseFeature(work, featureId, resolved, holder, request);
	}
	const { denied } = resolved;
	const held = denied === null || denied === "NoActiveSubscription" ? creditsOf(work, resolved, resourceRef) : [];
	const found = held.find(({ currency }) => currency.refId === currencyId);
	if (found) return findCredits(work, found, holder, { requested: requestedUsage, dimensions });
	return {
		kind: "CREDITS_REFUSED",
		currencyRef: currencyId ?? "",
		currency: findCurrency(work, currencyId ?? ""),
		reason: denied ?? "EntitlementNotFound",
	};
}

/** As `findEntitlement`, for a response. */
export const checkEntitlement = (
	work: Work,
	customerRef: string,
	query: EntitlementQuestion,
	resolve: Resolve = resolveEntitlements,
): EffectiveEntitlement => viewAnswer(work, query, findEntitlement(work, customerRef, query, resolve));

/** Shows a finding as the answer to a check: with dimensions there are always chains. */
export const viewAnswer = (work: Work, { dimensions }: EntitlementQuestion, finding: Finding): EffectiveEntitlement =>
	dimensions ? { chains: [], ...viewFinding(work, finding) } : viewFinding(work, finding);

export const viewFeatureAccess = (
	work: Work,
	{ resolved, decision, reserved, useCost, budgets, validUntil }: FeatureFinding,
): EffectiveFeatureEntitlement =>
	viewFeature({
		...resolved,
		...decision,
		reserved,
		useCost,
		validUntil,
		chains: budgets && shownChains(work, budgets),
	});

export const viewFeatureRefused = ({ feature, reason, validUntil }: FeatureRefusal): EffectiveFeatureEntitlement =>
	viewDeniedFeature(feature, reason, validUntil);

export function viewFinding(work: Work, finding: Finding): EffectiveEntitlement {
	switch (finding.kind) {
		case "FEATURE":
			return viewFeatureAccess(work, finding);
		case "FEATURE_REFUSED":
			return viewFeatureRefused(finding);
		case "CREDITS":
			return viewCredits({ ...finding, chains: finding.budgets && shownChains(work, finding.budgets) });
		case "CREDITS_REFUSED":
			return viewDeniedCredits(finding.currencyRef, finding.currency, finding.reason, work.now);
	}
}

/** When the result can change without a request. */
export const validUntilOf = (finding: Finding): Instant | null =>
	finding.kind === "CREDITS_REFUSED" ? null : finding.validUntil;

export const holderOf = (resolved: Resolved, resourceRef: string | null): Holder => ({
	customerId: resolved.customerId ?? "",
	resourceRef,
	changesAt: resolved.changesAt,
	resolved,
});

/** Usage that is about to be recorded. */
export interface AdditionalUsage {
	/** The instant whose usage periods count. */
	readonly at: Instant;
	/** The additional amount, in reported units. */
	readonly amount: Decimal;
	/** Undefined before they are known. */
	readonly dimensions?: Dimensions | undefined;
}

export function findFeatureAccess(
	work: Work,
	resolved: ResolvedFeature,
	holder: Holder,
	request: AccessRequest,
	{ at, amount, dimensions }: AdditionalUsage = { at: work.now, amount: zero },
): FeatureFinding {
	const { feature, isMetered, takesReports, sources } = resolved;
	const { customerId, resourceRef, changesAt } = holder;
	const { unitTransformation } = feature;
	const of = { featureId: feature.id, customerId, resourceId: resourceRef };
	const held = takesReports ? reservedUsage(work, of) : nothingReserved;
	const more = plus(held.amount, amount);
	const candidates = sources.map((source): FeatureCandidate => {
		const period = usagePeriodAt(source, at);
		if (!isMetered) return { source, period, counted: zero, usage: zero };
		const counted = (takesReports ? reportedUsage : currentUsage)(work, { ...of, period });
		const isOverBudget = source.budgeted !== undefined && isBudgetSpent(work, source.budgeted, feature.id);
		const usage = convertUnits(counted, unitTransformation);
		// Rounds the total up to whole units, instead of rounding each amount.
		const usageAndReserved = more === zero ? usage : convertUnits(plus(counted, more), unitTransformation);
		return { source, period, counted, usage, usageAndReserved, isOverBudget };
	});
	const decided = decide({ featureType: feature.featureType, isMetered }, candidates, request);
	const use = { feature, ...holder, at, requested: decided.requested ?? zero, amount: more, dimensions };
	const cost = useCost(work, use);
	const affordable = cost?.decision.isGranted === false ? withoutCredits(decided) : decided;
	const budgets = hasAny(dimensions) ? findBudgets(work, { ...use, amount }, cost, held.amount) : undefined;
	const decision = budgets?.exceeded ? withoutBudget(affordable) : affordable;
	const validUntil = earliest([
		changesAt,
		held.until,
		cost?.credits.changesAt ?? null,
		budgets?.until ?? null,
		...candidates.map(({ period }) => period?.end ?? null),
	]);
	const found = { resolved, holder, request, decision, reserved: held.amount, useCost: cost, budgets, validUntil };
	return { kind: "FEATURE", ...found };
}

/** Decides about a use by the budgets of the feature, and of the currency that it costs. */
const findBudgets = (
	work: Work,
	use: RequestedUse,
	cost: UseCost | undefined,
	reserved: Decimal,
): BudgetDecision | undefined =>
	decideBudgets(work, use, [
		{
			...{ capability: "FEATURE", capabilityId: use.feature.id, units: use.feature.unitTransformation },
			amount: () => reportedAmount(use),
		},
		...(cost
			? [
					{
						...{ capability: "CURRENCY" as const, capabilityId: cost.rate.currencyId, units: null },
						// The cost includes what the customer has reserved, and budgets have their own reservations.
						amount: () => (reserved === zero ? cost.cost : creditsFor(work, use, cost.rate)),
					},
				]
			: []),
	]);

interface RequestedCredits {
	readonly requested?: Decimal | undefined;
	readonly dimensions?: Dimensions | undefined;
}

function findCredits(
	work: Work,
	credits: CustomerCredits,
	{ customerId, changesAt }: Holder,
	{ requested, dimensions }: RequestedCredits,
): Extract<Finding, { kind: "CREDITS" }> {
	const budgets = decideBudgets(work, { customerId, dimensions, at: work.now }, [
		{ capability: "CURRENCY", capabilityId: credits.currency.id, units: null, amount: () => requested ?? null },
	]);
	const affordable = decideCredits(credits, requested);
	const decision: CreditDecision =
		affordable.isGranted && budgets?.exceeded ? { isGranted: false, reason: "BudgetExceeded" } : affordable;
	const validUntil = earliest([changesAt, credits.changesAt, budgets?.until ?? null]);
	return { kind: "CREDITS", credits, requested: requested ?? zero, decision, budgets, validUntil };
}

/** Returns why a feature without any source is denied: the customer first, then the feature, then the subscription. */
export function refuseFeature(
	work: Work,
	featureRef: string,
	{ denied }: Resolved,
	{ customerId, resourceRef, changesAt }: Holder,
	request: AccessRequest,
): FeatureRefusal {
	const feature = findFeature(work, featureRef);
	const refused = (reason: AccessDeniedReason): FeatureRefusal => ({
		kind: "FEATURE_REFUSED",
		featureRef,
		feature,
		reason,
		validUntil: changesAt,
	});
	if (denied !== null && denied !== "NoActiveSubscription") return refused(denied);
	if (!feature) return refused("FeatureNotFound");
	if (denied !== null) return refused(wasRevoked(work, customerId, resourceRef, featureRef) ? "Revoked" : denied);
	const { reason } = decide({ featureType: feature.featureType, isMetered: isMetered(feature) }, [], request);
	return refused(reason ?? "NoFeatureEntitlementInSubscription");
}
