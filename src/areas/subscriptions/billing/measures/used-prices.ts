import type { Instant } from "../../../../kernel/clock";
import type { Work } from "../../../../kernel/work";
import { getOwnEnvironment } from "../../../access/operations";
import { byGenerosity } from "../../../entitlement-sources/rules.precedence";
import { type FeatureTerms, type Source, sourcesOf } from "../../../entitlement-sources/rules.sources";
import { featuresByIds } from "../../../features/operations";
import type { FeatureRow } from "../../../features/table";
import { entitlementsOfVersions, inheritedEntitlementsOf } from "../../../packages/operations";
import type { FreeGrant } from "../../../pricing/free-units";
import type { Proration } from "../../../pricing/proration";
import { intervalOf } from "../../../pricing/rules.billing-period";
import type { SubscriptionRow } from "../../table";
import { onDemandPrices } from "../../terms/charge-items";
import type { EffectivePrice } from "../../terms/prices";
import type { Sale } from "../../terms/sale";
import { selectEntitlements } from "../../terms/store";
import { freeUnitsOf, type PartOfWindow } from "./free-units";
import { chargeKeyOf, countedBy, type Metered, meteredBy, type UsageKey, windowedBy } from "./measure";

/** A usage price and the source of its usage. */
export interface UsedPrice extends UsageKey {
	readonly price: EffectivePrice;
	readonly feature: FeatureRow;
	/** The limit of the feature; overage lies beyond it. */
	readonly source: Source | undefined;
	readonly of: Metered;
	/** How a part of a window shares its minimum. */
	readonly proration: Proration;
	/** Returns the units of a window that coupons make free. */
	readonly freeUnitsOf: (window: PartOfWindow) => readonly FreeGrant[];
	/** From when billing periods count; null in a trial. */
	readonly anchorAt: Instant | null;
}

/** Returns the usage prices of a subscription. Overage without a limit is left out. */
export function usedPrices(work: Work, subscription: SubscriptionRow, sale: Sale): UsedPrice[] {
	const prices = onDemandPrices(sale.prices);
	if (prices.length === 0) return [];
	const features = featuresByIds(
		work,
		prices.flatMap(({ charge }) => charge.featureId ?? []),
	);
	const limits = limitsOf(work, subscription, sale);
	const of = meteredBy(work, subscription);
	const freeUnits = freeUnitsOf(work, subscription);
	const modeOf = () => subscription.prorationMode ?? sale.plan.prorationMode ?? getOwnEnvironment(work).prorationMode;
	return prices.flatMap((price): UsedPrice[] => {
		const featureId = price.charge.featureId ?? "";
		const feature = features.get(featureId);
		const kind = price.charge.isOverage ? "overage" : "usage";
		const source = kind === "overage" ? limits(featureId) : undefined;
		if (!feature || (kind === "overage" && (!source || source.usageLimit === null))) return [];
		const { unitTransformation } = feature;
		const terms = { charge: price.charge, unitTransformation };
		const key = { kind, featureId, ...countedBy(terms), ...windowedBy(kind, terms) } as const;
		const { timeZone, billingAnchorAt: anchorAt } = subscription;
		const { unit } = intervalOf(price.charge.billingPeriod);
		const proration = { mode: modeOf(), unit, ...(timeZone !== null && { timeZone }) };
		return [
			{
				...key,
				price,
				feature,
				source,
				of: of(key),
				proration,
				anchorAt,
				freeUnitsOf: freeUnits(feature, price.charge, chargeKeyOf(key)),
			},
		];
	});
}

/** Returns the limit of a feature in this subscription: the most generous of its packages and its own entitlements. */
function limitsOf(
	work: Work,
	subscription: SubscriptionRow,
	{ plan, addons, purchased, prices }: Sale,
): (featureId: string) => Source | undefined {
	if (!prices.some(({ charge }) => charge.isOverage)) return () => undefined;
	const granted = entitlementsOfVersions(work, [plan.id, ...addons.map(({ version }) => version.id)]);
	const ofPlan = [...(granted.get(plan.id) ?? []), ...inheritedEntitlementsOf(work, plan)];
	const own = selectEntitlements(work, [subscription.id]);
	return (featureId) => {
		const about = <Row extends { featureId: string | null }>(rows: readonly Row[]) =>
			rows.filter((row) => row.featureId === featureId);
		const sources = sourcesOf<FeatureTerms>({
			plan: about(ofPlan),
			addons: addons.flatMap(({ version, quantity }) =>
				about(granted.get(version.id) ?? []).map((terms) => ({ terms, behavior: terms.behavior, quantity })),
			),
			purchased: about(purchased)[0]?.quantity ?? null,
			own: about(own).map((row) => ({ ...row, isGranted: true, enumValues: null }))[0] ?? null,
			usageAnchorAt: subscription.usageAnchorAt,
			updatedAt: subscription.startAt,
		});
		return sources.sort(byGenerosity)[0];
	};
}
