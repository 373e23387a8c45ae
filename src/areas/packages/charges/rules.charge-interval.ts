import { fail } from "../../../kernel/errors";
import { lengthMax } from "../../pricing/requested-period";
import { type BillingPeriod, isPartOf, lengthOf, periodText } from "../../pricing/rules.billing-period";
import { modelPath, periodPath, refuse } from "../rules.field-paths";
import type { ChargeRow } from "../table";
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
			const place = `${where}.chargeInterval`;
			assertDivides(place, interval, period);
			const why = misfitOf(model, pricingType) ?? misfitOfLimit(isOverage(path), interval, period);
			if (why) throw fail("UnsupportedParameter", `${place}: ${why}`);
		});
}

/** Throws for an interval by which a subscription agreed to be charged, as `assertChargeIntervals`. `where` is its path. */
export function assertAgreedInterval(
	where: string,
	interval: BillingPeriod,
	charge: Pick<ChargeRow, "billingModel" | "billingPeriod" | "isOverage" | "topUpCurrencyId" | "overageCurrencyId">,
): void {
	const { billingModel, billingPeriod, isOverage, topUpCurrencyId, overageCurrencyId } = charge;
	assertDivides(where, interval, billingPeriod);
	const sellsTopUps = topUpCurrencyId !== null && { topUpCustomCurrencyId: topUpCurrencyId };
	const ofCredits = overageCurrencyId !== null && { currencyId: overageCurrencyId };
	const model = { billingModel, pricePeriods: [], ...sellsTopUps, ...ofCredits };
	const why = misfitOf(model, "PAID") ?? misfitOfLimit(isOverage, interval, billingPeriod);
	if (why) throw fail("UnsupportedParameter", `${where}: ${why}`);
}

const misfitOfLimit = (isOverage: boolean, interval: BillingPeriod, period: BillingPeriod): string | undefined =>
	isOverage && isPartOf(period, interval) ? ofLimit : undefined;

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

/**
 * Throws BadUserInput for two prices of one feature's usage that would share windows of different lengths: a MONTHLY row is billed
 * within a longer period too. With an interval of its own, a price counts by itself.
 */
export function assertOwnWindows({ pricingModels = [] }: PackageCharges): void {
	const used = pricingModels.flatMap((model, at) =>
		model.billingModel === "USAGE_BASED" && model.topUpCustomCurrencyId === undefined
			? [{ where: modelPath("pricingModels", at), featureId: model.featureId, ...windowsIn(model) }]
			: [],
	);
	for (const one of used) {
		if (!one.periods.has("MONTHLY")) continue;
		for (const { where, featureId, windows } of used) {
			const longer = [...windows].find((period) => isPartOf("MONTHLY", period) && !one.periods.has(period));
			if (featureId === one.featureId && longer)
				throw refuse(
					one.where,
					`within ${periodText(longer)}, its MONTHLY price would share the windows of ${where}; give it a ${periodText(longer)} price with 'chargeInterval' {"unit": "MONTH", "count": 1}.`,
				);
		}
	}
}

/** Returns the billing periods of a model, and those that are windows of its usage. */
function windowsIn({ pricePeriods }: PricingModel) {
	const rows = pricePeriods.map((row) => ({ row, period: periodIn("charges", row) }));
	return {
		periods: new Set(rows.map(({ period }) => period)),
		windows: new Set(rows.flatMap(({ row, period }) => (chargeIntervalIn("charges", row) ? [] : [period]))),
	};
}
