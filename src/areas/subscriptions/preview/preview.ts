import type { Instant } from "../../../kernel/clock";
import { toDecimal } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { CouponRow } from "../../coupons/table";
import { featuresByRefs } from "../../features/operations";
import { chargesOfVersions, getPublishedVersion } from "../../packages/operations";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { RunningTerm } from "../../pricing/rules.terms";
import { withEstimate } from "../billing/commitments/estimate";
import { cycleFrom, planOf } from "../billing/cycle";
import { estimatedItems } from "../billing/measures/estimated-usage";
import { usedPrices } from "../billing/measures/used-prices";
import { discountAndTax, onlyCoupon, payerOf } from "../billing/payer";
import { isOneOff, rateBill } from "../billing/rules.bill";
import { applyUpdate, behaviorOf } from "../lifecycle/apply-update";
import type { Provisioned } from "../lifecycle/provision";
import { update } from "../lifecycle/update";
import { changeable, provisionUpToDate } from "../operations";
import { billingPeriodContaining } from "../rules";
import { isBilledHere } from "../rules.due";
import { selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { currencyOfSale } from "../terms/buyer";
import { chargesOfPeriod, onDemandPrices } from "../terms/charge-items";
import { type PlacedPhase, placedPhases } from "../terms/phases";
import { prepareChange } from "../terms/prepare-change";
import { inPhase, type Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";
import { runningTermOf } from "../terms/term";
import { resolveUnitQuantity, type UpdateWithUnitQuantity } from "../terms/unit-quantity";
import type { SubscriptionPreview } from "./schema";

export interface Previewed {
	/** Invoices that would be issued at once; empty for a later start, a trial, or a free plan. */
	readonly immediate: readonly RatedInvoice[];
	/** Invoices of each whole period, with the estimated usage; empty if nothing recurs. */
	readonly recurring: readonly RatedInvoice[];
	readonly period: Period | null;
	/** The currency of the prices, even if nothing is to be paid. */
	readonly currency: string;
	/** Null: none, or several, which the lines name. */
	readonly coupon: CouponRow | null;
	/** When it takes effect. */
	readonly at: Instant;
	readonly isScheduled: boolean;
	readonly isDowngrade: boolean;
	/** The phases that a change of plan drops. Missing: the plan stays. */
	readonly dropped?: readonly PlacedPhase[];
	/** The term that a change of plan ends before its end. Missing: none. */
	readonly endedTerm?: RunningTerm | undefined;
}

/**
 * Previews the price of a provision: runs it in a savepoint and rolls it back. The codes of `provisionSubscription`.
 */
export function previewSubscription(work: Work, input: SubscriptionPreview): Previewed {
	return dryRun(work, () => {
		const { requested, used } = splitEstimates(work, input);
		const provisioned = provisionUpToDate(work, requested);
		const { startAt } = provisioned.subscription;
		return {
			immediate: provisioned.rated,
			...recurringOf(work, provisioned, used),
			...endedParts(work, provisioned.subscription),
			at: startAt,
			isScheduled: startAt > work.now,
			isDowngrade: provisioned.priceChange === "downgrade",
		};
	});
}

/** Returns the phases and the term of the replaced subscription that the new one does not continue. */
function endedParts(
	work: Work,
	{ replacesId, supersedesId, startAt }: SubscriptionRow,
): Pick<Previewed, "dropped" | "endedTerm"> {
	const id = supersedesId ?? replacesId;
	const [replaced] = id === null ? [] : selectByIds(work, [id]);
	if (!replaced) return {};
	const { running, scheduled } = placedPhases(replaced, planOf(work, replaced));
	const term = runningTermOf(replaced);
	return {
		dropped: [...(running ? [running] : []), ...scheduled].filter(({ place }) => place.endAt > startAt),
		...(term && term.endAt > startAt && { endedTerm: term }),
	};
}

type Estimates = NonNullable<SubscriptionPreview["billableFeatures"]>;

/** Splits billable features: those sold by the unit are bought as if listed in `charges`, others are used. */
function splitEstimates(work: Work, { billableFeatures = [], ...requested }: SubscriptionPreview) {
	if (billableFeatures.length === 0) return { requested, used: [] };
	const versions = [
		getPublishedVersion(work, "PLAN", requested.planId),
		...(requested.addons ?? []).map(({ id }) => getPublishedVersion(work, "ADDON", id)),
	];
	const charges = chargesOfVersions(
		work,
		versions.map(({ id }) => id),
	);
	const sold = new Set(
		[...charges.values()]
			.flat()
			.flatMap((charge) => (charge.billingModel === "PER_UNIT" ? (charge.featureId ?? []) : [])),
	);
	const features = featuresByRefs(
		work,
		billableFeatures.map(({ featureId }) => featureId),
	);
	const isSold = ({ featureId }: Estimates[number]) => sold.has(features.get(featureId)?.id ?? "");
	const purchased = billableFeatures.filter(isSold).map(({ featureId, quantity }) => ({
		id: featureId,
		quantity,
		type: "FEATURE" as const,
	}));
	return {
		requested: {
			...requested,
			...(purchased.length > 0 && { charges: [...(requested.charges ?? []), ...purchased] }),
		},
		used: billableFeatures.filter((one) => !isSold(one)),
	};
}

/**
 * Previews the price of an update. Recurring amounts are those at the time of the change. The codes of
 * `updateSubscription`.
 */
export function previewUpdate(work: Work, refId: string, asked: UpdateWithUnitQuantity): Previewed {
	return dryRun(work, () => {
		const row = changeable(work, refId);
		const input = resolveUnitQuantity(work, refId, asked);
		const recurring = dryRun(work, () => {
			const { subscription } = applyUpdate(work, row, prepareChange(work, row, input), { behavior: behaviorOf(row) });
			return recurringOf(work, { subscription, sale: saleOf(work, subscription) }, []);
		});
		const { rated, at, priceChange } = update(work, row, input);
		return {
			immediate: rated,
			...recurring,
			at,
			isScheduled: at > work.now,
			isDowngrade: priceChange === "downgrade",
		};
	});
}

/**
 * Previews a call that changes the state of a subscription, such as the end of its trial: runs it and rolls it back. The
 * codes of `call`.
 */
export const previewStateChange = (work: Work, refId: string, call: StateChange): Previewed =>
	dryRun(work, () => {
		const { subscription, rated, at = work.now } = call(work, changeable(work, refId));
		const recurring = recurringOf(work, { subscription, sale: saleOf(work, subscription) }, []);
		return { immediate: rated, ...recurring, at, isScheduled: at > work.now, isDowngrade: false };
	});

type StateChange = (
	work: Work,
	row: SubscriptionRow,
) => Pick<Provisioned, "subscription" | "rated"> & { readonly at?: Instant };

function recurringOf(
	work: Work,
	{ subscription, sale: sold }: Pick<Provisioned, "subscription" | "sale">,
	estimates: Estimates,
): Pick<Previewed, "recurring" | "period" | "currency" | "coupon"> {
	const payer = payerOf(work, subscription);
	const { paying } = payer;
	const coupon = onlyCoupon(payer);
	const { running, scheduled } = placedPhases(subscription, sold.plan);
	const sale = sold.phase ? sold : inPhase(sold, running ?? scheduled[0]);
	const currency = currencyOfSale(work, sale, paying);
	const usage = estimatedUsage(work, subscription, sale, estimates);
	if (sale.billingPeriod === null || !isBilledHere(subscription))
		return { recurring: [], period: null, currency, coupon };
	const from = chargedFrom(subscription, work.now);
	const { billingAnchorAt, timeZone } = subscription;
	const cycle =
		billingAnchorAt === null
			? cycleFrom(work, subscription, sale.plan, { from, interval: intervalOf(sale.billingPeriod) }, "NOW")
			: { anchorAt: billingAnchorAt, timeZone };
	const period = billingPeriodContaining(cycle, sale.billingPeriod, from);
	const items = chargesOfPeriod({ ...sale, minimumSpend: subscription.minimumSpend }, period);
	const section = {
		items: [...items.filter((item) => !isOneOff(item)), ...usage],
		...discountAndTax(payer, subscription.taxPercentage),
		beginsPeriod: true,
	};
	const recurring = rateBill({ sections: [withEstimate(work, subscription, sale, section, { period })] });
	return { recurring, period, currency, coupon };
}

/** Returns the start, the end of the trial, or now if the subscription is charged already. */
const chargedFrom = ({ startAt, trialEndAt }: SubscriptionRow, now: Instant): Instant => {
	const begins = trialEndAt ?? startAt;
	return begins > now ? begins : now;
};

/** Throws FeatureNotFound; PriceNotFound for a feature without a usage price. */
function estimatedUsage(work: Work, subscription: SubscriptionRow, sale: Sale, estimates: Estimates): ChargeItem[] {
	if (estimates.length === 0) return [];
	const features = featuresByRefs(
		work,
		estimates.map(({ featureId }) => featureId),
	);
	const priced = new Set(onDemandPrices(sale.prices).map(({ charge }) => charge.featureId));
	const used = usedPrices(work, subscription, sale);
	return estimates.flatMap(({ featureId, quantity }) => {
		const id = features.get(featureId)?.id ?? "";
		if (!priced.has(id))
			throw fail("PriceNotFound", `'${featureId}' is not priced by use here; take it out of 'billableFeatures'.`);
		return used
			.filter((one) => one.featureId === id)
			.flatMap((one) => estimatedItems(sale, one, toDecimal(quantity), work.now));
	});
}
