import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../kernel/storage/rows";
import type { Work } from "../../kernel/work";
import { isActive, selectVersions } from "./store";
import { charges, packageEntitlements, packageVersions, type VersionRow } from "./table";

/** One feature, or one custom currency, by its row id. */
export type CatalogueUse = { readonly featureId: string } | { readonly currencyId: string };

/** The ids of the versions whose entitlements or charges refer to it, former and archived ones included. */
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
	);
};

const inEnvironment = ({ actor }: Work): SQL => eq(packageVersions.environmentId, actor.environmentId);

/** Published versions and drafts that refer to it, oldest first. */
export const selectActiveUsing = (work: Work, use: CatalogueUse, rowsMax: number): VersionRow[] =>
	selectVersions(work)
		.where(and(inEnvironment(work), isActive, inArray(packageVersions.id, versionsUsing(work, use))))
		.orderBy(packageVersions.id)
		.limit(rowsMax)
		.all();

/** Every version that refers to it, by row id with its package's. */
export const selectAllUsing = (
	work: Work,
	use: CatalogueUse,
): Array<Pick<VersionRow, "id" | "packageId" | "isLatest">> =>
	work.tx
		.select({ id: packageVersions.id, packageId: packageVersions.packageId, isLatest: packageVersions.isLatest })
		.from(packageVersions)
		.where(and(inEnvironment(work), inArray(packageVersions.id, versionsUsing(work, use))))
		.all();

/** Every version, whatever its status, that has one of these packages as its base. */
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
				// As one parameter: there may be more packages than a statement takes parameters.
				isOneOf(packageVersions.parentId, packageIds),
			),
		)
		.all();
