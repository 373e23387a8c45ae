import type {
	Charge,
	OveragePricingModel,
	PackageCharges,
	PricePeriod,
	PricingModel,
} from "../../../areas/packages/charges/schema";
import type { BillingModel, TiersMode } from "../../../areas/packages/schema";
import {
	type BillingPeriod,
	eachPeriodOnce,
	shownPeriod,
	viewBillingPeriod,
} from "../../../areas/pricing/rules.billing-period";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";
import { periodsOfPrices } from "../../kit/billing-periods";
import { intervalWithin, sharedInterval } from "./intervals";

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

export const openModels = ["FLAT_FEE", "PER_UNIT", "USAGE_BASED", "MINIMUM_SPEND"] as const;
export const countingModels: ReadonlySet<BillingModel> = new Set(["PER_UNIT", "USAGE_BASED"]);
export type OpenModel = (typeof openModels)[number];

type Amount = number | undefined;
type ByPeriod = Readonly<Partial<Record<BillingPeriod, Amount>>>;

/** The last tier has no `upTo`. */
export interface TierRow {
	readonly upTo?: Amount;
	readonly each: ByPeriod;
	readonly flat: ByPeriod;
}

/** A price as the form edits it, with the amounts of all billing periods side by side. */
export interface OpenPrice {
	readonly billingModel: OpenModel;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly featureId?: string | undefined;
	readonly minUnitQuantity?: Amount;
	readonly maxUnitQuantity?: Amount;
	readonly prorationMode?: ProrationMode | undefined;
	readonly refundsUnusedTime?: boolean | undefined;
	/** AT_EVENT is for usage, IN_ARREARS for fees and units. */
	readonly paymentTime?: "IN_ARREARS" | "AT_EVENT" | undefined;
	readonly eventInvoicing?: "PERIOD_END" | undefined;
	/** Null or missing: those of the version. */
	readonly taxes?: readonly string[] | null | undefined;
	readonly amount: ByPeriod;
	readonly tiersMode?: TiersMode | undefined;
	readonly tiers: readonly TierRow[];
	/** Kept as it is. */
	readonly key?: string | undefined;
	readonly chargesFlatPriceUnused?: boolean | undefined;
	/** How a level counts; undefined: as it is metered. */
	readonly usageMeasure?: (typeof usageMeasures)[number] | undefined;
	/** The bounds of the cost of usage, for every period. */
	readonly minimumAmount?: Amount;
	readonly maximumAmount?: Amount;
	/** How often usage is charged; undefined: each billing period. */
	readonly chargeInterval?: BillingPeriod | undefined;
	/** The same commitment for every period. */
	readonly commitment?: Commitment | undefined;
}

export type Commitment = NonNullable<PricePeriod["commitment"]>;

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
	return [...models.values()].map(editedPriceOf);
}

/** Returns a price as the form edits it. */
export function editedPriceOf(model: PricingModel): EditedPrice {
	const open = openOf(model);
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

function openOf(model: PricingModel): OpenPrice | undefined {
	const { pricePeriods: periods, billingModel, billingCadence = "RECURRING", tiersMode, featureId } = model;
	const opened = openModels.find((one) => one === billingModel);
	const isPlain = periods.every(
		({ billingCountryCode, blockSize, creditRate, creditGrantCadence, transactionPrice, variants }) =>
			!billingCountryCode && !blockSize && !creditRate && !creditGrantCadence && !transactionPrice && !variants,
	);
	if (!opened || !isPlain || model.groupBy || model.topUpCustomCurrencyId !== undefined) return undefined;
	const [first] = periods;
	const { minimumAmount, maximumAmount, commitment } = first ?? {};
	const boundsOf = (one: PricePeriod | undefined) =>
		JSON.stringify([one?.minimumAmount, one?.maximumAmount, one?.commitment]);
	if (periods.some((one) => boundsOf(one) !== boundsOf(first))) return undefined;
	const interval = sharedInterval(periods);
	if (interval === "several") return undefined;
	if (commitment && !isOpenCommitment(commitment)) return undefined;
	const of = (read: (period: PricePeriod) => Amount): ByPeriod =>
		Object.fromEntries(periods.map((period) => [shownPeriod(period), read(period)]));
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
		})),
	};
}

export const currencyOf = (charges: readonly Charge[]): string => {
	const [first] = charges.flatMap(({ price, tiers, transactionPrice }) => [
		...(transactionPrice ? [transactionPrice.currency] : []),
		...(price ? [price.currency] : []),
		...(tiers ?? []).flatMap(({ unitPrice, flatPrice }) => [unitPrice?.currency, flatPrice?.currency]),
	]);
	return first ?? "usd";
};

/** The ways to charge a level, such as seats, that a price can have. */
export const usageMeasures = ["TIME_WEIGHTED", "PEAK"] as const;

/** Whether a price is prorated. */
export const isChargedByPeriod = ({ billingModel, billingCadence }: OpenPrice): boolean =>
	billingModel !== "USAGE_BASED" && billingCadence === "RECURRING";

const timeOfUsage = ({ paymentTime, eventInvoicing }: OpenPrice) =>
	paymentTime === "AT_EVENT" && without({ paymentTime, eventInvoicing });

/** Returns the body of the API. A period without an amount is not sold. */
export function modelOf(price: EditedPrice, currency: string): PricingModel {
	if ("kept" in price) return price.kept;
	const { billingModel, billingCadence, featureId, minUnitQuantity, maxUnitQuantity, tiersMode, tiers } = price.open;
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
	const money = (amount: Amount) => (amount === undefined ? undefined : { amount, currency });
	const mode = counts ? tiersMode : undefined;
	const pricePeriods = pricedPeriods(price.open).flatMap((period): PricePeriod[] => {
		if (!mode) {
			const amount = money(price.open.amount[period]);
			return amount ? [{ ...viewBillingPeriod(period), price: amount, ...usageTerms(period) }] : [];
		}
		const rows = tiers.map(({ upTo, each, flat }, at) =>
			without({
				upTo: at === tiers.length - 1 ? undefined : upTo,
				unitPrice: money(each[period]),
				flatPrice: money(flat[period]),
			}),
		);
		return rows.some((row) => "unitPrice" in row || "flatPrice" in row)
			? [{ ...viewBillingPeriod(period), tiers: rows, ...usageTerms(period) }]
			: [];
	});
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
	readonly prorationMode?: ProrationMode | undefined;
	readonly taxes: readonly string[] | null | undefined;
}

export const chargesOf = (
	{ pricingType, prorationMode, billingAnchor, phases, spendThresholds, taxes, term }: SharedTerms,
	prices: readonly EditedPrice[],
	overage: readonly OveragePricingModel[],
	currency: string,
): PackageCharges => ({
	pricingType,
	...(pricingType === "PAID" && without({ prorationMode, billingAnchor, phases, spendThresholds, taxes, term })),
	...(pricingType !== "FREE" && {
		pricingModels: prices.map((price) => modelOf(price, currency)),
		...(overage.length > 0 && { overagePricingModels: [...overage] }),
	}),
});
