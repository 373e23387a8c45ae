import { type Decimal, toDecimal } from "../../../kernel/decimal";
import type { Money } from "../../../kernel/money";
import type { Interval, Period } from "../../../kernel/period";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";
import type { StoredPhase } from "../../packages/rules.phases";
import type { PricedBy } from "../../pricing/basis";
import type { OfferedCharge } from "../../pricing/choice/price";
import type { ChargeItem } from "../../pricing/rate";
import { chargeInPhase, type Phase, phaseName } from "../../pricing/rules.phases";
import { chargeUplifted } from "../../pricing/rules.terms";
import { worded } from "../../pricing/wording";
import { type EffectivePrice, isFee, isInArrears, type Names } from "./prices";
import { type PurchasedQuantity, unitsOf } from "./purchased-quantities";

/** The parts of a sale that a bill consists of, with the minimum spend. */
export interface ChargeTerms {
	readonly prices: readonly EffectivePrice[];
	readonly purchased: readonly PurchasedQuantity[];
	readonly names: Names;
	readonly product: { readonly refId: string };
	/** The subscription's own minimum spend, in place of the catalogue's. */
	readonly minimumSpend?: Money | null;
	/** The phase that runs. It lowers the subscription's own minimum spend too, or replaces it by its own prices. */
	readonly phase?: StoredPhase | undefined;
	/** The percentage by which renewals have increased the subscription's own minimum spend. Missing: none. */
	readonly minimumSpendUplift?: Decimal;
	/** Missing: by time. */
	readonly proration?: ProrationTerms;
}

/** The proration of charges that state none, from the nearest to the most general. */
export interface ProrationTerms {
	/** The mode of the subscription. */
	readonly own: ProrationMode | null;
	readonly ofPlan: ProrationMode | null;
	readonly ofEnvironment: ProrationMode;
	/** The unit of the billing period. */
	readonly unit: Interval["unit"];
	/** Missing: UTC. */
	readonly timeZone?: string;
}

/**
 * Returns all charges of a period except usage: flat fees, units and minimum spends of the plan and its addons, whether its start
 * or its end charges them.
 */
export const chargesOfPeriod = (terms: ChargeTerms, period: Period | null): ChargeItem[] => [
	...chargesInAdvance(terms, period),
	...chargesInArrears(terms, period),
];

/** Returns the charges at the start of a period: fees and units in advance, and the minimum spend. */
export const chargesInAdvance = (terms: ChargeTerms, period: Period | null): ChargeItem[] => [
	...feesOf(terms, period, (price) => !isInArrears(price)),
	...minimumsOf(terms, period),
];

/** Returns the charges at the end of a period. */
export const chargesInArrears = (terms: ChargeTerms, period: Period | null): ChargeItem[] =>
	feesOf(terms, period, isInArrears);

/**
 * Returns flat fees and units. A per-unit price of an addon counts the addon's quantity, unless its feature's units were requested
 * by name.
 */
function feesOf(
	{ prices, purchased, names, product, proration }: ChargeTerms,
	period: Period | null,
	isWanted: (price: EffectivePrice) => boolean,
): ChargeItem[] {
	const subject = { period, productRefId: product.refId };
	return prices
		.filter((price) => isFee(price) && isWanted(price))
		.flatMap((price) => {
			const { charge, package: sold } = price;
			const units = unitsOf(price, prices, purchased);
			// Top-ups without requested units cost nothing.
			if (charge.topUpCurrencyId !== null && units === undefined) return [];
			return {
				...subject,
				...itemOf(price, names),
				...(charge.billingCadence !== "ONE_OFF" && prorationOf(charge, sold.prorationMode, proration)),
				quantity: units ?? toDecimal(sold.quantity),
				...(charge.billingCadence === "ONE_OFF" ? { period: null } : {}),
			};
		});
}

function minimumsOf(terms: ChargeTerms, period: Period | null): ChargeItem[] {
	const { prices, names, product, minimumSpend = null, proration } = terms;
	const subject = { period, productRefId: product.refId };
	const own = minimumSpend && !terms.phase?.charges && ownMinimum(minimumSpend);
	const minimums = own ? [agreedMinimum(own, terms)] : prices.filter(isMinimumSpend).map(({ charge }) => charge);
	const taxes = taxesOf(prices.find(isMinimumSpend) ?? prices.find((price) => !price.package.isAddon), names);
	return minimums.map((charge) => ({
		...subject,
		charge: pricedOf(charge),
		...prorationOf(charge, proration?.ofPlan, proration),
		...taxes,
		quantity: one,
		...worded({ codes: ["minimumSpend"] }),
	}));
}

/** Returns the subscription's own minimum spend in its phase and term. */
function agreedMinimum(own: ReturnType<typeof ownMinimum>, { phase, minimumSpendUplift }: ChargeTerms) {
	const inPhase = (phase && chargeInPhase(own, phase)) ?? own;
	return (minimumSpendUplift && chargeUplifted(inPhase, minimumSpendUplift)) || inPhase;
}

/** Returns the proration of a charge, without its defaults. */
function prorationOf(
	{ prorationMode, refundsUnusedTime = true }: Pick<OfferedCharge, "prorationMode" | "refundsUnusedTime">,
	ofVersion: ProrationMode | null | undefined,
	terms: ProrationTerms | undefined,
): Pick<ChargeItem, "proration" | "refundsUnusedTime"> {
	const { timeZone } = terms ?? {};
	const mode = prorationMode ?? terms?.own ?? ofVersion ?? terms?.ofEnvironment ?? "BY_TIME";
	return {
		...(terms && mode !== "BY_TIME" && { proration: { mode, unit: terms.unit, ...(timeZone && { timeZone }) } }),
		...(!refundsUnusedTime && { refundsUnusedTime }),
	};
}

/** Returns the prices of usage: pay as you go, and overage beyond a limit. */
export const onDemandPrices = (prices: readonly EffectivePrice[]): EffectivePrice[] =>
	prices.filter(({ charge }) => charge.billingModel === "USAGE_BASED" && charge.featureId !== null);

/** Returns the item of a price, without quantity and period. */
export const itemOf = (
	price: EffectivePrice,
	names: Names,
): Pick<
	ChargeItem,
	"charge" | "chargeKey" | "pricedBy" | "description" | "unit" | "isAddon" | "featureRefId" | "addonRefId" | "taxes"
> => {
	const { charge, package: sold, isOwn, phase, uplift } = price;
	return {
		charge: pricedOf(charge),
		...(charge.key != null && { chargeKey: charge.key }),
		pricedBy: {
			packageRefId: sold.refId,
			version: sold.versionNumber,
			...(isOwn && { isOwn }),
			...(phase && { phase: pricedInPhase(phase) }),
			...(uplift !== undefined && { uplift }),
		},
		...unitOf(charge, names),
		description: [describe(charge, sold.displayName, names), ...(phase ? [phaseName(phase)] : [])].join(", "),
		isAddon: sold.isAddon,
		featureRefId: charge.featureId === null ? null : names.featureRef(charge.featureId),
		addonRefId: sold.isAddon ? sold.refId : null,
		...taxesOf(price, names),
	};
};

const pricedInPhase = ({ id, percentOff }: Phase): PricedBy["phase"] & object => ({
	id,
	...(percentOff !== undefined && { percentOff }),
});

/** Returns the taxes that the catalogue assigns to a price; none of them if it leaves them to the customer. */
function taxesOf(price: EffectivePrice | undefined, names: Names): Pick<ChargeItem, "taxes"> {
	const refIds = price?.charge.taxes ?? price?.package.taxes ?? null;
	return refIds ? { taxes: names.taxes(refIds) } : {};
}

/** Returns the name of a price's units; a flat fee has none. */
function unitOf({ billingModel, featureId }: OfferedCharge, { featureUnits }: Names): Pick<ChargeItem, "unit"> {
	const unit = billingModel === "FLAT_FEE" || featureId === null ? null : featureUnits(featureId);
	return unit === null ? {} : { unit };
}

const one = "1" as Decimal;

const isMinimumSpend = ({ charge }: EffectivePrice): boolean => charge.billingModel === "MINIMUM_SPEND";

const ownMinimum = (
	price: Money,
): ChargeItem["charge"] & Pick<OfferedCharge, "prorationMode" | "refundsUnusedTime"> => ({
	billingModel: "MINIMUM_SPEND",
	billingCadence: "RECURRING",
	price,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
});

/** Reduces a price to the terms that rating reads, for storage with the charge. */
const pricedOf = ({
	billingModel,
	billingCadence = "RECURRING",
	isOverage = false,
	price,
	tiersMode,
	tiers,
	blockSize,
	minUnitQuantity,
	maxUnitQuantity,
	priceTerms,
}: ChargeItem["charge"]): ChargeItem["charge"] => ({
	billingModel,
	billingCadence,
	isOverage,
	price,
	tiersMode,
	tiers,
	blockSize,
	minUnitQuantity,
	maxUnitQuantity,
	...(priceTerms && { priceTerms }),
});

function describe(charge: OfferedCharge, packageName: string, { featureName, currencyName }: Names): string {
	// A second fee of one package is named by its key.
	if (charge.billingModel === "FLAT_FEE") return charge.key == null ? packageName : `${charge.key} (${packageName})`;
	if (charge.featureId !== null) return `${featureName(charge.featureId)} (${packageName})`;
	return charge.topUpCurrencyId === null ? packageName : `${currencyName(charge.topUpCurrencyId)} (${packageName})`;
}
