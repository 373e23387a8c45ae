import type {
	Charge,
	OveragePricingModel,
	PackageCharges,
	PricePeriod,
	PricingModel,
} from "../../../areas/packages/charges/schema";
import { type BillingPeriod, eachPeriodOnce, viewBillingPeriod } from "../../../areas/pricing/rules.billing-period";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";
import { periodsOfPrices } from "../../kit/billing-periods";
import {
	amountsOf,
	byCurrency,
	currencyOfPeriod,
	furtherAmounts,
	furtherOf,
	furtherTier,
	inCurrency,
	isEachOnce,
} from "./currencies";
import { intervalWithin, sharedInterval } from "./intervals";
import { type Amount, type Commitment, countingModels, type OpenPrice, openModels } from "./open-price";

/** The periods that the form offers at first, and those that have prices. */
export const offeredPeriods = (charges: readonly Charge[]): BillingPeriod[] =>
	eachPeriodOnce(["MONTHLY", "ANNUALLY", ...periodsOfPrices(charges)]);

/** Usage is billed monthly to yearly customers too. Its price for the year needs an interval of its own. */
export const periodsFor = (
	{ billingModel, chargeInterval }: Pick<OpenPrice, "billingModel" | "chargeInterval">,
	periods: readonly BillingPeriod[],
): readonly BillingPeriod[] =>
	billingModel === "USAGE_BASED"
		? periods.filter((period) => period !== "ANNUALLY" || intervalWithin(period, chargeInterval))
		: periods;

/** The periods for which a price has an amount. */
const pricedPeriods = ({ amount, tiers, ...price }: OpenPrice): readonly BillingPeriod[] => {
	const keys = [amount, ...tiers.flatMap(({ each, flat }) => [each, flat])].flatMap(Object.keys) as BillingPeriod[];
	return periodsFor(price, eachPeriodOnce(keys));
};

/** The windows of a commitment that the form offers. */
export const commitmentWindows = ["HOUR", "DAY", "MONTH"] as const;

const isOpenCommitment = ({ interval }: Commitment): boolean =>
	!interval || (interval.count === 1 && commitmentWindows.some((unit) => unit === interval.unit));

/** Prices by country, by block, by dimension or in credits cannot be edited and are sent back unchanged. */
export type EditedPrice = { readonly open: OpenPrice } | { readonly kept: PricingModel };

export const newPrice: EditedPrice = {
	open: { billingModel: "FLAT_FEE", billingCadence: "RECURRING", amount: {}, tiers: [] },
};

export const without = <Value extends object>(value: Value) =>
	Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined));

/** Groups charges, one for each period and newest first, into prices in the order in which they were set. */
export function editedOf(charges: readonly Charge[]): EditedPrice[] {
	const models = new Map<string, PricingModel>();
	for (const charge of charges.toReversed()) {
		const { billingModel, billingCadence, featureId, topUpCustomCurrencyId, tiersMode } = charge;
		const {
			minUnitQuantity,
			maxUnitQuantity,
			prorationMode,
			refundsUnusedTime,
			paymentTime,
			eventInvoicing,
			key: name,
			chargesFlatPriceUnused,
			usageMeasure,
			groupBy,
			taxes,
		} = charge;
		const head = without({
			billingModel,
			key: name,
			chargesFlatPriceUnused,
			usageMeasure,
			groupBy,
			billingCadence,
			featureId,
			topUpCustomCurrencyId,
			tiersMode,
			minUnitQuantity,
			maxUnitQuantity,
			prorationMode,
			refundsUnusedTime,
			paymentTime,
			eventInvoicing,
			taxes,
		});
		const key = JSON.stringify(head);
		const model = models.get(key) ?? ({ ...head, pricePeriods: [] } as unknown as PricingModel);
		models.set(key, model);
		model.pricePeriods.push(pricePeriodOf(charge));
	}
	const currency = currencyOf(charges);
	return [...models.values()].map((model) => editedPriceOf(model, currency));
}

/** Returns a price as the form edits it. Its main currency is that of the form; without one, that of its first row. */
export function editedPriceOf(model: PricingModel, currency?: string): EditedPrice {
	const [first = {}] = model.pricePeriods;
	const open = openOf(model, currency ?? currencyOfPeriod(first) ?? "usd");
	return open ? { open } : { kept: model };
}

export function pricePeriodOf(charge: Charge): PricePeriod {
	const { billingPeriod, billingInterval, billingCountryCode, price, blockSize, creditGrantCadence, tiers } = charge;
	const { creditRate, minimumAmount, maximumAmount, commitment, chargeInterval, transactionPrice, variants } = charge;
	return without({
		billingPeriod,
		billingInterval,
		billingCountryCode,
		price,
		blockSize,
		creditGrantCadence,
		tiers: tiers?.map(without),
		creditRate: creditRate && without(creditRate),
		minimumAmount,
		maximumAmount,
		chargeInterval,
		commitment,
		transactionPrice,
		variants: variants?.map((variant) => without({ ...variant, tiers: variant.tiers?.map(without) })),
	}) as unknown as PricePeriod;
}

function openOf(model: PricingModel, currency: string): OpenPrice | undefined {
	const { pricePeriods: all, billingModel, billingCadence = "RECURRING", tiersMode, featureId } = model;
	const opened = openModels.find((one) => one === billingModel);
	const isPlain = all.every(
		({ billingCountryCode, blockSize, creditRate, creditGrantCadence, transactionPrice, variants }) =>
			!billingCountryCode && !blockSize && !creditRate && !creditGrantCadence && !transactionPrice && !variants,
	);
	if (!opened || !isPlain || model.groupBy || model.topUpCustomCurrencyId !== undefined) return undefined;
	const { periods, further } = byCurrency(all, currency);
	const [first] = periods;
	const { minimumAmount, maximumAmount, commitment } = first ?? {};
	const boundsOf = (one: PricePeriod | undefined) =>
		JSON.stringify([one?.minimumAmount, one?.maximumAmount, one?.commitment]);
	if (all.some((one) => boundsOf(one) !== boundsOf(first))) return undefined;
	if (further.size > 0 && boundsOf(first) !== boundsOf(undefined)) return undefined;
	if (![periods, ...further.values()].every(isEachOnce)) return undefined;
	const interval = sharedInterval(all);
	if (interval === "several") return undefined;
	if (commitment && !isOpenCommitment(commitment)) return undefined;
	const of = (read: (period: PricePeriod) => Amount) => amountsOf(periods, read);
	return {
		billingModel: opened,
		billingCadence,
		featureId,
		minUnitQuantity: model.minUnitQuantity,
		maxUnitQuantity: model.maxUnitQuantity,
		prorationMode: model.prorationMode,
		refundsUnusedTime: model.refundsUnusedTime,
		paymentTime: model.paymentTime === "IN_ADVANCE" ? undefined : model.paymentTime,
		eventInvoicing: model.eventInvoicing === "PERIOD_END" ? model.eventInvoicing : undefined,
		amount: of(({ price }) => price?.amount),
		...furtherAmounts(further),
		tiersMode,
		taxes: model.taxes,
		key: model.key,
		chargesFlatPriceUnused: model.chargesFlatPriceUnused,
		usageMeasure: model.usageMeasure === "AS_METERED" ? undefined : model.usageMeasure,
		minimumAmount,
		maximumAmount,
		chargeInterval: interval,
		commitment,
		tiers: (first?.tiers ?? []).map(({ upTo }, at) => ({
			upTo: upTo ?? undefined,
			each: of(({ tiers }) => tiers?.[at]?.unitPrice?.amount),
			flat: of(({ tiers }) => tiers?.[at]?.flatPrice?.amount),
			...furtherTier(further, at),
		})),
	};
}

/** Returns the first currency of charges, which are newest first; that of default prices before that of a country. */
export const currencyOf = (charges: readonly Charge[]): string => {
	const inOrder = charges.toReversed();
	const priced = [...inOrder.filter(({ billingCountryCode }) => !billingCountryCode), ...inOrder];
	return priced.map(currencyOfPeriod).find((currency) => currency !== undefined) ?? "usd";
};

/** Whether a price is prorated. */
export const isChargedByPeriod = ({ billingModel, billingCadence }: OpenPrice): boolean =>
	billingModel !== "USAGE_BASED" && billingCadence === "RECURRING";

const timeOfUsage = ({ paymentTime, eventInvoicing }: OpenPrice) =>
	paymentTime === "AT_EVENT" && without({ paymentTime, eventInvoicing });

/** Returns the body of the API. A period without an amount is not sold. */
export function modelOf(price: EditedPrice, currency: string): PricingModel {
	if ("kept" in price) return price.kept;
	const { billingModel, billingCadence, featureId, minUnitQuantity, maxUnitQuantity, tiersMode } = price.open;
	const { prorationMode, refundsUnusedTime, taxes } = price.open;
	const paymentTime = price.open.paymentTime === "IN_ARREARS" ? "IN_ARREARS" : undefined;
	const { key, chargesFlatPriceUnused, minimumAmount, maximumAmount, commitment, chargeInterval } = price.open;
	const usageMeasure = billingModel === "USAGE_BASED" ? price.open.usageMeasure : undefined;
	const countsDays = usageMeasure === "TIME_WEIGHTED" && prorationMode === "BY_DAY";
	const usageTerms = (period: BillingPeriod) =>
		billingModel === "USAGE_BASED" &&
		without({
			...{ minimumAmount, maximumAmount, commitment },
			chargeInterval: intervalWithin(period, chargeInterval),
		});
	const counts = countingModels.has(billingModel);
	const mode = counts ? tiersMode : undefined;
	const periodsIn = (of: OpenPrice, code: string) => {
		const money = (amount: Amount) => (amount === undefined ? undefined : { amount, currency: code });
		return pricedPeriods(of).flatMap((period): PricePeriod[] => {
			if (!mode) {
				const amount = money(of.amount[period]);
				return amount ? [{ ...viewBillingPeriod(period), price: amount, ...usageTerms(period) }] : [];
			}
			const rows = of.tiers.map(({ upTo, each, flat }, at) =>
				without({
					upTo: at === of.tiers.length - 1 ? undefined : upTo,
					unitPrice: money(each[period]),
					flatPrice: money(flat[period]),
				}),
			);
			return rows.some((row) => "unitPrice" in row || "flatPrice" in row)
				? [{ ...viewBillingPeriod(period), tiers: rows, ...usageTerms(period) }]
				: [];
		});
	};
	const pricePeriods = [
		...periodsIn(price.open, currency),
		...furtherOf(price.open).flatMap((code) => periodsIn(inCurrency(price.open, code), code)),
	];
	return {
		billingModel,
		billingCadence,
		...(counts && featureId && { featureId }),
		...(billingModel === "PER_UNIT" && without({ minUnitQuantity, maxUnitQuantity })),
		...(mode && { tiersMode: mode }),
		...(isChargedByPeriod(price.open) && without({ prorationMode, refundsUnusedTime, paymentTime })),
		...(billingModel === "USAGE_BASED" && timeOfUsage(price.open)),
		...without({ usageMeasure, ...(countsDays && { prorationMode }) }),
		...without({ key, taxes, chargesFlatPriceUnused: (mode && chargesFlatPriceUnused) || undefined }),
		pricePeriods,
	};
}

export const modelsOf = (charges: readonly Charge[]): PricingModel[] =>
	editedOf(charges).map((price) => modelOf(price, currencyOf(charges)));

/** Whether the price has a feature, if it needs one, and an amount in each tier. */
const isComplete = ({ billingModel, featureId, pricePeriods }: PricingModel): boolean =>
	pricePeriods.length > 0 &&
	(featureId !== undefined || !countingModels.has(billingModel)) &&
	pricePeriods.every(({ tiers }) =>
		(tiers ?? []).every(
			({ upTo, unitPrice, flatPrice }, at, { length }) =>
				(unitPrice ?? flatPrice) !== undefined && (at === length - 1 || upTo !== undefined),
		),
	);

const isOverageComplete = ({ featureId, entitlement, pricePeriods }: OveragePricingModel): boolean =>
	featureId !== undefined && pricePeriods.length > 0 && (!entitlement || entitlement.usageLimit !== undefined);

/** Returns the complete prices; undefined if there are none. */
export function completeOf(charges: PackageCharges): PackageCharges | undefined {
	if (charges.pricingType === "FREE") return charges;
	const pricingModels = (charges.pricingModels ?? []).filter(isComplete);
	const overagePricingModels = (charges.overagePricingModels ?? []).filter(isOverageComplete);
	const { phases, ...others } = charges;
	const complete = (phases ?? []).filter((phase) => phase.charges?.pricingModels?.every(isComplete) ?? true);
	return pricingModels.length > 0
		? { ...others, pricingModels, overagePricingModels, ...(complete.length > 0 && { phases: complete }) }
		: undefined;
}

interface SharedTerms extends Pick<PackageCharges, "pricingType" | "billingAnchor" | "phases" | "term"> {
	readonly spendThresholds?: PackageCharges["spendThresholds"] | undefined;
	readonly commitments?: PackageCharges["commitments"] | undefined;
	readonly prorationMode?: ProrationMode | undefined;
	readonly taxes: readonly string[] | null | undefined;
}

export const chargesOf = (
	{ pricingType, ...terms }: SharedTerms,
	prices: readonly EditedPrice[],
	overage: readonly OveragePricingModel[],
	currency: string,
): PackageCharges => ({
	pricingType,
	...(pricingType === "PAID" && without(terms)),
	...(pricingType !== "FREE" && {
		pricingModels: prices.map((price) => modelOf(price, currency)),
		...(overage.length > 0 && { overagePricingModels: [...overage] }),
	}),
});
