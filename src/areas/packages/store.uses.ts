import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../kernel/storage/rows";
import type { Work } from "../../kernel/work";
import { versionsWithPhasePrice } from "./charges/store.phases";
import { isActive, selectVersions } from "./store";
import { charges, packageEntitlements, packageVersions, type VersionRow } from "./table";

/** The row id of a feature or a custom currency. */
export type CatalogueUse = { readonly featureId: string } | { readonly currencyId: string };

/** Returns the ids of all versions whose entitlements or charges refer to it, former and archived ones included. */
const versionsUsing = (work: Work, use: CatalogueUse) => {
	const environmentId = work.actor.environmentId;
	const [entitled, charged] =
		"featureId" in use
			? [
					or(
						eq(packageEntitlements.featureId, use.featureId),
						eq(packageEntitlements.dependencyFeatureId, use.featureId),
					),
					eq(charges.featureId, use.featureId),
				]
			: [
					eq(packageEntitlements.currencyId, use.currencyId),
					or(
						eq(charges.creditCurrencyId, use.currencyId),
						eq(charges.topUpCurrencyId, use.currencyId),
						eq(charges.overageCurrencyId, use.currencyId),
					),
				];
	return unionAll(
		work.tx
			.select({ id: packageEntitlements.versionId })
			.from(packageEntitlements)
			.where(and(eq(packageEntitlements.environmentId, environmentId), entitled)),
		work.tx
			.select({ id: charges.versionId })
			.from(charges)
			.where(and(eq(charges.environmentId, environmentId), charged)),
		phasedVersions(work, use),
	);
};

/** The row ids of the versions whose phases price it. */
const phasedVersions = (work: Work, use: CatalogueUse) =>
	"featureId" in use
		? versionsWithPhasePrice(work, ["featureId"], use.featureId)
		: versionsWithPhasePrice(work, ["creditCurrencyId", "topUpCurrencyId", "overageCurrencyId"], use.currencyId);

const inEnvironment = ({ actor }: Work): SQL => eq(packageVersions.environmentId, actor.environmentId);

/** Returns the published versions and drafts that refer to it, oldest first. */
export const selectActiveUsing = (work: Work, use: CatalogueUse, rowsMax: number): VersionRow[] =>
	selectVersions(work)
		.where(and(inEnvironment(work), isActive, inArray(packageVersions.id, versionsUsing(work, use))))
		.orderBy(packageVersions.id)
		.limit(rowsMax)
		.all();

/** Returns the row id and package id of every version that refers to it. */
export const selectAllUsing = (
	work: Work,
	use: CatalogueUse,
): Array<Pick<VersionRow, "id" | "packageId" | "isLatest">> =>
	work.tx
		.select({ id: packageVersions.id, packageId: packageVersions.packageId, isLatest: packageVersions.isLatest })
		.from(packageVersions)
		.where(and(inEnvironment(work), inArray(packageVersions.id, versionsUsing(work, use))))
		.all();

/** Returns every version, in any status, whose base is one of these packages. */
export const selectBasedOn = (
	work: Work,
	packageIds: readonly string[],
): Array<Pick<VersionRow, "id" | "packageId" | "isLatest">> =>
	work.tx
		.select({ id: packageVersions.id, packageId: packageVersions.packageId, isLatest: packageVersions.isLatest })
		.from(packageVersions)
		.where(
			and(
				inEnvironment(work),
				// Passed as one parameter, because there may be more packages than a statement allows parameters.
				isOneOf(packageVersions.parentId, packageIds),
			),
		)
		.all();
