import { toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, currenciesByRefs } from "../../currencies/operations";
import { featuresByIds, featuresByRefs } from "../../features/operations";
import { chargesOfVersions, getPublishedVersion } from "../../packages/operations";
import type { BillingPeriod, PackageKind } from "../../packages/schema";
import type { ChargeRow, VersionRow } from "../../packages/table";
import { type Buyer, chooseBillingPeriod, chooseCountry, notBilledWithin } from "../../pricing/price-choice";
import { productsByIds } from "../../products/operations";
import { assertProductActive } from "../../products/rules";
import type { ProductRow } from "../../products/table";
import { assertAddonsFit } from "../rules";
import type { ChargeSelection } from "../schema.provision";
import type { PriceOverride } from "../table";
import { withOverrides } from "./price-overrides";
import { type EffectivePrice, type Names, pricesFor, type SoldPackage } from "./prices";
import { type PurchasedQuantity, purchasedQuantities } from "./purchased-quantities";

export interface SaleInput {
	/** The caller's ids. */
	readonly planId: string;
	readonly addons: readonly { readonly id: string; readonly quantity: number }[];
	readonly charges: readonly ChargeSelection[];
	readonly unitQuantity?: number | undefined;
	readonly billingPeriod?: BillingPeriod | undefined;
	/** Whose prices: chosen for who buys now, or those of the country (null: the default ones) that holds already. */
	readonly prices: { readonly buyer: Buyer } | { readonly country: string | null };
	readonly priceOverrides: readonly PriceOverride[];
	/** Versions that a running subscription holds already: these stay as they are, also when newer ones are published. */
	readonly heldVersions?: readonly VersionRow[];
}

/** What is sold, checked and priced: the versions of today, the billing period, the prices and the units bought. */
export interface Sale {
	readonly product: ProductRow;
	readonly plan: VersionRow;
	readonly addons: readonly { readonly version: VersionRow; readonly quantity: number }[];
	/** Null where nothing is charged. */
	readonly billingPeriod: BillingPeriod | null;
	/** The country whose prices hold; null is the default ones. */
	readonly billingCountryCode: string | null;
	readonly prices: readonly EffectivePrice<ChargeRow>[];
	readonly purchased: readonly PurchasedQuantity[];
	readonly names: Names;
}

/**
 * Looks up and checks what is to be sold; nothing is stored. PlanNotFound, AddonNotFound, FeatureNotFound,
 * CustomCurrencyNotFound, PriceNotFound; UnPublishedPackage, EntityIsArchivedError, BillingPeriodMissingError,
 * InvalidQuantity, and what `assertAddonsFit` says.
 */
export function prepareSale(work: Work, input: SaleInput): Sale {
	const versionOf = (kind: PackageKind, refId: string) =>
		input.heldVersions?.find((version) => version.kind === kind && version.refId === refId) ??
		getPublishedVersion(work, kind, refId);
	const plan = versionOf("PLAN", input.planId);
	const addons = input.addons.map(({ id, quantity }) => ({ version: versionOf("ADDON", id), quantity }));
	const asked = askedUnits(work, input.charges);
	const product = productsByIds(work, [plan.productId]).get(plan.productId);
	assert(product, "a plan has a product");
	assertProductActive(product);
	assertAddonsFit(plan, addons);
	const versionIds = [plan, ...addons.map(({ version }) => version)].map(({ id }) => id);
	const sold = soldPackages({ plan, addons }, chargesOfVersions(work, versionIds));
	const billingPeriod = billingPeriodOf(plan, sold, input.billingPeriod);
	if (billingPeriod !== null && plan.pricingType === "PAID")
		for (const one of sold) assertBilledWithin(work, one, billingPeriod);
	const names = namesIn(
		work,
		sold.flatMap(({ charges }) => charges),
		asked,
	);
	const billingCountryCode =
		"country" in input.prices
			? input.prices.country
			: chooseCountry(
					sold.map(({ charges }) => charges),
					billingPeriod,
					input.prices.buyer,
				);
	const { priceOverrides } = input;
	const prices = effectivePrices(sold, { billingPeriod, billingCountryCode, priceOverrides }, names);
	const purchased = purchasedQuantities(prices, asked, input.unitQuantity, names);
	return { product, plan, addons, billingPeriod, billingCountryCode, prices, purchased, names };
}

/** A plan's own prices decide; a custom plan without any takes the period it is asked for. */
function billingPeriodOf(
	plan: VersionRow,
	[own, ...addons]: readonly SoldPackage<ChargeRow>[],
	asked: BillingPeriod | undefined,
): BillingPeriod | null {
	if (plan.pricingType === "FREE" || plan.pricingType === null) return null;
	const charges = own && own.charges.length > 0 ? own.charges : addons.flatMap((addon) => addon.charges);
	const chosen = chooseBillingPeriod(charges, asked);
	if (chosen === null && plan.pricingType === "PAID" && charges.length > 0)
		throw fail("BillingPeriodMissingError", "Give 'billingPeriod': MONTHLY or ANNUALLY.");
	return chosen;
}

/** Nothing is sold for nothing because its price is for another period. */
function assertBilledWithin(
	work: Work,
	{ displayName, charges }: SoldPackage<ChargeRow>,
	billingPeriod: BillingPeriod,
): void {
	const missing = notBilledWithin(charges, billingPeriod);
	if (!missing) return;
	const feature =
		missing.featureId === null ? undefined : featuresByIds(work, [missing.featureId]).get(missing.featureId);
	const what = feature ? `'${feature.refId}' in '${displayName}'` : `'${displayName}'`;
	throw fail(
		"BillingPeriodMissingError",
		`${what} has a ${missing.billingPeriod} price only, and cannot be billed ${billingPeriod}; choose another period, or price it ${billingPeriod}.`,
	);
}

interface Sold {
	readonly plan: VersionRow;
	readonly addons: readonly { readonly version: VersionRow; readonly quantity: number }[];
}

/** The plan first, then its addons, each with all its charges; `charges` are by version. */
export const soldPackages = (
	{ plan, addons }: Sold,
	charges: ReadonlyMap<string, readonly ChargeRow[]>,
): SoldPackage<ChargeRow>[] =>
	[{ version: plan, quantity: 1 }, ...addons].map(({ version, quantity }) => ({
		refId: version.refId,
		displayName: version.displayName,
		quantity,
		isAddon: version.kind === "ADDON",
		versionNumber: version.versionNumber,
		charges: charges.get(version.id) ?? [],
	}));

interface PriceTerms {
	readonly billingPeriod: BillingPeriod | null;
	readonly billingCountryCode: string | null;
	readonly priceOverrides: readonly PriceOverride[];
}

/** The prices that hold: none where there is no billing period. */
export function effectivePrices(
	sold: readonly SoldPackage<ChargeRow>[],
	{ billingPeriod, billingCountryCode, priceOverrides }: PriceTerms,
	names: Names,
): EffectivePrice<ChargeRow>[] {
	const prices = billingPeriod === null ? [] : pricesFor(sold, billingPeriod, billingCountryCode);
	return withOverrides(prices, priceOverrides, billingCountryCode, names);
}

/** Names of all features and currencies that the charges, or the caller, refer to. */
export function namesIn(work: Work, charges: readonly ChargeRow[], asked: readonly PurchasedQuantity[] = []): Names {
	const features = featuresByIds(work, present([...charges, ...asked].map(({ featureId }) => featureId)));
	const currencies = currenciesByIds(
		work,
		present([...charges.map(({ topUpCurrencyId }) => topUpCurrencyId), ...asked.map(({ currencyId }) => currencyId)]),
	);
	return {
		featureRef: (id) => features.get(id)?.refId ?? id,
		currencyRef: (id) => currencies.get(id)?.refId ?? id,
		featureName: (id) => features.get(id)?.displayName ?? id,
		featureUnits: (id) => features.get(id)?.featureUnitsPlural ?? null,
		currencyName: (id) => currencies.get(id)?.displayName ?? id,
	};
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** Resolves the caller's ids; FeatureNotFound, CustomCurrencyNotFound. */
function askedUnits(work: Work, charges: readonly ChargeSelection[]): PurchasedQuantity[] {
	const refsOf = (type: ChargeSelection["type"]) =>
		charges.filter((charge) => charge.type === type).map(({ id }) => id);
	const features = featuresByRefs(work, refsOf("FEATURE"));
	const currencies = currenciesByRefs(work, refsOf("CREDIT"));
	return charges.map(({ id, quantity, type }) => ({
		featureId: type === "FEATURE" ? (features.get(id)?.id ?? null) : null,
		currencyId: type === "CREDIT" ? (currencies.get(id)?.id ?? null) : null,
		quantity: toDecimal(quantity),
	}));
}

/** What a subscription keeps of the sale that it was begun or imported with. */
export function soldOf({ product, plan, billingPeriod, billingCountryCode }: Sale) {
	assert(plan.pricingType, "a published plan has a pricing type");
	return {
		productId: product.id,
		planId: plan.packageId,
		versionId: plan.id,
		pricingType: plan.pricingType,
		billingPeriod,
		billingCountryCode,
	};
}
