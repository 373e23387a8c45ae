import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { featuresByIds, findMeterOf } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import { onDemandPrices } from "./charge-items";
import type { EffectivePrice } from "./prices";
import type { Sale } from "./sale";

/**
 * Throws UnsupportedParameter if a usage price of the sale cannot count the usage of several customers as one: overage, a price in
 * credits, and every price that depends on more than the sum of the units. `where` names the field.
 */
export function assertPoolable(work: Work, sale: Sale, where: string): void {
	const prices = onDemandPrices(sale.prices);
	const features = featuresByIds(
		work,
		prices.flatMap(({ charge }) => charge.featureId ?? []),
	);
	for (const { charge } of prices) {
		const feature = features.get(charge.featureId ?? "");
		const why = feature && reasonAgainst(work, charge, feature);
		if (feature && why !== undefined)
			throw fail(
				"UnsupportedParameter",
				`${where}: the price of '${feature.refId}' ${why}, so the usage of children cannot count with it; leave it out.`,
			);
	}
}

function reasonAgainst(work: Work, charge: EffectivePrice["charge"], feature: FeatureRow): string | undefined {
	const { usageMeasure, transactionPrice, segments, commitment, eventInvoicing } = charge.priceTerms ?? {};
	if (charge.isOverage) return "is overage beyond a limit";
	if (currencyOfCharge(charge) === undefined) return "is in credits";
	if (usageMeasure !== undefined) return "charges levels";
	if (transactionPrice !== undefined) return "charges transactions";
	if (segments !== undefined) return "has variants or groups";
	if (commitment !== undefined) return "has a commitment";
	if (eventInvoicing !== undefined) return "charges at each event";
	if (feature.billedUsage !== null) return "charges a level";
	const meter = findMeterOf(work, feature.refId);
	if (meter) return isSum(meter.aggregation.function) ? undefined : "is of a meter that neither sums nor counts";
	return feature.meterType === "FLUCTUATING" ? "charges a level" : undefined;
}

const isSum = (name: string): boolean => name === "SUM" || name === "COUNT";
