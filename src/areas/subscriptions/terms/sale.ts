import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact } from "../../../kernel/decimal";
import type { StoredPhase } from "../../packages/rules.phases";
import type { ChargeRow, VersionRow } from "../../packages/table";
import type { BillingPeriod } from "../../pricing/rules.billing-period";
import { chargeInPhase } from "../../pricing/rules.phases";
import { chargeUplifted, totalUplift, type Uplifts } from "../../pricing/rules.terms";
import type { ProductRow } from "../../products/table";
import type { PriceOverride } from "../table";
import { withOverrides } from "./price-overrides";
import { type EffectivePrice, type Names, pricesFor, type SoldPackage } from "./prices";
import type { PurchasedQuantity } from "./purchased-quantities";

/** The versions that a sale consists of. */
export interface SoldVersions {
	readonly plan: VersionRow;
	readonly addons: readonly { readonly version: VersionRow; readonly quantity: number }[];
}

/** A checked and priced sale: versions, billing period, prices and purchased units. */
export interface Sale extends SoldVersions {
	readonly product: ProductRow;
	/** Null where nothing is charged. */
	readonly billingPeriod: BillingPeriod | null;
	/** The country whose prices apply; null: the default prices. */
	readonly billingCountryCode: string | null;
	/** The chosen currency; null if the price lists leave no choice. Lower case ISO 4217. */
	readonly billingCurrency: string | null;
	readonly prices: readonly EffectivePrice<ChargeRow>[];
	readonly purchased: readonly PurchasedQuantity[];
	readonly names: Names;
	/** The phases of the subscription, in place of those of the plan; null: those of the plan. */
	readonly ownPhases: StoredPhase[] | null;
	/** The phase whose prices these are. Missing: none. */
	readonly phase?: StoredPhase | undefined;
	/** The percentage by which renewals have increased the subscription's own minimum spend. Missing: none. */
	readonly minimumSpendUplift?: Decimal;
}

/** Returns the plan first, then its addons, each with all its charges. `charges` are by the version's row id. */
export const soldPackages = (
	{ plan, addons }: SoldVersions,
	charges: ReadonlyMap<string, readonly ChargeRow[]>,
): SoldPackage<ChargeRow>[] =>
	[{ version: plan, quantity: 1 }, ...addons].map(({ version, quantity }) => ({
		refId: version.refId,
		displayName: version.displayName,
		quantity,
		isAddon: version.kind === "ADDON",
		versionNumber: version.versionNumber,
		prorationMode: version.prorationMode,
		taxes: version.taxes,
		charges: charges.get(version.id) ?? [],
	}));

interface PriceTerms {
	readonly billingPeriod: BillingPeriod | null;
	readonly billingCountryCode: string | null;
	readonly billingCurrency: string | null;
	readonly priceOverrides: readonly PriceOverride[];
}

/** Returns the prices that apply; none without a billing period. */
export function effectivePrices(
	sold: readonly SoldPackage<ChargeRow>[],
	{ billingPeriod, billingCountryCode, billingCurrency, priceOverrides }: PriceTerms,
	names: Names,
): EffectivePrice<ChargeRow>[] {
	const prices = billingPeriod === null ? [] : pricesFor(sold, billingPeriod, billingCountryCode, billingCurrency);
	return withOverrides(prices, priceOverrides, billingCountryCode, names);
}

type Priced = Pick<Sale, "plan" | "billingPeriod" | "billingCountryCode" | "billingCurrency" | "prices">;

/**
 * Returns the prices in a phase. Its own prices replace those of the plan, also the subscription's own; its percentage lowers them.
 * An addon has no phases.
 */
export function pricesInPhase(sale: Priced, phase: StoredPhase | undefined): EffectivePrice<ChargeRow>[] {
	if (phase?.charges) return [...pricesOfPhase(sale, phase), ...sale.prices.filter((price) => price.package.isAddon)];
	return sale.prices.map((price) => {
		const charge = phase && !price.package.isAddon ? chargeInPhase(price.charge, phase) : undefined;
		return phase && charge ? { ...price, charge, phase } : price;
	});
}

function pricesOfPhase(
	{ plan, billingPeriod, billingCountryCode, billingCurrency }: Priced,
	phase: StoredPhase,
): EffectivePrice<ChargeRow>[] {
	const { requested, prices = [], isOwn } = phase.charges ?? {};
	const charges = prices.map((price, at) => ({
		...price,
		id: `${phase.id}/${at}`,
		environmentId: plan.environmentId,
		versionId: plan.id,
		createdAt: plan.createdAt,
	}));
	const sold = soldPackages({ plan, addons: [] }, new Map([[plan.id, charges]])).map((one) => ({
		...one,
		prorationMode: requested?.prorationMode ?? one.prorationMode ?? null,
		taxes: requested?.taxes === undefined ? one.taxes : requested.taxes,
	}));
	return billingPeriod === null
		? []
		: pricesFor(sold, billingPeriod, billingCountryCode, billingCurrency).map((price) => ({
				...price,
				phase,
				...(isOwn && { isOwn }),
			}));
}

/** Returns a sale at the prices of a phase. */
export const inPhase = (sale: Sale, phase: StoredPhase | undefined): Sale =>
	phase ? { ...sale, prices: pricesInPhase(sale, phase), phase } : sale;

/**
 * Returns prices with the increases of all renewals until an instant. They increase those of the plan: usage only if agreed, and the
 * subscription's own prices since these were agreed. An addon has no term.
 */
export function upliftedPrices(
	prices: readonly EffectivePrice<ChargeRow>[],
	uplifts: Uplifts | null,
	at: Instant,
): EffectivePrice<ChargeRow>[] {
	if (!uplifts) return [...prices];
	return prices.map((price) => {
		const isUsage = price.charge.billingModel === "USAGE_BASED";
		const increases = upliftsSince(uplifts, price.isOwn ? uplifts.inOwnPrices : 0, at);
		const uplift = totalUplift(isUsage ? increases.filter(({ isOfUsage }) => isOfUsage) : increases);
		const charge = exact(uplift).eq(0) || price.package.isAddon ? undefined : chargeUplifted(price.charge, uplift);
		return charge ? { ...price, charge, uplift } : price;
	});
}

/** Returns a sale at the prices after all renewals until an instant. */
export function withUplifts<Priced extends Pick<Sale, "prices" | "minimumSpendUplift">>(
	sale: Priced,
	uplifts: Uplifts | null,
	at: Instant,
): Priced {
	if (!uplifts) return sale;
	const minimumSpendUplift = totalUplift(upliftsSince(uplifts, uplifts.inMinimumSpend, at));
	return { ...sale, prices: upliftedPrices(sale.prices, uplifts, at), minimumSpendUplift };
}

const upliftsSince = ({ all }: Uplifts, contained: number | undefined, at: Instant) =>
	all.slice(contained ?? 0).filter(({ from }) => from <= at);
