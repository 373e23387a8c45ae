import type { Static } from "@sinclair/typebox";
import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import { viewFreeUnits } from "../coupons/rules";
import { viewLatestInvoice } from "../invoices/schema.latest-invoice";
import { viewPriceTerms } from "../packages/charges/rules.price-terms";
import { viewPhases } from "../packages/rules.phases";
import { currenciesOf, type OfferedCharge } from "../pricing/choice/price";
import { viewCommitments } from "../pricing/commitments/rules.spend-commitment";
import { type BillingPeriod, viewBillingPeriod } from "../pricing/rules.billing-period";
import { phaseName } from "../pricing/rules.phases";
import { noticeDeadline } from "../pricing/rules.renewal";
import { viewThresholds } from "../pricing/rules.spend-thresholds";
import { type RunningTerm, viewTerm } from "../pricing/rules.terms";
import type { ChargedUsage } from "./billing/usage-charge";
import type { SubscriptionDetails } from "./details";
import { billingPeriodAt, shownZone } from "./rules";
import type { Pause } from "./rules.due";
import { cancelReasonAt, hasEnded, statusAt } from "./rules.status";
import type { PhaseShown, Subscription, SubscriptionPrice, UpdateStatus, UpdateType, UsageCharged } from "./schema";
import { viewProblem } from "./schema.problem";
import type { RunningTermShown } from "./schema.term";
import type { PlacedPhase } from "./terms/phases";
import type { EffectivePrice, Names } from "./terms/prices";
import { includesChildUsage } from "./terms/rules.child-usage";
import { runningTermOf } from "./terms/term";

/** Shows a subscription at `now`: with an agreed end that has passed, and the current billing period. */
export function viewSubscription(details: SubscriptionDetails, now: Instant): Subscription {
	const { row, entitlements } = details;
	const timeZone = shownZone(row);
	const status = statusAt(row, now);
	const period = status === "ACTIVE" ? billingPeriodAt(row, now) : null;
	return {
		id: row.refId,
		billingId: row.billingId,
		customerId: details.customerRef,
		payingCustomerId: details.payingCustomerRef,
		resourceId: details.resourceRef,
		planId: details.planRef,
		contractId: row.contractRefId,
		status,
		cancelReason: cancelReasonAt(row, now),
		pricingType: row.pricingType,
		paymentCollection: row.paymentCollection,
		paymentCollectionMethod: row.paymentCollectionMethod,
		startDate: toIso(row.startAt),
		endDate: toIsoOrNull(row.endAt),
		effectiveEndDate: toIsoOrNull(row.endedAt ?? row.effectiveEndAt),
		cancellationDate: toIsoOrNull(row.cancelAt),
		trialEndDate: toIsoOrNull(row.trialEndAt),
		trial: row.trialEndBehavior && { trialEndBehavior: row.trialEndBehavior },
		billingCycleAnchor: toIsoOrNull(row.billingAnchorAt),
		currentBillingPeriodStart: toIsoOrNull(period?.start ?? null),
		currentBillingPeriodEnd: toIsoOrNull(period?.end ?? null),
		...addedPeriod(row.billingPeriod),
		...(row.billingCurrency && { billingCurrency: currencyShown(row.billingCurrency, details.prices) }),
		...(row.prorationMode && { prorationMode: row.prorationMode }),
		...(row.billingAnchor && { billingAnchor: row.billingAnchor }),
		...(includesChildUsage(row) && { includesChildUsage: true }),
		...(timeZone !== null && { timeZone }),
		...(row.phases && { phases: viewPhases(row.phases) }),
		...(!hasEnded(status) && viewPlacedPhases(details.phases)),
		...(row.term && { term: viewTerm(row.term) }),
		...(!hasEnded(status) && viewRunningTerm(runningTermOf(row))),
		...(row.commitments && { commitments: viewCommitments(row.commitments) }),
		...(row.spendThresholds && { spendThresholds: viewThresholds(row.spendThresholds) }),
		...(row.pause && !hasEnded(status) && { pause: viewPause(row.pause) }),
		addons: details.addons.map(({ refId, quantity }) => ({ id: refId, quantity })),
		coupons: details.coupons.map(({ applied, coupon }) => ({
			id: coupon.refId,
			name: coupon.name,
			status:
				applied.status === "ACTIVE" && applied.endAt !== null && applied.endAt <= now ? "EXPIRED" : applied.status,
			percentOff: toWireOrNull(coupon.percentOff),
			amountsOff: coupon.amountsOff?.map(viewAmount) ?? null,
			...(coupon.freeUnits && { freeUnits: viewFreeUnits(coupon.freeUnits) }),
		})),
		prices: details.prices.filter(({ charge }) => costsMoney(charge)).map((price) => viewPrice(price, details.names)),
		minimumSpend: row.minimumSpend && viewAmount(row.minimumSpend),
		...(row.taxes && { taxes: row.taxes }),
		budget: row.budget && { limit: toWire(row.budget.limit), hasSoftLimit: row.budget.hasSoftLimit },
		latestInvoice: details.latestInvoice ? viewLatestInvoice(details.latestInvoice, details.amountDue) : null,
		futureUpdates: futureUpdatesOf(details).map(viewFutureUpdate),
		metadata: row.metadata,
		...(entitlements && { subscriptionEntitlements: [...entitlements] }),
		createdAt: toIso(row.createdAt),
		...(row.problem && { problem: viewProblem(row.problem) }),
	};
}

export const viewPause = ({ at, resumeAt, prorates, anchor }: Pause) => ({
	date: toIso(at),
	resumeAt: toIsoOrNull(resumeAt),
	prorate: prorates,
	billingCycleAnchor: anchor,
});

const viewPlacedPhases = ({ running, scheduled }: SubscriptionDetails["phases"]) => ({
	...(running && { phase: viewPhase(running) }),
	...(scheduled.length > 0 && { scheduledPhases: scheduled.map(viewPhase) }),
});

export const viewPhase = (phase: PlacedPhase): PhaseShown => ({
	id: phase.id,
	displayName: phaseName(phase),
	...(phase.percentOff !== undefined && { percentOff: toWire(phase.percentOff) }),
	startDate: toIso(phase.place.startAt),
	endDate: toIso(phase.place.endAt),
});

const viewRunningTerm = (term: RunningTerm | null) => (term ? { currentTerm: viewOneTerm(term) } : {});

/** Shows the term that runs. */
export function viewOneTerm({ number, startAt, endAt, agreed, owedUntil }: RunningTerm): RunningTermShown {
	const { renewal, earlyCancellation } = agreed;
	return {
		number,
		startDate: toIso(startAt),
		endDate: toIso(endAt),
		noticeDate: renewal && toIso(noticeDeadline(renewal, endAt)),
		renewal: renewal && { months: renewal.months, upliftPercentage: toWire(renewal.upliftPercentage) },
		earlyCancellation,
		owedUntil: toIsoOrNull(owedUntil ?? null),
	};
}

/** Price overrides may be in another currency than the chosen prices. */
const currencyShown = (chosen: string, prices: readonly EffectivePrice[]): string =>
	currenciesOf(prices.map(({ charge }) => charge))[0] ?? chosen;

/** The interface shows no billing period, so the two that it knows stay out. */
function addedPeriod(period: BillingPeriod | null) {
	const shown = period && viewBillingPeriod(period);
	return shown?.billingInterval ? shown : {};
}

/** A future update, and the version and id of the plan that it changes to, if any. */
export interface FutureUpdate {
	readonly type: UpdateType;
	readonly status: UpdateStatus;
	readonly executeAt: Instant;
	readonly target: { readonly versionId: string; readonly refId: string } | null;
}

/**
 * A plan that is scheduled to replace the subscription is shown as a future update too, although it is a subscription
 * of its own.
 */
export const futureUpdatesOf = ({ row, updates, successor, planRef }: SubscriptionDetails): FutureUpdate[] => [
	...(successor
		? [
				{
					type: successor.row.supersedesAs ?? ("PLAN" as const),
					status: "SCHEDULED" as const,
					executeAt: successor.row.startAt,
					target: { versionId: successor.row.versionId, refId: successor.planRef },
				},
			]
		: []),
	...updates.map(({ type, status, executeAt }) => ({
		type,
		status,
		executeAt: laterOf(executeAt, (row.status === "PAUSED" && row.pause?.resumeAt) || executeAt),
		target: type === "MIGRATE_TO_LATEST" ? { versionId: row.versionId, refId: planRef } : null,
	})),
];

/** An update that is due during a pause takes effect at the resumption. */
const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

const viewFutureUpdate = ({
	type,
	status,
	executeAt,
	target,
}: FutureUpdate): Subscription["futureUpdates"][number] => ({
	subscriptionScheduleType: type,
	scheduleStatus: status,
	scheduledExecutionTime: toIso(executeAt),
	targetPackage: target && { id: target.refId },
});

const viewAmount = ({ amount, currency }: Money) => ({ amount: toWire(amount), currency });

/** The `prices` of the wire contain neither prices in credits nor minimum spends. */
const costsMoney = ({ billingModel, price, tiers, priceTerms }: OfferedCharge): boolean =>
	billingModel !== "MINIMUM_SPEND" && (price !== null || tiers !== null || priceTerms?.transactionPrice !== undefined);

function viewPrice({ charge, package: sold }: EffectivePrice, { featureRef }: Names): SubscriptionPrice {
	const { price, tiers, blockSize, featureId, billingCountryCode, key, priceTerms = null } = charge;
	return {
		addonId: sold.isAddon ? sold.refId : null,
		featureId: featureId === null ? null : featureRef(featureId),
		baseCharge: charge.billingModel === "FLAT_FEE" && !sold.isAddon,
		...(price && { amount: toWire(price.amount), currency: price.currency }),
		...(billingCountryCode !== null && { billingCountryCode }),
		...(blockSize !== null && { blockSize: toWire(blockSize) }),
		...(tiers && {
			tiers: tiers.map(({ upTo, unitPrice, flatPrice }) => ({
				...(flatPrice && { flatPrice: viewAmount(flatPrice) }),
				...(unitPrice && { unitPrice: viewAmount(unitPrice) }),
				...(upTo !== null && { upTo: toWire(upTo) }),
			})),
		}),
		...(key != null && { key }),
		...viewPriceTerms(priceTerms),
	};
}

export const viewCharge = (refId: string, { period, invoice, usage }: ChargedUsage): Static<typeof UsageCharged> => ({
	subscriptionId: refId,
	periodStart: toIso(period.start),
	periodEnd: toIso(period.end),
	invoiceBillingId: invoice?.id ?? null,
	usageCharged: [...usage].map(([featureId, amount]) => ({ featureId, usageAmount: toWire(amount) })),
});
