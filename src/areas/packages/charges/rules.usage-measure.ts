import { fail } from "../../../kernel/errors";
import { refuse } from "../rules.field-paths";
import type { PricingModel } from "./schema";

/** Whether a price charges levels over time or the highest one. */
export const measuresLevel = ({ usageMeasure = "AS_METERED" }: Pick<PricingModel, "usageMeasure">): boolean =>
	usageMeasure !== "AS_METERED";

/** Whether each day counts its highest level. */
export const countsDays = ({ usageMeasure, prorationMode }: PricingModel): boolean =>
	usageMeasure === "TIME_WEIGHTED" && prorationMode === "BY_DAY";

/**
 * Throws UnsupportedFeatureType for a measure of levels where no usage of a feature is priced, and BadUserInput for terms that it
 * excludes.
 */
export function assertUsageMeasure(where: string, model: PricingModel): void {
	const { usageMeasure, billingModel, topUpCustomCurrencyId } = model;
	if (!measuresLevel(model)) return;
	if (billingModel !== "USAGE_BASED" || topUpCustomCurrencyId !== undefined)
		throw fail(
			"UnsupportedFeatureType",
			`${where}: 'usageMeasure' ${usageMeasure} is for the usage of a FLUCTUATING feature; use it with USAGE_BASED, and not with top-ups.`,
		);
	if (usageMeasure === "TIME_WEIGHTED" && model.chargesFlatPriceUnused)
		throw refuse(
			where,
			"'chargesFlatPriceUnused' is for a price of all usage, and TIME_WEIGHTED prices each level; leave it out.",
		);
}
