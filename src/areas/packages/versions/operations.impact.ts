import type { Work } from "../../../kernel/work";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { Charge, ChargeTerms } from "../charges/schema";
import type { PackageEntitlementTerms } from "../entitlements/schema";
import { chargesOf, entitlementsOf, inheritedEntitlementsOf } from "../operations";
import { refsOfCharges, refsOfEntitlements } from "../operations.details";
import type { ChargeRow, PackageEntitlementRow, VersionRow } from "../table";
import { viewCharge, viewEntitlement } from "../view";
import { combinedGrant } from "./rules.impact";

/** Returns the grants of a version, its base plan's grants included, by the row id of the feature or currency. */
export function grantsOf(work: Work, version: VersionRow): Map<string, PackageEntitlementTerms> {
	const rows = new Map<string, PackageEntitlementRow>();
	for (const row of entitlementsOf(work, version.id)) rows.set(targetOf(row), row);
	for (const base of inheritedEntitlementsOf(work, version)) {
		const own = rows.get(targetOf(base));
		rows.set(targetOf(base), own ? combinedGrant(own, base) : base);
	}
	const view = viewEntitlement(refsOfEntitlements(work, [...rows.values()]));
	return new Map(
		[...rows].map(([target, row]) => {
			const { createdAt: _, updatedAt: __, ...terms } = view(row);
			return [target, terms];
		}),
	);
}

const targetOf = ({ featureId, currencyId }: PackageEntitlementRow): string => featureId ?? `${currencyId}`;

/** A price with the fields that identify it within its version. */
export interface PricedCharge {
	readonly isOverage: boolean;
	readonly terms: ChargeTerms;
}

/**
 * Returns the prices of two versions by priced item, billing period and country. Where one of them has several currencies, each currency
 * is a price of its own.
 */
export function pricesOfBoth(
	work: Work,
	former: VersionRow | undefined,
	draft: VersionRow,
): [former: Map<string, PricedCharge>, draft: Map<string, PricedCharge>] {
	const [before, after] = [former ? placedPrices(work, former) : [], placedPrices(work, draft)];
	const several = new Set(
		[before, after].flatMap((prices) =>
			[...Map.groupBy(prices, ({ place }) => place)].flatMap(([place, { length }]) => (length > 1 ? place : [])),
		),
	);
	const keyed = (prices: readonly PlacedPrice[]) =>
		new Map(
			prices.map(({ place, currency, ...price }) => [several.has(place) ? `${place} ${currency}` : place, price]),
		);
	return [keyed(before), keyed(after)];
}

interface PlacedPrice extends PricedCharge {
	readonly place: string;
	readonly currency: string | undefined;
}

function placedPrices(work: Work, { id, prorationMode }: VersionRow): PlacedPrice[] {
	// A price shows the mode of its version as its own.
	const charges = chargesOf(work, id).map((charge) =>
		isProrated(charge) ? { ...charge, prorationMode: charge.prorationMode ?? prorationMode } : charge,
	);
	const view = viewCharge(refsOfCharges(work, charges), new Set());
	return charges.map((charge) => ({
		place: placeOf(charge),
		currency: currencyOfCharge(charge),
		isOverage: charge.isOverage,
		terms: termsOf(view(charge)),
	}));
}

const isProrated = ({ billingModel, billingCadence }: ChargeRow): boolean =>
	billingCadence === "RECURRING" && billingModel !== "USAGE_BASED" && billingModel !== "CREDIT_BASED";

const termsOf = (charge: Charge): ChargeTerms => ({
	billingModel: charge.billingModel,
	billingCadence: charge.billingCadence,
	billingPeriod: charge.billingPeriod,
	...(charge.billingInterval && { billingInterval: charge.billingInterval }),
	billingCountryCode: charge.billingCountryCode ?? null,
	featureId: charge.featureId ?? null,
	price: charge.price ?? null,
	tiersMode: charge.tiersMode ?? null,
	tiers: charge.tiers ?? null,
	blockSize: charge.blockSize ?? null,
	minUnitQuantity: charge.minUnitQuantity ?? null,
	maxUnitQuantity: charge.maxUnitQuantity ?? null,
	creditRate: charge.creditRate ?? null,
	creditGrantCadence: charge.creditGrantCadence ?? null,
	topUpCustomCurrencyId: charge.topUpCustomCurrencyId ?? null,
	...(charge.prorationMode && { prorationMode: charge.prorationMode }),
	...(charge.refundsUnusedTime === false && { refundsUnusedTime: false }),
	...(charge.paymentTime && { paymentTime: charge.paymentTime }),
	...(charge.eventInvoicing && { eventInvoicing: charge.eventInvoicing }),
	...(charge.key !== undefined && { key: charge.key }),
	...(charge.chargesFlatPriceUnused && { chargesFlatPriceUnused: true }),
	...(charge.usageMeasure && { usageMeasure: charge.usageMeasure }),
	...(charge.chargeInterval && { chargeInterval: charge.chargeInterval }),
	...(charge.minimumAmount !== undefined && { minimumAmount: charge.minimumAmount }),
	...(charge.maximumAmount !== undefined && { maximumAmount: charge.maximumAmount }),
	...(charge.commitment && { commitment: charge.commitment }),
	...(charge.transactionPrice && { transactionPrice: charge.transactionPrice }),
	...(charge.taxes && { taxes: charge.taxes }),
	...(charge.variants && { variants: charge.variants }),
	...(charge.groupBy && { groupBy: charge.groupBy }),
});

const placeOf = (charge: ChargeRow): string =>
	JSON.stringify([
		charge.isOverage,
		charge.billingModel,
		charge.billingCadence,
		charge.featureId,
		charge.overageCurrencyId,
		charge.topUpCurrencyId,
		charge.key,
		charge.billingPeriod,
		charge.billingCountryCode,
	]);
