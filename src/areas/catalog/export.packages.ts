import { toWire, toWireOrNull } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Money } from "../../kernel/money";
import type { Work } from "../../kernel/work";
import { viewPriceTerms } from "../packages/charges/rules.price-terms";
import type { PackageCharges, PricePeriod, TierInput, VariantInput } from "../packages/charges/schema";
import { chargesOfVersions, entitlementsOfVersions } from "../packages/operations";
import { detailsOfVersions, type Refs, refsOfCharges, refsOfEntitlements } from "../packages/operations.details";
import type { ChargeRow, PackageEntitlementRow, VersionRow } from "../packages/table";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { canonicalLength } from "./rules.canonical-prices";
import { chargesOfRows, unfoldReset } from "./rules.charges";
import type { CatalogueEntitlement } from "./rules.entitlements";
import { stated } from "./rules.omit-empty";
import type { PriceRow } from "./rules.price-rows";

/** The parts of a version that are not its own columns. */
export interface SoldTerms {
	readonly productRef: string;
	readonly parentRef: string | null;
	readonly charges: PackageCharges;
	readonly entitlements: CatalogueEntitlement[];
}

/** The number of versions per read, within the limit of statement parameters. */
const versionsAtOnce = 100;

export function soldTermsOf(work: Work, versions: readonly VersionRow[]): (version: VersionRow) => SoldTerms {
	const terms = new Map<string, SoldTerms>();
	for (let from = 0; from < versions.length; from += versionsAtOnce)
		for (const [id, found] of readTerms(work, versions.slice(from, from + versionsAtOnce))) terms.set(id, found);
	return ({ id }) => {
		const found = terms.get(id);
		assert(found, `the terms of version ${id} were read`);
		return found;
	};
}

function readTerms(work: Work, versions: readonly VersionRow[]): [string, SoldTerms][] {
	const ids = versions.map(({ id }) => id);
	const charges = chargesOfVersions(work, ids);
	const entitlements = entitlementsOfVersions(work, ids);
	const chargeRefs = refsOfCharges(work, [...charges.values()].flat());
	const entitlementRefs = refsOfEntitlements(work, [...entitlements.values()].flat());
	const details = detailsOfVersions(work, versions);
	return versions.map((version) => {
		const { productRef, parentRef } = details(version);
		const { pricingType } = version;
		assert(pricingType, "a published version has a pricing type");
		const rows = (charges.get(version.id) ?? []).map((row) => priceRow(row, chargeRefs));
		return [
			version.id,
			{
				productRef,
				parentRef,
				charges: chargesOfRows({ ...version, pricingType }, rows),
				entitlements: (entitlements.get(version.id) ?? []).map((row) => entitlement(row, entitlementRefs)),
			},
		];
	});
}

const refOrNull = (refs: Refs, id: string | null): string | null => (id === null ? null : refOf(refs, id));

function refOf(refs: Refs, id: string | null): string {
	const ref = refs.get(id ?? "");
	assert(ref !== undefined, `${id} was looked up`);
	return ref;
}

const priceOf = (price: Money | null) => price && { amount: toWire(price.amount), currency: price.currency };

const priceRow = (row: ChargeRow, refs: Refs): PriceRow => ({
	isOverage: row.isOverage,
	billingModel: row.billingModel,
	billingCadence: row.billingCadence,
	featureId: refOrNull(refs, row.featureId),
	currencyId: refOrNull(refs, row.overageCurrencyId),
	topUpCustomCurrencyId: refOrNull(refs, row.topUpCurrencyId),
	tiersMode: row.tiersMode,
	minUnitQuantity: row.minUnitQuantity,
	maxUnitQuantity: row.maxUnitQuantity,
	resetPeriod: row.resetPeriod,
	resetAnchor: row.resetAnchor,
	prorationMode: viewPriceTerms(row.priceTerms).prorationMode ?? row.prorationMode,
	refundsUnusedTime: row.refundsUnusedTime,
	paymentTime: row.priceTerms?.eventInvoicing ? "AT_EVENT" : row.paymentTime,
	eventInvoicing: row.priceTerms?.eventInvoicing === "PERIOD_END" ? "PERIOD_END" : null,
	key: row.key,
	chargesFlatPriceUnused: row.priceTerms?.chargesFlatPriceUnused ?? false,
	usageMeasure: row.priceTerms?.usageMeasure ?? null,
	taxes: row.taxes,
	groupBy: [...(row.priceTerms?.segments?.groupBy ?? [])],
	period: stated<PricePeriod>({
		...canonicalLength(viewBillingPeriod(row.billingPeriod)),
		billingCountryCode: row.billingCountryCode,
		price: priceOf(row.price),
		tiers: row.tiers?.map(({ upTo, unitPrice, flatPrice }) =>
			stated<TierInput>({ upTo: toWireOrNull(upTo), unitPrice: priceOf(unitPrice), flatPrice: priceOf(flatPrice) }),
		),
		blockSize: toWireOrNull(row.blockSize),
		creditRate:
			row.creditAmount === null || row.creditCurrencyId === null
				? null
				: stated<NonNullable<PricePeriod["creditRate"]>>({
						amount: toWire(row.creditAmount),
						currencyId: refOf(refs, row.creditCurrencyId),
						costFormula: row.creditCostFormula,
					}),
		creditGrantCadence: row.creditGrantCadence,
		minimumAmount: toWireOrNull(row.priceTerms?.minimumAmount ?? null),
		maximumAmount: toWireOrNull(row.priceTerms?.maximumAmount ?? null),
		chargeInterval: viewPriceTerms(row.priceTerms).chargeInterval,
		commitment: viewPriceTerms(row.priceTerms).commitment,
		transactionPrice: viewPriceTerms(row.priceTerms).transactionPrice,
		variants: viewPriceTerms(row.priceTerms).variants?.map(({ id, match, price, tiers, blockSize }) =>
			stated<VariantInput>({
				...{ id, match, price: price ?? null, blockSize: blockSize ?? null },
				tiers: tiers?.map(({ upTo, unitPrice, flatPrice }) =>
					stated<TierInput>({ upTo: upTo ?? null, unitPrice: unitPrice ?? null, flatPrice: flatPrice ?? null }),
				),
			}),
		),
	}),
});

function entitlement(row: PackageEntitlementRow, refs: Refs): CatalogueEntitlement {
	const display = {
		description: row.description,
		displayNameOverride: row.displayNameOverride,
		hiddenFromWidgets: row.hiddenFromWidgets,
		isCustom: row.isCustom,
		isGranted: row.isGranted,
		order: row.displayOrder,
		behavior: row.behavior,
		hasSoftLimit: row.hasSoftLimit,
	};
	if (row.type === "FEATURE")
		return stated<Extract<CatalogueEntitlement, { type: "FEATURE" }>>({
			type: "FEATURE",
			id: refOf(refs, row.featureId),
			...display,
			usageLimit: toWireOrNull(row.usageLimit),
			hasUnlimitedUsage: row.hasUnlimitedUsage,
			enumValues: row.enumValues,
			...unfoldReset(row),
		});
	assert(row.cadence, "a credit entitlement has a cadence");
	return {
		...stated<Omit<Extract<CatalogueEntitlement, { type: "CREDIT" }>, "amount">>({
			type: "CREDIT",
			id: refOf(refs, row.currencyId),
			...display,
			cadence: row.cadence,
			dependencyFeatureId: refOrNull(refs, row.dependencyFeatureId),
		}),
		amount: toWireOrNull(row.amount),
	};
}
