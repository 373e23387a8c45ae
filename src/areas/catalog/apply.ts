import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { archiveCoupon, createCoupon, updateCoupon } from "../coupons/operations";
import { hasBalances } from "../credits/grants/operations";
import { archiveCurrency, createCurrency, updateCurrency } from "../currencies/operations";
import {
	archiveFeatureGroup,
	createFeatureGroup,
	findFeatureGroup,
	unarchiveFeatureGroup,
	updateFeatureGroup,
} from "../feature-groups/operations";
import { createFeature, findFeature, findMeterOf, updateFeature } from "../features/operations";
import type { FeatureRow } from "../features/table";
import { packagesUsing } from "../packages/operations.uses";
import { archivePackage } from "../packages/versions/operations";
import { replaceSettings } from "../portal/operations.settings";
import { createProduct, findProduct, unarchiveProduct } from "../products/operations";
import { defaultSettings, defaultUsageReset, productStatus } from "../products/rules";
import { archiveTax, createTax, updateTax } from "../taxes/operations";
import { applyAddons, applyPlans, type Migration } from "./apply.packages";
import { archiveUnusedFeature, changeFeature, reviveFeature } from "./operations.features";
import { archiveWholeProduct, changeProduct } from "./operations.products";
import { within } from "./rules.check";
import type { Change } from "./rules.diff";
import type { CatalogueFile } from "./rules.file";
import { neededFirst } from "./rules.order";
import type {
	Catalogue,
	CatalogueCoupon,
	CatalogueCurrency,
	CatalogueFeature,
	CatalogueFeatureGroup,
	CatalogueList,
	CatalogueProduct,
} from "./schema";

export type { Migration };

/**
 * Adds and changes entries; referenced entries come first. Passes entries as the file has them, so that errors name places that the
 * author knows. Returns the tasks that move subscriptions.
 */
export function applyEntries(
	work: Work,
	file: CatalogueFile,
	changes: readonly Change[],
	migration: Migration,
): string[] {
	const { catalogue, at } = file;
	const changed = changesBy(changes.filter(({ action }) => action !== "archive"));
	const each = <Entry extends { readonly id: string }>(
		list: CatalogueList,
		entries: readonly Entry[] | undefined,
		body: (entry: Entry, change: Change) => void,
	) => {
		entries?.forEach((entry, index) => {
			const change = changed(list, entry.id);
			if (change) within(`${at([list, index])}, '${entry.id}'`, () => body(entry, change));
		});
	};
	each("currencies", catalogue.currencies, (entry, change) => applyCurrency(work, entry, change));
	each("taxes", catalogue.taxes, (entry, { action }) => {
		if (action === "add") createTax(work, entry);
		else updateTax(work, entry.id, { displayName: entry.displayName });
	});
	each("features", catalogue.features, (entry) => applyFeature(work, entry));
	each("featureGroups", catalogue.featureGroups, (entry) => applyFeatureGroup(work, entry));
	each("products", catalogue.products, (entry) => applyProduct(work, entry));
	const taskIds = [
		...applyAddons(work, file, (id) => changed("addons", id), migration),
		...applyPlans(work, file, (id) => changed("plans", id), migration),
	];
	// Last, because the settings of a product name its plans.
	each("products", catalogue.products, (entry) => applyProductSettings(work, entry));
	each("coupons", catalogue.coupons, (entry, change) => applyCoupon(work, entry, change));
	return taskIds;
}

function changesBy(changes: readonly Change[]): (list: CatalogueList, id: string) => Change | undefined {
	const byKey = new Map(changes.map((change) => [`${change.list} ${change.id}`, change]));
	return (list, id) => byKey.get(`${list} ${id}`);
}

/**
 * Creates or changes a currency. The id of an archived currency is free (docs/interface/catalogue.md), so an addition always
 * creates a new one.
 */
function applyCurrency(work: Work, { id, ...terms }: CatalogueCurrency, { action }: Change): void {
	if (action === "add") createCurrency(work, { id, ...terms });
	else updateCurrency(work, id, { description: null, symbol: null, metadata: {}, ...terms });
}

/** Creates or changes a feature; unarchives an archived one. */
function applyFeature(work: Work, { id, featureType, meterType, meter, ...terms }: CatalogueFeature): void {
	const there = findFeature(work, id);
	if (!there) {
		createFeature(work, { id, featureType, ...(meterType && { meterType }), ...terms });
		if (meter) updateFeature(work, id, { meter });
		return;
	}
	if (there.featureType !== featureType || there.meterType !== (meterType ?? "None"))
		throw fail(
			"BadUserInput",
			`There is an archived feature '${id}' of type ${there.featureType} and meterType ${there.meterType}; choose another id.`,
		);
	if (there.status === "SUSPENDED") {
		assertNothingLost(work, there, { ...terms, meter });
		reviveFeature(work, id);
	}
	const changes = {
		// The wire has no null for the description; the empty text clears it.
		...(there.description && { description: "" }),
		metadata: {},
		unitTransformation: null,
		...(there.billedUsage && { billedUsage: "LAST_VALUE" as const }),
		...terms,
		...(meter && { meter }),
	};
	changeFeature(work, id, changes);
}

/** Throws if the file omits a property that cannot be removed from the archived feature. */
function assertNothingLost(
	work: Work,
	there: FeatureRow,
	stated: { [Key in "featureUnits" | "featureUnitsPlural" | "meter"]?: unknown },
): void {
	const kept = { ...there, meter: findMeterOf(work, there.refId) ?? null };
	const lost = (["featureUnits", "featureUnitsPlural", "meter"] as const).find(
		(key) => kept[key] !== null && stated[key] === undefined,
	);
	if (lost)
		throw fail(
			"BadUserInput",
			`There is an archived feature '${there.refId}' that has '${lost}'; state one, or choose another id.`,
		);
}

/** Creates or changes a group; unarchives an archived one. */
function applyFeatureGroup(work: Work, { id, ...terms }: CatalogueFeatureGroup): void {
	if (!findFeatureGroup(work, id)) {
		createFeatureGroup(work, { id, ...terms });
		return;
	}
	unarchiveFeatureGroup(work, id);
	updateFeatureGroup(work, id, { description: null, metadata: {}, ...terms });
}

/** Creates or changes a product, without its start and fallback plans. Unarchives an archived one, without its former plans and addons. */
function applyProduct(work: Work, entry: CatalogueProduct): void {
	const { id, displayName, description = null, metadata = {}, multipleSubscriptions = false } = entry;
	const there = findProduct(work, id);
	if (!there) {
		createProduct(work, { id, displayName, description, metadata, multipleSubscriptions });
		return;
	}
	if (productStatus(there) === "ARCHIVED") unarchiveProduct(work, id);
	const changes = { displayName, description, metadata, multipleSubscriptions };
	changeProduct(work, id, changes);
}

function applyProductSettings(
	work: Work,
	{
		id,
		productSettings = defaultSettings,
		usageResetCutoffRule = { behavior: defaultUsageReset },
		portalSettings = {},
	}: CatalogueProduct,
): void {
	changeProduct(work, id, { productSettings, usageResetCutoffRule });
	replaceSettings(work, id, portalSettings);
}

/** Creates or changes a coupon. `createCoupon` rejects the id of an archived one. */
function applyCoupon(work: Work, entry: CatalogueCoupon, { action }: Change): void {
	const { id, name, description = null, percentOff = null, amountsOff = null } = entry;
	const { durationInMonths = null, metadata = null, appliesTo = null } = entry;
	const { frequency = null, durationInPeriods = null, freeUnits = null } = entry;
	if (action === "change") updateCoupon(work, id, { name, description, metadata });
	else {
		const terms = { percentOff, amountsOff, durationInMonths, appliesTo, frequency, durationInPeriods, freeUnits };
		createCoupon(work, { id, name, description, metadata, ...terms });
	}
}

/** Archives entries; referring entries come before the ones that they refer to. A product's plans and addons are archived with it. */
export function archiveEntries(work: Work, current: Catalogue, changes: readonly Change[]): void {
	const gone = (list: CatalogueList) => changes.filter((change) => change.action === "archive" && change.list === list);
	for (const { id } of gone("coupons")) archiveCoupon(work, id);
	for (const { id } of gone("products")) archiveWholeProduct(work, id);
	for (const { id } of childrenFirst(current, gone("plans"))) archivePackage(work, "PLAN", id);
	for (const { id } of gone("addons")) archivePackage(work, "ADDON", id);
	for (const { id } of gone("featureGroups")) archiveFeatureGroup(work, id);
	for (const { id } of gone("features")) archiveUnusedFeature(work, id);
	for (const { id } of gone("taxes")) archiveTax(work, id);
	for (const { id } of gone("currencies")) archiveCurrency(work, id, { usersOf: packagesUsing, hasBalances });
}

/** Orders plans so that each comes after the plans based on it. */
function childrenFirst({ plans = [] }: Catalogue, gone: readonly Change[]): Change[] {
	const children = Map.groupBy(plans, ({ parentPlanId }) => parentPlanId);
	return neededFirst(gone, ({ id }) => (children.get(id) ?? []).map((child) => child.id));
}
