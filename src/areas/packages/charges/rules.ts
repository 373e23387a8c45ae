import { fail } from "../../../kernel/errors";
import { isMetered } from "../../features/rules";
import { parseFormula } from "../../pricing/models/formula-parser";
import { viewBillingPeriod } from "../../pricing/rules.billing-period";
import type { EntitledFeature } from "../entitlements/rules";
import { resetOf } from "../rules";
import { minimumPath, modelPath, periodPath, pricingAt, refuse } from "../rules.field-paths";
import type { BillingModel, PackageKind } from "../schema";
import { assertPlanAnchor } from "./rules.billing-anchor";
import {
	assertBillingPeriods,
	assertMonthsForOverage,
	assertUsageNotBilledYearly,
	chargeIntervalIn,
	periodIn,
} from "./rules.billing-periods";
import { assertChargeIntervals, assertOwnWindows } from "./rules.charge-interval";
import { assertPlanCommitments } from "./rules.commitments";
import { assertPaymentTimes } from "./rules.payment-time";
import { assertPlanPhases, pricingsOf } from "./rules.phases";
import { assertCurrencies, assertEachOnce, assertKeys, assertPhaseCurrencies } from "./rules.price-list";
import { assertPriceTerms, assertTransactionPrice } from "./rules.price-terms";
import { assertProration } from "./rules.proration";
import { assertSegments, variantPath } from "./rules.segments";
import { assertPlanThresholds } from "./rules.spend-thresholds";
import { assertPlanTerm } from "./rules.term";
import { assertUsageMeasure } from "./rules.usage-measure";
import type { OveragePricingModel, PackageCharges, PricePeriod, PricingModel, TierInput, VariantInput } from "./schema";

/**
 * Our choice (docs/interface/catalogue.md#limits): a price above a trillion in major units is treated as a typing
 * error.
 */
const priceAmountMax = 1e12;

/**
 * The structure of each billing model. `priced` names the kind of price: a flat amount; an amount for each unit or block, or tiers;
 * or custom-currency credits for each unit. `counts` is true if the model counts units of a feature.
 */
const shapes: Readonly<
	Record<
		BillingModel,
		{ readonly priced: "flat" | "unit" | "credits"; readonly counts: boolean; readonly oneOff: boolean }
	>
> = {
	FLAT_FEE: { priced: "flat", counts: false, oneOff: true },
	MINIMUM_SPEND: { priced: "flat", counts: false, oneOff: false },
	PER_UNIT: { priced: "unit", counts: true, oneOff: true },
	USAGE_BASED: { priced: "unit", counts: true, oneOff: false },
	CREDIT_BASED: { priced: "credits", counts: true, oneOff: false },
};

/** Throws the first error of a pricing that can be found without a lookup, with its path. */
export function assertCharges(kind: PackageKind, charges: PackageCharges): void {
	const { pricingType, pricingModels = [], overagePricingModels = [], minimumSpend } = charges;
	if (kind === "ADDON" && overagePricingModels.length > 0)
		throw fail(
			"OveragePriceNotSupportedOnAddon",
			`${modelPath("overagePricingModels", 0)}: an addon has no overage prices; put them on the plan.`,
		);
	if (pricingType === "FREE" && pricingModels.length + overagePricingModels.length + (minimumSpend?.length ?? 0) > 0)
		throw refuse("charges", "a FREE package has no prices; leave them out, or set pricingType PAID or CUSTOM.");
	if (pricingType === "FREE" && charges.taxes?.length)
		throw refuse("charges", "a FREE package has no 'taxes', since nothing is charged; leave them out.");
	pricingModels.forEach((model, at) => {
		assertModel(modelPath("pricingModels", at), model);
	});
	overagePricingModels.forEach((model, at) => {
		assertOverageModel(modelPath("overagePricingModels", at), model);
	});
	minimumSpend?.forEach(({ minimum, ...period }, at) => {
		periodIn(minimumPath(at), period);
		assertAmount(`${minimumPath(at)}.minimum`, minimum);
	});
	assertMonthsForOverage(charges);
	assertEachOnce(charges);
	assertKeys(charges);
	assertCurrencies(charges);
	assertChargeIntervals(charges);
	assertUsageNotBilledYearly(charges);
	assertOwnWindows(charges);
	assertProration(charges);
	assertPaymentTimes(charges);
	assertPlanAnchor(kind, charges);
	assertPlanPhases(kind, charges);
	for (const { place, pricing } of pricingsOf(charges)) pricingAt(place, () => assertCharges(kind, pricing));
	assertPhaseCurrencies(charges);
	assertPlanThresholds(kind, charges);
	assertPlanTerm(kind, charges);
	assertPlanCommitments(kind, charges);
}

function assertModel(where: string, model: PricingModel): void {
	const { billingModel, featureId, topUpCustomCurrencyId, tiersMode, pricePeriods } = model;
	const { counts, oneOff } = shapes[billingModel];
	const sellsTopUps = topUpCustomCurrencyId !== undefined;
	if (counts && !sellsTopUps && featureId === undefined)
		throw refuse(where, `${billingModel} needs 'featureId', the feature whose units it prices.`);
	if (featureId !== undefined && (!counts || sellsTopUps))
		throw refuse(where, `${sellsTopUps ? "a top-up" : billingModel} counts no feature; leave 'featureId' out.`);
	if (model.billingCadence === "ONE_OFF" && !oneOff)
		throw refuse(where, `${billingModel} recurs; 'billingCadence' ONE_OFF is for FLAT_FEE and PER_UNIT.`);
	const { minUnitQuantity, maxUnitQuantity } = model;
	if (billingModel !== "PER_UNIT" && (minUnitQuantity !== undefined || maxUnitQuantity !== undefined))
		throw refuse(
			where,
			"'minUnitQuantity' and 'maxUnitQuantity' bound what is bought in advance: use them with PER_UNIT.",
		);
	if (minUnitQuantity !== undefined && maxUnitQuantity !== undefined && minUnitQuantity > maxUnitQuantity)
		throw refuse(where, `'minUnitQuantity' ${minUnitQuantity} is above 'maxUnitQuantity' ${maxUnitQuantity}.`);
	assertBillingPeriods(where, pricePeriods);
	assertCountedByBillingMonth(where, model);
	const hasTiers = ({ tiers, variants = [] }: PricePeriod) => tiers ?? variants.find((variant) => variant.tiers);
	if (tiersMode !== undefined && pricePeriods.some((period) => hasTiers(period) === undefined))
		throw refuse(where, "with 'tiersMode' every price period needs 'tiers'.");
	pricePeriods.forEach((period, at) => {
		assertPeriod(periodPath(where, at), model, period);
		assertPriceTerms(periodPath(where, at), billingModel === "USAGE_BASED" && !sellsTopUps, period, billingModel);
	});
	if (model.chargesFlatPriceUnused && tiersMode === undefined)
		throw refuse(
			where,
			"'chargesFlatPriceUnused' is for the flat price of the first tier, and this price has no tiers; leave it out.",
		);
	assertUsageMeasure(where, model);
	assertSameBounds(where, pricePeriods);
	assertDefaultPrice(where, pricePeriods);
}

/**
 * Our choice (docs/interface/catalogue.md#prices): throws for any other reset period, because usage is counted by
 * billing month. Overage has its own reset, in its `entitlement`.
 */
function assertCountedByBillingMonth(where: string, model: PricingModel): void {
	const { billingModel, resetPeriod } = model;
	if (resetPeriod === undefined) return;
	const { resetAnchor } = resetOf(model);
	const windowOf = (row: PricePeriod) => chargeIntervalIn(where, row) ?? periodIn(where, row);
	const isOtherPeriod = model.pricePeriods.some((row) => viewBillingPeriod(windowOf(row)).billingInterval);
	if (billingModel !== "USAGE_BASED" || resetPeriod !== "MONTH" || resetAnchor !== "SubscriptionStart" || isOtherPeriod)
		throw fail(
			"InvalidEntitlementResetPeriod",
			`${where}: usage that is priced is counted by the months of its subscription, and nothing else is; leave 'resetPeriod' out, or set it on the feature's entitlement.`,
		);
}

function assertPeriod(where: string, model: PricingModel, period: PricePeriod): void {
	const { billingModel, tiersMode, topUpCustomCurrencyId } = model;
	// Top-ups are paid with money under every billing model.
	const priced = topUpCustomCurrencyId === undefined ? shapes[billingModel].priced : "unit";
	const { price, tiers, blockSize, creditRate } = period;
	assertTransactionPrice(where, billingModel === "USAGE_BASED" && topUpCustomCurrencyId === undefined, period);
	if (period.transactionPrice && !creditRate) {
		assertSegments(where, true, model, period);
		return;
	}
	if (priced === "credits") {
		if (!creditRate) throw refuse(where, `${billingModel} needs 'creditRate'.`);
		if (price || tiers) throw refuse(where, `${billingModel} is paid in credits; leave 'price' and 'tiers' out.`);
		if (creditRate.costFormula !== undefined) parseFormula(creditRate.costFormula, `${where}.creditRate.costFormula`);
	} else {
		if (creditRate) throw refuse(where, `'creditRate' goes with CREDIT_BASED, not with ${billingModel}.`);
		if (priced === "flat" && !price) throw refuse(where, `${billingModel} needs 'price'.`);
		if (priced === "flat" && (tiers || blockSize !== undefined))
			throw refuse(where, `${billingModel} has one price; leave 'tiers' and 'blockSize' out.`);
		if ((price === undefined) === (tiers === undefined))
			throw refuse(where, `${billingModel} needs exactly one of 'price' and 'tiers'.`);
	}
	assertUnitPrice(where, tiersMode, period);
	assertSegments(where, billingModel === "USAGE_BASED" && topUpCustomCurrencyId === undefined, model, period);
	assertVariantPrices(where, tiersMode, period.variants ?? []);
}

/** Throws for a variant that has not exactly one price, and for a price that contradicts itself. */
export function assertVariantPrices(
	where: string,
	tiersMode: PricingModel["tiersMode"],
	variants: readonly VariantInput[],
): void {
	for (const [at, variant] of variants.entries()) {
		const place = variantPath(where, at);
		if ((variant.price === undefined) === (variant.tiers === undefined))
			throw refuse(place, "a variant needs exactly one of 'price' and 'tiers'.");
		assertUnitPrice(place, tiersMode, variant);
	}
}

/** Throws for an amount that is too large, and for tiers that contradict each other or the rest of the price. */
function assertUnitPrice(
	where: string,
	tiersMode: PricingModel["tiersMode"],
	{ price, tiers, blockSize }: Pick<PricePeriod, "price" | "tiers" | "blockSize">,
): void {
	if (price) assertAmount(`${where}.price`, price);
	if (!tiers) return;
	if (tiersMode === undefined)
		throw refuse(where, "'tiers' need 'tiersMode' VOLUME or GRADUATED on the pricing model.");
	if (blockSize) throw refuse(where, "'blockSize' goes with 'price', not with 'tiers'.");
	assertTiers(where, tiers);
}

/** Throws unless the bounds rise, only the last tier is open-ended, and each tier has a price. */
function assertTiers(where: string, tiers: readonly TierInput[]): void {
	let reached = 0;
	tiers.forEach(({ upTo, unitPrice, flatPrice }, at) => {
		const place = `${where}.tiers[${at}]`;
		const isLast = at === tiers.length - 1;
		if (isLast !== (upTo === undefined || upTo === null))
			throw refuse(
				place,
				isLast ? "the last tier is open-ended; leave 'upTo' out." : "only the last tier may leave 'upTo' out.",
			);
		if (upTo !== undefined && upTo !== null && upTo <= reached)
			throw refuse(place, `'upTo' ${upTo} must be above ${reached}, where the tier begins.`);
		reached = upTo ?? reached;
		if (!unitPrice && !flatPrice) throw refuse(place, "a tier needs 'unitPrice', 'flatPrice', or both.");
		if (unitPrice) assertAmount(`${place}.unitPrice`, unitPrice);
		if (flatPrice) assertAmount(`${place}.flatPrice`, flatPrice);
	});
}

function assertAmount(where: string, { amount }: { readonly amount: number }): void {
	if (amount > priceAmountMax)
		throw fail("AmountTooLarge", `${where}: ${amount} is above ${priceAmountMax}; amounts are in major units.`);
}

/**
 * Throws unless all billing periods have the same tier bounds, so that a quantity falls into the same tier
 * (docs/interface/catalogue.md, Prices).
 */
function assertSameBounds(where: string, periods: readonly PricePeriod[]): void {
	const bounds = periods.map(({ tiers }) => tiers?.map(({ upTo }) => upTo ?? null).join());
	const other = bounds.findIndex((list) => list !== bounds[0]);
	if (other !== -1)
		throw refuse(periodPath(where, other), "the bounds of its tiers must equal those of the other price periods.");
}

/** Throws if a price for one country has no default price for all other countries (docs/interface/catalogue.md, Prices). */
function assertDefaultPrice(where: string, periods: readonly PricePeriod[]): void {
	const named = periods.map((period, at) => periodIn(periodPath(where, at), period));
	const defaults = new Set(named.filter((_, at) => !periods[at]?.billingCountryCode));
	const alone = named.findIndex((period) => !defaults.has(period));
	if (alone !== -1)
		throw refuse(
			periodPath(where, alone),
			`the ${periods[alone]?.billingPeriod} price for '${periods[alone]?.billingCountryCode}' also needs a default price, without 'billingCountryCode'.`,
		);
}

function assertOverageModel(where: string, model: OveragePricingModel): void {
	const { billingModel, featureId, currencyId, entitlement, creditEntitlement, pricePeriods } = model;
	const feature = featureId ?? entitlement?.featureId;
	if ((feature === undefined) === (currencyId === undefined))
		throw refuse(
			where,
			"overage is of a feature or of a credit currency: send exactly one of 'featureId' and 'currencyId'.",
		);
	if (billingModel !== "USAGE_BASED")
		throw currencyId === undefined
			? refuse(where, `overage is priced as USAGE_BASED, not as ${billingModel}.`)
			: fail(
					"InvalidCreditOverageBillingModel",
					`${where}: credit overage is priced as USAGE_BASED, not as ${billingModel}.`,
				);
	if (model.billingCadence === "ONE_OFF") throw refuse(where, "overage recurs; leave 'billingCadence' out.");
	if (entitlement && entitlement.featureId !== feature)
		throw refuse(
			where,
			`'entitlement' is of '${entitlement.featureId}', the price of '${feature ?? currencyId}'; they must agree.`,
		);
	if (creditEntitlement && creditEntitlement.customCurrencyId !== currencyId)
		throw refuse(
			where,
			`'creditEntitlement' is of '${creditEntitlement.customCurrencyId}', the price of '${currencyId ?? feature}'; they must agree.`,
		);
	assertBillingPeriods(where, pricePeriods);
	pricePeriods.forEach((period, at) => {
		const { price, tiers, creditRate } = period;
		const place = periodPath(where, at);
		assertPriceTerms(place, true, period, billingModel);
		assertTransactionPrice(place, false, period);
		assertSegments(place, false, {}, period);
		if (currencyId !== undefined && (period.minimumAmount || period.maximumAmount !== undefined))
			throw refuse(
				place,
				"overage of credits is charged as it happens and has no window; leave 'minimumAmount' and 'maximumAmount' out.",
			);
		if (!price || tiers || creditRate)
			throw refuse(place, "overage has 'price', and neither 'tiers' nor 'creditRate'.");
		assertAmount(`${place}.price`, price);
	});
	assertDefaultPrice(where, pricePeriods);
}

/** Throws unless the feature is a number. Every billing model except PER_UNIT also needs a metered feature. */
export function assertPricedFeature(where: string, billingModel: BillingModel, feature: EntitledFeature): void {
	if (feature.featureType !== "NUMBER")
		throw fail(
			"UnsupportedFeatureType",
			`${where}: ${billingModel} prices a NUMBER feature; '${feature.refId}' is ${feature.featureType}.`,
		);
	if (billingModel !== "PER_UNIT" && !isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`${where}: ${billingModel} needs a metered feature; '${feature.refId}' has meterType None.`,
		);
}

/** Throws if there is no limit, because overage begins where a limit ends. */
export function assertLimited(
	where: string,
	featureRef: string,
	grant:
		| {
				readonly usageLimit?: string | number | null | undefined;
				readonly hasUnlimitedUsage?: boolean | null | undefined;
		  }
		| undefined,
): void {
	if (!grant || grant.hasUnlimitedUsage || grant.usageLimit === null || grant.usageLimit === undefined)
		throw fail(
			"OveragePriceRequiresUsageLimit",
			`${where}: overage of '${featureRef}' needs a usage limit; send one in 'entitlement', or entitle the feature with one first.`,
		);
}
