import { toWire } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { listCoupons } from "../coupons/operations";
import { viewFreeUnits } from "../coupons/rules";
import type { CouponRow } from "../coupons/table";
import { listCurrencies } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import { activeFeatureGroups } from "../feature-groups/operations";
import { featuresByIds, listFeatures, listMeters } from "../features/operations";
import type { UnitTransformationInput } from "../features/schema";
import type { FeatureRow, MeterRow } from "../features/table";
import { listPackages } from "../packages/operations";
import type { PackageKind } from "../packages/schema";
import type { VersionRow } from "../packages/table";
import { settingsOf } from "../portal/operations.settings";
import type { PortalSettings } from "../portal/schema";
import { listProducts } from "../products/operations";
import type { ProductRow } from "../products/table";
import { listTaxes } from "../taxes/operations";
import type { TaxRow } from "../taxes/table";
import { type SoldTerms, soldTermsOf } from "./export.packages";
import { canonical } from "./rules.canonical";
import { stated } from "./rules.omit-empty";
import {
	type Catalogue,
	type CatalogueAddon,
	type CatalogueCoupon,
	type CatalogueCurrency,
	type CatalogueFeature,
	type CatalogueFeatureGroup,
	type CataloguePlan,
	type CatalogueProduct,
	type CatalogueTax,
	entriesMax,
} from "./schema";

/**
 * Returns the catalogue that is for sale, in canonical form, with the latest version of each plan and addon. Omits archived
 * entries, drafts, and discounts stated inline on a subscription.
 */
export function exportCatalogue(work: Work): Catalogue {
	const meters = new Map(listMeters(work).map((meter) => [meter.featureId, meter]));
	const everything = { limit: "100" };
	const published = (kind: PackageKind) =>
		all(`${kind.toLowerCase()}s`, (query) =>
			listPackages(work, kind, { ...everything, status: "PUBLISHED", ...query }),
		);
	const plans = published("PLAN").map(({ version }) => version);
	const addons = published("ADDON").map(({ version }) => version);
	const plan = soldTermsOf(work, plans);
	const addon = soldTermsOf(work, addons);
	const products = all("products", (query) => listProducts(work, { ...everything, status: "PUBLISHED", ...query }));
	const portalSettings = settingsOf(
		work,
		products.map(({ id }) => id),
	);
	return canonical({
		version: 1,
		products: products.map((row) => product(row, portalSettings(row.id))),
		currencies: all("currencies", (query) => listCurrencies(work, { ...everything, ...query })).map(currency),
		taxes: all("taxes", (query) => listTaxes(work, { ...everything, status: "ACTIVE", ...query })).map(tax),
		features: all("features", (query) =>
			listFeatures(work, { ...everything, status: "NEW,ACTIVE" as "NEW", ...query }),
		).map((row) => feature(row, meters.get(row.id))),
		featureGroups: featureGroupsOf(work),
		addons: addons.map((row) => addonOf(row, addon(row))),
		plans: plans.map((row) => planOf(row, plan(row))),
		coupons: all("coupons", (query) => listCoupons(work, { ...everything, status: "ACTIVE", ...query })).map(coupon),
	});
}

/** Returns the groups with their active features; omits empty groups. */
function featureGroupsOf(work: Work): CatalogueFeatureGroup[] {
	const groups = all("feature groups", () => ({
		rows: activeFeatureGroups(work, entriesMax + 1),
		next: null,
		prev: null,
	}));
	const features = featuresByIds(
		work,
		groups.flatMap(({ featureIds }) => featureIds),
	);
	return groups.flatMap((group) => {
		const featureIds = group.featureIds.flatMap((id) => {
			const row = features.get(id);
			return row && row.status !== "SUSPENDED" ? row.refId : [];
		});
		if (featureIds.length === 0) return [];
		const { refId: id, displayName, description, metadata } = group;
		return stated<CatalogueFeatureGroup>({ id, displayName, description, featureIds, metadata });
	});
}

/** Returns all pages of a list. Throws if there are more than `entriesMax` entries, and never truncates. */
function all<Row>(what: string, list: (query: { readonly after?: string }) => Page<Row>): Row[] {
	const rows: Row[] = [];
	let page = list({});
	for (;;) {
		rows.push(...page.rows);
		if (rows.length > entriesMax)
			throw fail("BadUserInput", `This environment has more than ${entriesMax} ${what}, too many to keep in one file.`);
		if (page.next === null) return rows;
		page = list({ after: page.next });
	}
}

const product = (row: ProductRow, portalSettings: PortalSettings): CatalogueProduct =>
	stated<CatalogueProduct>({
		id: row.refId,
		displayName: row.displayName,
		description: row.description,
		metadata: row.metadata,
		multipleSubscriptions: row.multipleSubscriptions,
		productSettings: row.settings,
		usageResetCutoffRule: { behavior: row.usageReset },
		portalSettings,
	});

const currency = (row: CurrencyRow): CatalogueCurrency =>
	stated<CatalogueCurrency>({
		id: row.refId,
		displayName: row.displayName,
		description: row.description,
		symbol: row.symbol,
		units:
			row.unitSingular === null && row.unitPlural === null
				? null
				: { singular: row.unitSingular ?? "", plural: row.unitPlural ?? "" },
		metadata: row.metadata,
	});

const tax = (row: TaxRow): CatalogueTax =>
	stated<CatalogueTax>({
		id: row.refId,
		displayName: row.displayName,
		percentage: toWire(row.percentage),
		isInclusive: row.isInclusive,
		country: row.country,
		code: row.code,
	});

const feature = (row: FeatureRow, meter: MeterRow | undefined): CatalogueFeature =>
	stated<CatalogueFeature>({
		id: row.refId,
		displayName: row.displayName,
		description: row.description,
		featureType: row.featureType,
		meterType: row.meterType,
		featureUnits: row.featureUnits,
		featureUnitsPlural: row.featureUnitsPlural,
		enumConfiguration: row.enumConfiguration,
		unitTransformation:
			row.unitTransformation &&
			stated<UnitTransformationInput>({
				...row.unitTransformation,
				divide: toWire(row.unitTransformation.divide),
			}),
		billedUsage: row.billedUsage,
		meter: meter && { aggregation: meter.aggregation, filters: meter.filters },
		metadata: row.metadata,
	});

const addonOf = (row: VersionRow, terms: SoldTerms): CatalogueAddon =>
	stated<CatalogueAddon>({
		id: row.refId,
		productId: terms.productRef,
		displayName: row.displayName,
		description: row.description,
		billingId: row.billingId,
		maxQuantity: row.maxQuantity,
		dependencies: row.dependencyRefs,
		metadata: row.metadata,
		charges: terms.charges,
		entitlements: terms.entitlements,
	});

function planOf(row: VersionRow, terms: SoldTerms): CataloguePlan {
	const { defaultTrial: trial } = row;
	assert(row.parentId === null || terms.parentRef !== null, "a base plan exists");
	return stated<CataloguePlan>({
		id: row.refId,
		productId: terms.productRef,
		displayName: row.displayName,
		description: row.description,
		billingId: row.billingId,
		parentPlanId: terms.parentRef,
		compatibleAddonIds: row.compatibleAddonRefs,
		defaultTrialConfig: trial && {
			...trial,
			budget: trial.budget && { limit: toWire(trial.budget.limit), hasSoftLimit: trial.budget.hasSoftLimit },
		},
		metadata: row.metadata,
		charges: terms.charges,
		entitlements: terms.entitlements,
	});
}

const coupon = (row: CouponRow): CatalogueCoupon =>
	stated<CatalogueCoupon>({
		id: row.refId,
		name: row.name,
		description: row.description,
		percentOff: row.percentOff === null ? null : toWire(row.percentOff),
		amountsOff: row.amountsOff?.map(({ amount, currency }) => ({ amount: toWire(amount), currency })),
		durationInMonths: row.durationMonths,
		appliesTo: row.appliesTo,
		frequency: row.frequency,
		durationInPeriods: row.durationPeriods,
		freeUnits: row.freeUnits && viewFreeUnits(row.freeUnits),
		metadata: row.metadata,
	});
