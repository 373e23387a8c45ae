import { toIso, toIsoOrNull } from "../../kernel/clock";
import { minus, toWire, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { firstOpenGrants, newestConsumptions, overdraftOf } from "../credits/operations.wallets";
import type { CreditGrantRow } from "../credits/table";
import type { EntitlementExplanation, EntitlementSource } from "../entitlement-sources/schema.explanation";
import { featuresByIds } from "../features/operations";
import { explainedBudgets } from "../governance/shown/operations.explain";
import { subscriptionsOfCredits } from "../subscriptions/credits/operations";
import { balanceOf, type CreditDecision } from "./credits";
import { type NamePackage, packageNames, subscriptionOf } from "./explained-packages";
import type { Finding } from "./operations";
import type { CustomerCredits } from "./operations.credits";

/** Enough grants to see which is consumed next. `usage` includes all. */
const grantsShownMax = 10;

const consumptionsShownMax = 10;

const noValues = { usageLimit: null, hasUnlimitedUsage: false, enumValues: [], resetPeriod: null };

/** Explains a decision about credits: the revoking sources, the grants with remaining credits in the order of consumption, and the overdraft. */
export function creditFacts(
	work: Work,
	{ credits, requested, decision, budgets }: Extract<Finding, { kind: "CREDITS" }>,
): Omit<EntitlementExplanation, "text"> {
	const { limit, used, isRevoked } = credits;
	return {
		decision: {
			isGranted: decision.isGranted,
			accessDeniedReason: decision.reason,
			decidedBy: decidedBy(decision, isRevoked),
			requestedUsage: toWire(requested),
			requestedValues: [],
			decidedAt: toIso(work.now),
		},
		sources: [...revokingSources(work, credits), ...grantSources(work, credits, decision)],
		window: null,
		usage: {
			counted: toWire(used),
			unitTransformation: null,
			currentUsage: toWire(used),
			requested: toWire(requested),
			limit: toWire(limit),
			reserved: 0,
			remaining: toWire(balanceOf(credits)),
			lastEvents: [],
			lastConsumptions: credits.wallet ? consumptionsOf(work, credits.wallet.id) : [],
		},
		...(budgets && { budgets: explainedBudgets(work, budgets) }),
	};
}

function consumptionsOf(work: Work, walletId: string) {
	const entries = newestConsumptions(work, walletId, consumptionsShownMax);
	const features = featuresByIds(work, [...new Set(entries.flatMap(({ featureId }) => featureId ?? []))]);
	return entries.map(({ at, eventType, amount, featureId, eventId, events, grantId }) => ({
		timestamp: toIso(at),
		amount: toWire(eventType === "CREDITS_CONSUMED" ? amount : minus(zero, amount)),
		featureId: featureId === null ? null : (features.get(featureId)?.refId ?? null),
		eventId,
		events: events ?? 1,
		creditGrantId: grantId,
	}));
}

function decidedBy({ isGranted, reason }: CreditDecision, isRevoked: boolean) {
	if (isGranted) return "ENOUGH_CREDITS";
	if (isRevoked) return "REVOKED";
	return reason === "BudgetExceeded" ? "ENTITY_BUDGET_SPENT" : "TOO_FEW_CREDITS";
}

function revokingSources(work: Work, { terms }: CustomerCredits): EntitlementSource[] {
	const revoking = terms.filter(({ isGranted }) => !isGranted);
	const name: NamePackage = packageNames(
		work,
		revoking.flatMap(({ origin }) => origin?.versionId ?? []),
	);
	return revoking.flatMap(({ origin, hasSoftLimit }) => {
		if (!origin || origin.versionId === null) return [];
		const { subscription, versionId, quantity } = origin;
		const values = { ...noValues, hasSoftLimit };
		return {
			...subscriptionOf(subscription),
			...{ isShown: true, outcome: "REVOKES" as const, precededBy: null, ...values, currentUsage: null },
			parts: [{ ...name(versionId, subscription), quantity, effect: "REVOKES" as const, ...values }],
		};
	});
}

/** Each grant is a separate source, because credits of grants are added. */
function grantSources(
	work: Work,
	{ wallet, isSoft }: CustomerCredits,
	{ isGranted }: CreditDecision,
): EntitlementSource[] {
	if (!wallet) return [];
	const open = firstOpenGrants(work, wallet.id, grantsShownMax);
	const overdraft = wallet.overdraft === zero ? undefined : overdraftOf(work, wallet);
	const subscriptions = subscriptionsOfCredits(
		work,
		open.flatMap(({ sourceId }) => sourceId ?? []),
	);
	const source = (grant: CreditGrantRow): EntitlementSource => ({
		kind: "CREDIT_GRANT",
		id: grant.id,
		isShown: true,
		outcome: isGranted ? "GRANTS" : "LIMIT_REACHED",
		precededBy: null,
		...{ ...noValues, usageLimit: toWire(grant.amount), hasSoftLimit: isSoft },
		currentUsage: toWire(grant.consumed),
		startDate: toIso(grant.effectiveAt),
		endDate: toIsoOrNull(grant.expireAt),
		parts: [],
		creditGrant: {
			displayName: grant.displayName,
			grantType: grant.grantType,
			sourceType: grant.sourceType,
			subscriptionId: subscriptions.get(grant.sourceId ?? "")?.refId ?? null,
		},
	});
	return [...open, ...(overdraft ? [overdraft] : [])].map(source);
}
