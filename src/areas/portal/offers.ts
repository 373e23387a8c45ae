import { toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { featuresByIds } from "../features/operations";
import { chargesOfVersions, entitlementsOfVersions, inheritedEntitlementsOf } from "../packages/operations";
import { isOffered, type Offer, offeredCharges } from "../packages/rules.offer";
import type { ChargeRow, PackageEntitlementRow, VersionRow } from "../packages/table";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import type { PortalOffer, PortalPrice } from "./schema";

/** Returns versions as offers to a customer: names instead of ids, and only the prices that this customer pays. */
export function viewOffers(work: Work, versions: readonly VersionRow[], offer: Offer): PortalOffer[] {
	const ids = versions.map(({ id }) => id);
	const charges = chargesOfVersions(work, ids);
	const own = entitlementsOfVersions(work, ids);
	const granted = new Map(versions.map((version) => [version.id, grantedBy(work, version, own.get(version.id) ?? [])]));
	const features = featuresByIds(work, [
		...new Set(
			[...[...charges.values()].flat(), ...[...granted.values()].flat()].flatMap(({ featureId }) => featureId ?? []),
		),
	]);
	const currencies = currenciesByIds(work, [
		...new Set([...granted.values()].flat().flatMap(({ currencyId }) => currencyId ?? [])),
	]);
	const viewPrice = (charge: ChargeRow): PortalPrice => {
		const feature = features.get(charge.featureId ?? "");
		const { price, tiers } = charge;
		return {
			...viewBillingPeriod(charge.billingPeriod),
			billingModel: charge.billingModel,
			isOneOff: charge.billingCadence === "ONE_OFF",
			featureId: feature?.refId ?? null,
			featureName: feature?.displayName ?? null,
			amount: toWireOrNull(price?.amount ?? null),
			currency: price?.currency ?? null,
			blockSize: toWireOrNull(charge.blockSize),
			tiersMode: charge.tiersMode,
			tiers: (tiers ?? []).map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: toWireOrNull(upTo),
				unitPrice: toWireOrNull(unitPrice?.amount ?? null),
				flatPrice: toWireOrNull(flatPrice?.amount ?? null),
				currency: unitPrice?.currency ?? flatPrice?.currency ?? "",
			})),
			minUnits: charge.minUnitQuantity,
			maxUnits: charge.maxUnitQuantity,
		};
	};
	const viewEntitlement = (row: PackageEntitlementRow): PortalOffer["entitlements"] => {
		const feature = features.get(row.featureId ?? "");
		const currency = currencies.get(row.currencyId ?? "");
		const name = row.displayNameOverride ?? feature?.displayName ?? currency?.displayName;
		if (name === undefined || !row.isGranted || !isOffered(row, offer)) return [];
		return [
			{
				name,
				limit: toWireOrNull(row.usageLimit ?? row.amount),
				isUnlimited: row.hasUnlimitedUsage ?? false,
				units: feature?.featureUnitsPlural ?? currency?.unitPlural ?? null,
			},
		];
	};
	return versions.map((version) => ({
		id: version.refId,
		displayName: version.displayName,
		description: version.description,
		pricingType: version.pricingType,
		prices: offeredCharges(charges.get(version.id) ?? [], offer)
			.filter(({ isOverage }) => !isOverage)
			.map(viewPrice),
		entitlements: (granted.get(version.id) ?? []).flatMap(viewEntitlement),
		addonIds: version.compatibleAddonRefs,
		maxQuantity: version.maxQuantity,
	}));
}

/** Returns the version's own and inherited entitlements in display order. */
function grantedBy(work: Work, version: VersionRow, own: readonly PackageEntitlementRow[]): PackageEntitlementRow[] {
	const targetOf = ({ featureId, currencyId }: PackageEntitlementRow) => featureId ?? currencyId;
	const taken = new Set(own.map(targetOf));
	const inherited = inheritedEntitlementsOf(work, version).filter((row) => !taken.has(targetOf(row)));
	return [...own, ...inherited].sort(
		(one, other) => (one.displayOrder ?? Number.MAX_VALUE) - (other.displayOrder ?? Number.MAX_VALUE),
	);
}
