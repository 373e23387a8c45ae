import { fail } from "../../../kernel/errors";
import { lengthMax } from "../../pricing/requested-period";
import { type BillingPeriod, isPartOf, lengthOf, periodText } from "../../pricing/rules.billing-period";
import { modelPath, periodPath, refuse } from "../rules.field-paths";
import { chargeIntervalIn, periodIn } from "./rules.billing-periods";
import type { OveragePricingModel, PackageCharges, PricingModel } from "./schema";

type Model = PricingModel | OveragePricingModel;

/**
 * Throws for a charge interval that a row cannot have: BadUserInput unless it and the billing period divide each other, and
 * UnsupportedParameter where Tollgate does not bill by it. The interval of the billing period is the default.
 */
export function assertChargeIntervals(charges: PackageCharges): void {
	const { pricingType, pricingModels = [], overagePricingModels = [] } = charges;
	const models: readonly (readonly [string, Model])[] = [
		...pricingModels.map((model, at) => [modelPath("pricingModels", at), model] as const),
		...overagePricingModels.map((model, at) => [modelPath("overagePricingModels", at), model] as const),
	];
	for (const [path, model] of models)
		model.pricePeriods.forEach((row, at) => {
			const where = periodPath(path, at);
			const interval = chargeIntervalIn(where, row);
			if (interval === undefined) return;
			const period = periodIn(where, row);
			assertDivides(`${where}.chargeInterval`, interval, period);
			const why = misfitOf(model, pricingType) ?? (isOverage(path) && isPartOf(period, interval) ? ofLimit : undefined);
			if (why) throw fail("UnsupportedParameter", `${where}.chargeInterval: ${why}`);
		});
}

function assertDivides(where: string, interval: BillingPeriod, period: BillingPeriod): void {
	if (lengthOf(interval) > lengthMax) throw refuse(where, "is longer than ten years; choose a smaller 'count'.");
	if (!isPartOf(interval, period) && !isPartOf(period, interval))
		throw refuse(
			where,
			`${periodText(interval)} and the billing period ${periodText(period)} do not divide each other; choose whole months for both, or whole days, of which one is a multiple of the other.`,
		);
}

const isOverage = (path: string): boolean => path.includes("overagePricingModels");
const ofLimit =
	"overage is billed once in a billing period, or more often; choose a shorter interval, or leave it out.";

function misfitOf(model: Model, pricingType: PackageCharges["pricingType"]): string | undefined {
	if (pricingType === "CUSTOM") return "a contract bills a CUSTOM package and has its own billing cycle; leave it out.";
	if (model.billingModel !== "USAGE_BASED" || ("topUpCustomCurrencyId" in model && model.topUpCustomCurrencyId))
		return "only usage and overage are charged by an interval of their own; leave it out.";
	if ("currencyId" in model && model.currencyId !== undefined)
		return "overage of credits is charged as it happens; leave it out.";
	return undefined;
}
