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

/** By the caller's ids, as far as they exist. */
export const packagesByRefs = (work: Work, kind: PackageKind, refIds: readonly string[]): Map<string, PackageRow> =>
	new Map(selectPackagesByRef(work, kind, refIds).map((found) => [found.refId, found]));

export const packagesByIds = (work: Work, ids: readonly string[]): Map<string, PackageRow> =>
	new Map(selectPackages(work, ids).map((found) => [found.id, found]));

/**
 * The version that new subscriptions take. Throws PlanNotFound or AddonNotFound; UnPublishedPackage while there is only
 * a draft; EntityIsArchivedError once the package is archived.
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

/** The version that reads by id show: the latest published one, archived or not, or the draft when nothing is published. */
export function getShownVersion(work: Work, kind: PackageKind, refId: string): VersionRow {
	const { id } = getPackage(work, kind, refId);
	const version = findLatest(work, id) ?? findDraft(work, id);
	assert(version, `package ${id} has a version`);
	return version;
}

/**
 * A version by its number as the query has it, or the one that reads show. Throws PlanNotFound or AddonNotFound. To a
 * publishable key there is only what is sold now: it is in the page of whoever looks at the prices.
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

/** What is not sold, or not any more, does not tell itself apart from what there is none of. */
function getSoldVersion(work: Work, kind: PackageKind, refId: string, asked: string | undefined): VersionRow {
	const found = findPackage(work, kind, refId);
	const latest = found && findLatest(work, found.id);
	if (latest?.status !== "PUBLISHED" || (asked !== undefined && Number(asked) !== latest.versionNumber))
		throw unknownPackage(kind, refId);
	return latest;
}

/** A version by its number, whatever has become of it since. */
export function findVersionOf(work: Work, kind: PackageKind, refId: string, number: number): VersionRow | undefined {
	const found = findPackage(work, kind, refId);
	return found && findVersion(work, found.id, number);
}

/** Every version of a package, drafts and former ones included, newest first. Throws PlanNotFound or AddonNotFound. */
export const listVersions = (work: Work, kind: PackageKind, refId: string, query: PageQuery): Page<VersionRow> =>
	pageVersionsOf(work, getPackage(work, kind, refId).id, query);

/** By row id. Whoever has the id got it from a row that refers to it, so its absence is a bug of ours. */
export function getVersionById(work: Work, id: string): VersionRow {
	const [version] = selectVersionsByIds(work, [id]);
	assert(version, `package version ${id} exists`);
	return version;
}

export const versionsByIds = (work: Work, ids: readonly string[]): Map<string, VersionRow> =>
	new Map(selectVersionsByIds(work, ids).map((version) => [version.id, version]));

/** By package id: the versions published last, archived ones included; packages that have only a draft are left out. */
export const latestVersionsOf = (work: Work, packageIds: readonly string[]): Map<string, VersionRow> =>
	new Map(selectLatestOf(work, packageIds).map((version) => [version.packageId, version]));

/**
 * One version for each package, newest package first. A product that does not exist has no packages. Of the statuses asked
 * for, all of them when none is, a publishable key sees what is published.
 */
export function listPackages(work: Work, kind: PackageKind, query: PackageListQuery): Page<ShownVersion> {
	const productId = query.productId === undefined ? undefined : (findProduct(work, query.productId)?.id ?? "");
	const asked = queryValues(query.status);
	const statuses = isPublishable(work.actor)
		? (asked ?? ["PUBLISHED" as const]).filter((status) => status === "PUBLISHED")
		: asked;
	return pageVersions(work, kind, productId, statuses, query);
}

/** All charges of a version, overage included, in the order in which they were set. */
export const chargesOf = (work: Work, versionId: string): ChargeRow[] => selectCharges(work, versionId);

export const chargesOfVersions = (work: Work, versionIds: readonly string[]): Map<string, ChargeRow[]> =>
	Map.groupBy(selectChargesOf(work, versionIds), (charge) => charge.versionId);

/** Whether any version prices a feature (its row id), or without one any feature, in credits. */
export const isPricedInCredits = (work: Work, featureId?: string): boolean =>
	selectCreditPriced(work).some((priced) => featureId === undefined || priced.featureId === featureId);

/** The environments in which any version prices a feature in credits. */
export const environmentsPricedInCredits = (work: Work): ReadonlySet<string> =>
	new Set(selectCreditPricedEnvironments(work).map(({ environmentId }) => environmentId));

/** One page of a version's charges (its row id): of overage, or all others. */
export const listCharges = (work: Work, versionId: string, isOverage: boolean, query: PageQuery): Page<ChargeRow> =>
	pageCharges(work, versionId, isOverage, query);

/** A version's own entitlements, in the order in which they were added. */
export const entitlementsOf = (work: Work, versionId: string): PackageEntitlementRow[] =>
	selectEntitlements(work, [versionId]);

export const entitlementsOfVersions = (
	work: Work,
	versionIds: readonly string[],
): Map<string, PackageEntitlementRow[]> =>
	Map.groupBy(selectEntitlements(work, versionIds), (entitlement) => entitlement.versionId);

/**
 * What a plan's version inherits: for each feature and currency the grant of the nearest base plan that has one, in its
 * latest published version. A base plan that was never published grants nothing. What the version grants itself is not
 * taken off: a plan's own grant is added to the base's (docs/interface/catalogue.md).
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
