import { assert, fail } from "../../kernel/errors";
import type { Page, PageQuery } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import { isPublishable } from "../access/rules.actors";
import { findProduct } from "../products/operations";
import {
	pageCharges,
	selectCharges,
	selectChargesOf,
	selectCreditPriced,
	selectCreditPricedEnvironments,
} from "./charges/store";
import { selectEntitlements } from "./entitlements/store";
import { kindName, notFoundCode } from "./rules";
import type { PackageKind, PackageListQuery } from "./schema";
import {
	findDraft,
	findLatest,
	findPackage,
	findVersion,
	pageVersions,
	pageVersionsOf,
	type ShownVersion,
	selectLatestOf,
	selectPackages,
	selectPackagesByRef,
	selectVersionsByIds,
} from "./store";
import type { ChargeRow, PackageEntitlementRow, PackageRow, VersionRow } from "./table";

/** Throws PlanNotFound or AddonNotFound. */
export function getPackage(work: Work, kind: PackageKind, refId: string): PackageRow {
	const found = findPackage(work, kind, refId);
	if (!found) throw unknownPackage(kind, refId);
	return found;
}

const unknownPackage = (kind: PackageKind, refId: string) =>
	fail(notFoundCode[kind], `There is no ${kindName[kind]} '${refId}' in this environment.`);

/** Returns the packages with these ids of the caller; skips unknown ids. */
export const packagesByRefs = (work: Work, kind: PackageKind, refIds: readonly string[]): Map<string, PackageRow> =>
	new Map(selectPackagesByRef(work, kind, refIds).map((found) => [found.refId, found]));

export const packagesByIds = (work: Work, ids: readonly string[]): Map<string, PackageRow> =>
	new Map(selectPackages(work, ids).map((found) => [found.id, found]));

/**
 * Returns the version that new subscriptions take. Throws PlanNotFound or AddonNotFound; UnPublishedPackage if there is only a
 * draft; EntityIsArchivedError if the package is archived.
 */
export function getPublishedVersion(work: Work, kind: PackageKind, refId: string): VersionRow {
	const latest = findLatest(work, getPackage(work, kind, refId).id);
	if (!latest)
		throw fail(
			"UnPublishedPackage",
			`The ${kindName[kind]} '${refId}' is still a draft; publish it before you use it.`,
		);
	if (latest.status === "ARCHIVED")
		throw fail("EntityIsArchivedError", `The ${kindName[kind]} '${refId}' is archived; choose another one.`);
	return latest;
}

/** Returns the version that reads by id show: the latest published one, even if archived, or the draft if nothing is published. */
export function getShownVersion(work: Work, kind: PackageKind, refId: string): VersionRow {
	const { id } = getPackage(work, kind, refId);
	const version = findLatest(work, id) ?? findDraft(work, id);
	assert(version, `package ${id} has a version`);
	return version;
}

/**
 * Returns the version with the number of the query; without one, the version that reads show. Throws PlanNotFound or AddonNotFound.
 * A publishable key sees only the version that is for sale, because the key is public.
 */
export function getVersion(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ version: asked }: { readonly version?: string },
): VersionRow {
	if (isPublishable(work.actor)) return getSoldVersion(work, kind, refId, asked);
	if (asked === undefined) return getShownVersion(work, kind, refId);
	const version = findVersion(work, getPackage(work, kind, refId).id, Number(asked));
	if (!version)
		throw fail(
			notFoundCode[kind],
			`The ${kindName[kind]} '${refId}' has no version ${asked}; GET …/${refId}/versions lists those it has.`,
		);
	return version;
}

/** Throws the same error for a version that is not for sale as for one that does not exist. */
function getSoldVersion(work: Work, kind: PackageKind, refId: string, asked: string | undefined): VersionRow {
	const found = findPackage(work, kind, refId);
	const latest = found && findLatest(work, found.id);
	if (latest?.status !== "PUBLISHED" || (asked !== undefined && Number(asked) !== latest.versionNumber))
		throw unknownPackage(kind, refId);
	return latest;
}

/** Returns a version by its number, in any status. */
export function findVersionOf(work: Work, kind: PackageKind, refId: string, number: number): VersionRow | undefined {
	const found = findPackage(work, kind, refId);
	return found && findVersion(work, found.id, number);
}

/** Returns a page of all versions of a package, newest first, with drafts and former versions. Throws PlanNotFound or AddonNotFound. */
export const listVersions = (work: Work, kind: PackageKind, refId: string, query: PageQuery): Page<VersionRow> =>
	pageVersionsOf(work, getPackage(work, kind, refId).id, query);

/** Returns a version by row id. The id comes from a row that refers to it, so a missing version is a bug. */
export function getVersionById(work: Work, id: string): VersionRow {
	const [version] = selectVersionsByIds(work, [id]);
	assert(version, `package version ${id} exists`);
	return version;
}

export const versionsByIds = (work: Work, ids: readonly string[]): Map<string, VersionRow> =>
	new Map(selectVersionsByIds(work, ids).map((version) => [version.id, version]));

/** Returns the latest version of each package, even if archived. Packages with only a draft are absent. */
export const latestVersionsOf = (work: Work, packageIds: readonly string[]): Map<string, VersionRow> =>
	new Map(selectLatestOf(work, packageIds).map((version) => [version.packageId, version]));

/**
 * Returns one version per package, newest package first; an empty page if the product does not exist. Without statuses, all
 * statuses match. A publishable key sees published versions only.
 */
export function listPackages(work: Work, kind: PackageKind, query: PackageListQuery): Page<ShownVersion> {
	const productId = query.productId === undefined ? undefined : (findProduct(work, query.productId)?.id ?? "");
	const asked = queryValues(query.status);
	const statuses = isPublishable(work.actor)
		? (asked ?? ["PUBLISHED" as const]).filter((status) => status === "PUBLISHED")
		: asked;
	return pageVersions(work, kind, productId, statuses, query);
}

/** Returns all charges of a version, overage included, in the order in which they were set. */
export const chargesOf = (work: Work, versionId: string): ChargeRow[] => selectCharges(work, versionId);

export const chargesOfVersions = (work: Work, versionIds: readonly string[]): Map<string, ChargeRow[]> =>
	Map.groupBy(selectChargesOf(work, versionIds), (charge) => charge.versionId);

/** Whether any version prices this feature (a row id) in credits; without an id, any feature. */
export const isPricedInCredits = (work: Work, featureId?: string): boolean =>
	selectCreditPriced(work).some((priced) => featureId === undefined || priced.featureId === featureId);

/** Returns the environments in which any version prices a feature in credits. */
export const environmentsPricedInCredits = (work: Work): ReadonlySet<string> =>
	new Set(selectCreditPricedEnvironments(work).map(({ environmentId }) => environmentId));

/** Returns one page of the charges of a version (a row id): the overage, or all others. */
export const listCharges = (work: Work, versionId: string, isOverage: boolean, query: PageQuery): Page<ChargeRow> =>
	pageCharges(work, versionId, isOverage, query);

/** Returns the version's own entitlements, in the order in which they were added. */
export const entitlementsOf = (work: Work, versionId: string): PackageEntitlementRow[] =>
	selectEntitlements(work, [versionId]);

export const entitlementsOfVersions = (
	work: Work,
	versionIds: readonly string[],
): Map<string, PackageEntitlementRow[]> =>
	Map.groupBy(selectEntitlements(work, versionIds), (entitlement) => entitlement.versionId);

/**
 * Returns the entitlements that a plan's version inherits. For each feature and currency the nearest base plan's grant counts, in
 * its latest published version. A base plan that was never published grants nothing. The version's own grants are not subtracted,
 * because they are added to the base's (docs/interface/catalogue.md).
 */
export function inheritedEntitlementsOf(work: Work, version: Pick<VersionRow, "parentId">): PackageEntitlementRow[] {
	const inherited = new Map<string | null, PackageEntitlementRow>();
	const seen = new Set<string>();
	let parentId = version.parentId;
	while (parentId !== null && !seen.has(parentId)) {
		seen.add(parentId);
		const base = findLatest(work, parentId);
		if (!base) break;
		for (const entitlement of entitlementsOf(work, base.id)) {
			const target = entitlement.featureId ?? entitlement.currencyId;
			if (!inherited.has(target)) inherited.set(target, entitlement);
		}
		parentId = base.parentId;
	}
	return [...inherited.values()];
}
