import type { Instant } from "../../../kernel/clock";
import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import type { Period } from "../../../kernel/period";
import type { BillingModel, BillingPeriod } from "../../packages/schema";
import { assertPurchasable, currencyOfCharge } from "../../pricing/charge";
import { chargesFor, type OfferedCharge } from "../../pricing/price-choice";
import type { ChargeItem } from "../../pricing/rate";

/** What the terms of a sale are reckoned from; a version of packages, or an addon with its quantity, has all of it. */
export interface SoldPackage<Charge extends OfferedCharge> {
	readonly refId: string;
	readonly displayName: string;
	/** How many are held; a plan is always one. */
	readonly quantity: number;
	readonly isAddon: boolean;
	readonly charges: readonly Charge[];
}

/** One price that holds for a subscription: which package it belongs to, and the charge after any override. */
export interface EffectivePrice<Charge extends OfferedCharge = OfferedCharge> {
	readonly charge: Charge;
	readonly package: Pick<SoldPackage<Charge>, "refId" | "displayName" | "quantity" | "isAddon">;
}

/** As `subscriptions.price_overrides` keeps it; structural, so that these rules know no table. */
export interface Override {
	readonly isBase: boolean;
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	readonly currencyRefId?: string | null;
	readonly billingCountryCode: string | null;
	readonly amount: Decimal | null;
	readonly currency: string | null;
	readonly blockSize: Decimal | null;
	readonly tiers: OfferedCharge["tiers"];
}

/** Units bought in advance, by row id of the feature or of the credit currency. */
export interface PurchasedQuantity {
	readonly featureId: string | null;
	readonly currencyId: string | null;
	readonly quantity: Decimal;
}

/** The caller's own ids of what charges refer to by row id, and the names that invoices print. */
export interface Names {
	readonly featureRef: (featureId: string) => string;
	readonly currencyRef: (currencyId: string) => string;
	readonly featureName: (featureId: string) => string;
	readonly currencyName: (currencyId: string) => string;
}

/** The prices of a plan and its addons for one billing period and country. */
export const pricesFor = <Charge extends OfferedCharge>(
	packages: readonly SoldPackage<Charge>[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
): EffectivePrice<Charge>[] =>
	packages.flatMap(({ charges, ...sold }) =>
		chargesFor(charges, billingPeriod, billingCountryCode).map((charge) => ({ charge, package: sold })),
	);

/**
 * Puts the subscription's own prices in the place of the catalogue's: `isBase` for the plan's flat fee, else by feature
 * or addon. An override for another country waits for it. PriceNotFound when there is nothing to replace.
 */
export function withOverrides<Charge extends OfferedCharge>(
	prices: readonly EffectivePrice<Charge>[],
	overrides: readonly Override[],
	billingCountryCode: string | null,
	names: Pick<Names, "featureRef" | "currencyRef">,
): EffectivePrice<Charge>[] {
	let held = [...prices];
	for (const override of overrides) {
		if (override.billingCountryCode !== null && override.billingCountryCode !== billingCountryCode) continue;
		const replaces = (price: EffectivePrice<Charge>) => isMeantBy(override, price, names);
		if (!held.some(replaces))
			throw fail("PriceNotFound", `There is no price of ${subjectOf(override)} to override for this billing period.`);
		held = held.map((price) => (replaces(price) ? { ...price, charge: overridden(price.charge, override) } : price));
	}
	return held;
}

function isMeantBy(
	{ isBase, addonRefId, featureRefId, currencyRefId = null }: Override,
	{ charge, package: { refId, isAddon } }: EffectivePrice,
	{ featureRef, currencyRef }: Pick<Names, "featureRef" | "currencyRef">,
): boolean {
	if (charge.isOverage || charge.billingModel === "MINIMUM_SPEND") return false;
	if (isAddon ? refId !== addonRefId : addonRefId !== null) return false;
	if (currencyRefId !== null)
		return charge.topUpCurrencyId !== null && currencyRef(charge.topUpCurrencyId) === currencyRefId;
	if (featureRefId !== null) return charge.featureId !== null && featureRef(charge.featureId) === featureRefId;
	if (isBase) return charge.billingModel === "FLAT_FEE";
	return isAddon;
}

const subjectOf = ({ isBase, addonRefId, featureRefId, currencyRefId }: Override): string => {
	const of = addonRefId === null ? "the plan" : `the addon '${addonRefId}'`;
	if (currencyRefId) return `the credits '${currencyRefId}' in ${of}`;
	return featureRefId !== null ? `the feature '${featureRefId}' in ${of}` : isBase ? `the base charge of ${of}` : of;
};

function overridden<Charge extends OfferedCharge>(
	charge: Charge,
	{ amount, currency, blockSize, tiers }: Override,
): Charge {
	const own = currencyOfCharge(charge);
	if (own === undefined && (amount !== null || tiers !== null))
		throw fail("InvalidArgumentError", "What is paid in credits has no price in money to override; leave it out.");
	return {
		...charge,
		...(amount === null || own === undefined
			? {}
			: { price: { amount, currency: currency ?? own }, tiers: null, tiersMode: null }),
		...(tiers === null ? {} : { tiers, price: null, tiersMode: charge.tiersMode ?? "GRADUATED" }),
		...(blockSize === null ? {} : { blockSize }),
	};
}

/** What is paid in advance, at the beginning of each period. Source: docs/interface/subscriptions.md. */
const inAdvance: ReadonlySet<BillingModel> = new Set(["FLAT_FEE", "PER_UNIT"]);
const isInAdvance = ({ charge }: EffectivePrice): boolean => inAdvance.has(charge.billingModel) && !charge.isOverage;
const countsUnits = (price: EffectivePrice): boolean => isInAdvance(price) && price.charge.billingModel === "PER_UNIT";

/**
 * The units of every per-unit price of the plan, checked against its bounds: as asked for, else the least that is sold.
 * `asked` may name an addon's feature too. InvalidQuantity; PriceNotFound for what is not sold by the unit.
 */
export function purchasedQuantities(
	prices: readonly EffectivePrice[],
	asked: readonly PurchasedQuantity[],
	unitQuantity: number | undefined,
	{ featureName, currencyName }: Names,
): PurchasedQuantity[] {
	const sold = prices.filter(countsUnits);
	const ofPlan = sold.filter((price) => !price.package.isAddon);
	const chosen = new Map<string, PurchasedQuantity>();
	for (const purchased of asked) {
		const name =
			purchased.featureId === null ? currencyName(purchased.currencyId ?? "") : featureName(purchased.featureId);
		if (chosen.has(keyOf(purchased))) throw fail("BadUserInput", `body/charges: '${name}' is listed twice.`);
		if (!sold.some((price) => keyOfPrice(price) === keyOf(purchased)))
			throw fail("PriceNotFound", `'${name}' is not sold by the unit here; take it out of 'charges'.`);
		chosen.set(keyOf(purchased), purchased);
	}
	if (unitQuantity !== undefined) {
		const [single, ...others] = ofPlan;
		if (!single || others.length > 0)
			throw fail(
				"InvalidQuantity",
				"'unitQuantity' is for plans with exactly one per-unit price; use 'charges' instead.",
			);
		const { featureId, topUpCurrencyId } = single.charge;
		const purchased = {
			featureId,
			currencyId: featureId === null ? topUpCurrencyId : null,
			quantity: toDecimal(unitQuantity),
		};
		const named = chosen.get(keyOf(purchased));
		if (named && named.quantity !== purchased.quantity)
			throw fail("InvalidQuantity", "'unitQuantity' and 'charges' give different quantities; give one of them.");
		chosen.set(keyOf(purchased), purchased);
	}
	for (const { charge } of ofPlan) {
		// Credits are topped up on demand; units of a feature come with the plan, so at least the least of them is bought.
		if (charge.featureId === null || chosen.has(charge.featureId)) continue;
		const quantity = toDecimal(charge.minUnitQuantity ?? 1);
		chosen.set(charge.featureId, { featureId: charge.featureId, currencyId: null, quantity });
	}
	const purchased = [...chosen.values()];
	for (const price of sold) {
		const units = unitsOf(price, prices, purchased);
		if (units !== undefined) assertPurchasable(price.charge, units);
	}
	return purchased;
}

/** How much was bought of a per-unit price by name. What the plan sells counts for the plan, not for its addons. */
function unitsOf(
	price: EffectivePrice,
	prices: readonly EffectivePrice[],
	purchased: readonly PurchasedQuantity[],
): Decimal | undefined {
	if (!countsUnits(price)) return undefined;
	const key = keyOfPrice(price);
	if (
		price.package.isAddon &&
		prices.some((other) => !other.package.isAddon && countsUnits(other) && keyOfPrice(other) === key)
	)
		return undefined;
	return purchased.find((units) => keyOf(units) === key)?.quantity;
}

const keyOf = ({ featureId, currencyId }: Omit<PurchasedQuantity, "quantity">): string => featureId ?? currencyId ?? "";
const keyOfPrice = ({ charge }: EffectivePrice): string => charge.featureId ?? charge.topUpCurrencyId ?? "";

/** What the items of a bill are made of; a sale has all but the minimum. */
export interface ChargeTerms {
	readonly prices: readonly EffectivePrice[];
	readonly purchased: readonly PurchasedQuantity[];
	readonly names: Names;
	readonly product: { readonly refId: string };
	/** The subscription's own, in the place of the catalogue's. */
	readonly minimumSpend?: Money | null;
}

/**
 * What a period costs in advance: flat fees, units and minimum spends of the plan and its addons. An addon's per-unit price
 * counts the addon's quantity unless its feature's units were asked for by name.
 */
export function billInAdvance(terms: ChargeTerms, period: Period | null): ChargeItem[] {
	const { prices, purchased, names, product, minimumSpend = null } = terms;
	const subject = { period, productRefId: product.refId };
	const items = prices.filter(isInAdvance).flatMap((price) => {
		const { charge, package: sold } = price;
		const units = unitsOf(price, prices, purchased);
		// Top-ups that nobody asked for cost nothing.
		if (charge.topUpCurrencyId !== null && units === undefined) return [];
		return {
			...subject,
			...itemOf(price, names),
			quantity: units ?? toDecimal(sold.quantity),
			...(charge.billingCadence === "ONE_OFF" ? { period: null } : {}),
		};
	});
	const minimums = minimumSpend
		? [ownMinimum(minimumSpend)]
		: prices.filter(isMinimumSpend).map(({ charge }) => charge);
	return [
		...items,
		...minimums.map((charge) => ({
			...subject,
			charge: pricedOf(charge),
			quantity: one,
			description: "Minimum spend",
		})),
	];
}

/** What is priced by use: pay as you go, and what lies beyond the limit of a feature. */
export const onDemandPrices = (prices: readonly EffectivePrice[]): EffectivePrice[] =>
	prices.filter(({ charge }) => charge.billingModel === "USAGE_BASED" && charge.featureId !== null);

/** The item of a price, without its quantity and its period. */
export const itemOf = (
	{ charge, package: sold }: EffectivePrice,
	names: Names,
): Pick<ChargeItem, "charge" | "description" | "isAddon" | "featureRefId" | "addonRefId"> => ({
	charge: pricedOf(charge),
	description: describe(charge, sold.displayName, names),
	isAddon: sold.isAddon,
	featureRefId: charge.featureId === null ? null : names.featureRef(charge.featureId),
	addonRefId: sold.isAddon ? sold.refId : null,
});

const one = "1" as Decimal;

const isMinimumSpend = ({ charge }: EffectivePrice): boolean => charge.billingModel === "MINIMUM_SPEND";

const ownMinimum = (price: Money): ChargeItem["charge"] => ({
	billingModel: "MINIMUM_SPEND",
	billingCadence: "RECURRING",
	price,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
});

/** What is kept of a price that was charged: the terms that rating reads, and nothing of the catalogue's bookkeeping. */
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
});

function describe(charge: OfferedCharge, packageName: string, { featureName, currencyName }: Names): string {
	if (charge.billingModel === "FLAT_FEE") return packageName;
	if (charge.featureId !== null) return `${featureName(charge.featureId)} (${packageName})`;
	return charge.topUpCurrencyId === null ? packageName : `${currencyName(charge.topUpCurrencyId)} (${packageName})`;
}

interface CouponTerms {
	readonly startAt: Instant;
	readonly endAt: Instant | null;
}

/** A coupon acts from its start for as long as it lasts: half open, like every period. */
export const isCouponActiveAt = ({ startAt, endAt }: CouponTerms, now: Instant): boolean =>
	startAt <= now && (endAt === null || now < endAt);
