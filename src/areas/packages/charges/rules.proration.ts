import { fail } from "../../../kernel/errors";
import { modelPath, refuse } from "../rules.field-paths";
import { countsDays } from "./rules.usage-measure";
import type { PackageCharges, PricingModel } from "./schema";

/** Throws if a pricing states how parts of a period are charged and credited where nothing is charged by the period. */
export function assertProration({ pricingType, prorationMode, pricingModels = [] }: PackageCharges): void {
	if (prorationMode !== undefined && pricingType === "FREE")
		throw refuse("charges", "a FREE package charges nothing; leave 'prorationMode' out.");
	if (pricingType === "CUSTOM" && (prorationMode !== undefined || pricingModels.some(statesProration)))
		throw fail(
			"UnsupportedParameter",
			"charges: a contract bills a CUSTOM package and has its own proration; leave 'prorationMode' and 'refundsUnusedTime' out.",
		);
	pricingModels.forEach((model, at) => {
		if (!statesProration(model) || isChargedByPeriod(model)) return;
		if (countsDays(model) && model.refundsUnusedTime === undefined) return;
		if (model.usageMeasure === "TIME_WEIGHTED" && model.refundsUnusedTime === undefined)
			throw fail(
				"UnsupportedParameter",
				`${modelPath("pricingModels", at)}: levels count by time or BY_DAY, not ${model.prorationMode}; leave 'prorationMode' out.`,
			);
		const charged = model.billingCadence === "ONE_OFF" ? "ONE_OFF charges are" : `${model.billingModel} is`;
		throw fail(
			"UnsupportedParameter",
			`${modelPath("pricingModels", at)}: ${charged} never prorated; leave 'prorationMode' and 'refundsUnusedTime' out.`,
		);
	});
}

const statesProration = ({ prorationMode, refundsUnusedTime }: PricingModel): boolean =>
	prorationMode !== undefined || refundsUnusedTime !== undefined;

const isChargedByPeriod = ({ billingModel, billingCadence }: PricingModel): boolean =>
	billingCadence !== "ONE_OFF" && billingModel !== "USAGE_BASED" && billingModel !== "CREDIT_BASED";
