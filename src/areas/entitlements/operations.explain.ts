import { toIso } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, toWire, toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { isLimitless, precedenceOf } from "../entitlement-sources/rules.precedence";
import type { EffectiveEntitlement } from "../entitlement-sources/schema";
import type {
	EntitlementExplanation,
	EntitlementPart,
	EntitlementSource,
} from "../entitlement-sources/schema.explanation";
import { explainedBudgets } from "../governance/shown/operations.explain";
import { recentlyCounted } from "../usage/operations";
import { balanceOf } from "./credits";
import { creditFacts } from "./explained-credits";
import { type NamePackage, packageNames, subscriptionOf } from "./explained-packages";
import { explanationText } from "./explanation-text";
import { type FeatureCandidate, type Finding, findEntitlement, findEntitlements, viewFinding } from "./operations";
import { type EntitlementTerms, resolveEntitlements, type SourceOrigin } from "./operations.resolve";
import type { UseCost } from "./operations.use-cost";
import { outcomeOf } from "./rules";
import type { EntitlementQuestion, EntitlementsAnswer } from "./schema";

/** Enough events to see what is counted. */
const eventsShownMax = 10;

/** A finding of one kind. */
export type Found<Kind extends Finding["kind"]> = Extract<Finding, { kind: Kind }>;

/** As `checkEntitlement`, with an explanation from the same decision. */
export function explainEntitlement(work: Work, customerRef: string, query: EntitlementQuestion): EffectiveEntitlement {
	// Cached entitlements have no origin.
	const finding = findEntitlement(work, customerRef, query, resolveEntitlements);
	return query.dimensions
		? { chains: [], ...explained(work, customerRef, finding) }
		: explained(work, customerRef, finding);
}

/** As `listEntitlements`, with an explanation of each. */
export function explainEntitlements(work: Work, customerRef: string, resourceRef: string | null): EntitlementsAnswer {
	const { denied, found } = findEntitlements(work, customerRef, resourceRef, resolveEntitlements);
	return {
		accessDeniedReason: denied,
		entitlements: found.map((finding) => explained(work, customerRef, finding)),
	};
}

function explained(work: Work, customerRef: string, finding: Finding): EffectiveEntitlement {
	const facts = factsOf(work, finding);
	return {
		...viewFinding(work, finding),
		explanation: { text: explanationText(customerRef, namesOf(finding), facts), ...facts },
	};
}

function factsOf(work: Work, finding: Finding): Omit<EntitlementExplanation, "text"> {
	switch (finding.kind) {
		case "FEATURE":
			return featureFacts(work, finding);
		case "CREDITS":
			return creditFacts(work, finding);
		default:
			return {
				decision: {
					isGranted: false,
					accessDeniedReason: finding.reason,
					decidedBy: finding.reason === "NoFeatureEntitlementInSubscription" ? "NOTHING_GRANTS" : "UNKNOWN_OR_NOT_SOLD",
					requestedUsage: null,
					requestedValues: [],
					decidedAt: toIso(work.now),
				},
				sources: [],
				window: null,
				usage: null,
			};
	}
}

const namesOf = (finding: Finding) => {
	switch (finding.kind) {
		case "FEATURE": {
			const { refId, displayName, featureUnitsPlural, unitTransformation } = finding.resolved.feature;
			return { id: refId, displayName, units: unitTransformation?.featureUnitsPlural ?? featureUnitsPlural };
		}
		case "FEATURE_REFUSED":
			return { id: finding.featureRef, displayName: finding.feature?.displayName ?? finding.featureRef, units: null };
		case "CREDITS":
			return {
				id: finding.credits.currency.refId,
				displayName: finding.credits.currency.displayName,
				units: finding.credits.currency.unitPlural ?? "credits",
			};
		case "CREDITS_REFUSED":
			return {
				id: finding.currencyRef,
				displayName: finding.currency?.displayName ?? finding.currencyRef,
				units: null,
			};
	}
};

function featureFacts(work: Work, finding: Found<"FEATURE">): Omit<EntitlementExplanation, "text"> {
	const { decision, request } = finding;
	const { shown, ordered, isGranted, reason, decidedBy, requested } = decision;
	const name = packageNames(
		work,
		ordered.flatMap(({ source: { origin } }) =>
			origin?.kind === "SUBSCRIPTION" ? origin.parts.flatMap(({ terms }) => terms.versionId ?? []) : [],
		),
	);
	const { isMetered } = finding.resolved;
	return {
		decision: {
			isGranted,
			accessDeniedReason: reason,
			decidedBy,
			requestedUsage: toWireOrNull(requested),
			requestedValues: [...(request.requestedValues ?? [])],
			decidedAt: toIso(work.now),
		},
		sources: ordered.flatMap((candidate, at) => {
			const { origin } = candidate.source;
			if (!origin) return [];
			const before = ordered[at - 1];
			return {
				...originOf(origin, name),
				isShown: candidate === shown,
				outcome: outcomeOf(decision, candidate),
				precededBy: before ? precedenceOf(before.source, candidate.source) : null,
				...valuesOf(candidate, isMetered),
			};
		}),
		window:
			shown?.period && shown.source.resetPeriod
				? {
						resetPeriod: shown.source.resetPeriod,
						anchor: toIso(shown.period.anchor),
						start: toIso(shown.period.start),
						resetsAt: toIso(shown.period.end),
					}
				: null,
		usage: shown && isMetered ? usageFacts(work, finding, shown) : null,
		...(finding.useCost && { useCost: useCostFacts(finding.useCost) }),
		...(finding.budgets && { budgets: explainedBudgets(work, finding.budgets) }),
	};
}

const useCostFacts = ({ credits, cost }: UseCost): NonNullable<EntitlementExplanation["useCost"]> => ({
	currencyId: credits.currency.refId,
	cost: toWireOrNull(cost),
	balance: toWire(balanceOf(credits)),
	hasSoftLimit: credits.isSoft,
});

const valuesOf = ({ source, usage }: FeatureCandidate, isMetered: boolean) => ({
	usageLimit: toWireOrNull(source.usageLimit),
	hasUnlimitedUsage: source.isUnlimited,
	hasSoftLimit: source.isSoft,
	enumValues: [...source.enumValues],
	resetPeriod: source.resetPeriod,
	currentUsage: isMetered ? toWire(usage) : null,
});

function usageFacts(
	work: Work,
	{ resolved: { feature }, holder, decision, reserved }: Found<"FEATURE">,
	{ source, period, counted, usage, usageAndReserved = usage }: FeatureCandidate,
): EntitlementExplanation["usage"] {
	const of = { featureId: feature.id, customerId: holder.customerId, resourceId: holder.resourceRef };
	const limit = isLimitless(source) ? null : source.usageLimit;
	const { unitTransformation: units } = feature;
	return {
		counted: toWire(counted),
		unitTransformation: units && {
			divide: toWire(units.divide),
			round: units.round,
			units: units.featureUnitsPlural,
		},
		currentUsage: toWire(usage),
		requested: toWire(decision.requested ?? ("0" as Decimal)),
		limit: toWireOrNull(limit),
		reserved: toWire(reserved),
		remaining: limit === null ? null : toWire(toDecimal(exact(limit).minus(exact(usageAndReserved)))),
		lastEvents: recentlyCounted(work, { ...of, period }, eventsShownMax).map(
			({ at, eventName, idempotencyKey, value = null }) => ({
				timestamp: toIso(at),
				eventName,
				idempotencyKey,
				value,
			}),
		),
	};
}

function originOf(
	origin: SourceOrigin,
	name: NamePackage,
): Pick<EntitlementSource, "kind" | "id" | "startDate" | "endDate" | "parts"> {
	if (origin.kind === "PROMOTIONAL") {
		const { id, startAt, endAt } = origin.grant;
		return {
			kind: "PROMOTIONAL",
			id,
			startDate: toIso(startAt),
			endDate: endAt === null ? null : toIso(endAt),
			parts: [],
		};
	}
	const { subscription, parts, purchased } = origin;
	const shownParts = parts.map(({ terms, quantity, effect }): EntitlementPart => {
		const by =
			terms.versionId === undefined
				? ({ kind: "SUBSCRIPTION", id: subscription.refId, version: null } as const)
				: name(terms.versionId, subscription);
		return { ...by, quantity, effect, ...termsOf(terms) };
	});
	if (purchased !== null)
		shownParts.push({
			kind: "UNITS_BOUGHT",
			id: subscription.refId,
			version: null,
			quantity: 1,
			effect: "ADDS",
			usageLimit: toWire(purchased),
			hasUnlimitedUsage: false,
			hasSoftLimit: false,
			enumValues: [],
			resetPeriod: null,
		});
	return { ...subscriptionOf(subscription), parts: shownParts };
}

const termsOf = ({ usageLimit, hasUnlimitedUsage, hasSoftLimit, enumValues, resetPeriod }: EntitlementTerms) => ({
	usageLimit: toWireOrNull(usageLimit),
	hasUnlimitedUsage: hasUnlimitedUsage ?? false,
	hasSoftLimit: hasSoftLimit ?? false,
	enumValues: [...(enumValues ?? [])],
	resetPeriod,
});
