import { and, asc, eq, exists, getTableColumns, inArray, not, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { createdWithin, type Page, type PageQuery, readPage } from "../../kernel/page";
import { beginsWith, foundAmong, idsWhere } from "../../kernel/search";
import { amongIds, changeRow, idsIn, insertRow, insertRows, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { PackageKind, PackageListQuery, PackageStatus } from "./schema";
import { type PackageRow, packages, packageVersions, type VersionRow } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(packageVersions.environmentId, actor.environmentId);

const versionColumns = {
	...getTableColumns(packageVersions),
	kind: packages.kind,
	refId: packages.refId,
	productId: packages.productId,
	packageCreatedAt: packages.createdAt,
};

/** Literals, not parameters: SQLite can then see that the partial indexes of the table apply. */
const isLatest = sql`${packageVersions.isLatest} = 1`;
const isDraft = sql`${packageVersions.status} = 'DRAFT'`;

export const selectVersions = (work: Work) =>
	work.tx.select(versionColumns).from(packageVersions).innerJoin(packages, eq(packages.id, packageVersions.packageId));

const packageByRef = (tx: Transaction) =>
	tx
		.select()
		.from(packages)
		.where(
			and(
				eq(packages.environmentId, sql.placeholder("environmentId")),
				eq(packages.kind, sql.placeholder("kind")),
				eq(packages.refId, sql.placeholder("refId")),
			),
		)
		.prepare();

export const findPackage = (work: Work, kind: PackageKind, refId: string): PackageRow | undefined =>
	work.remembered(packageByRef).get({ environmentId: work.actor.environmentId, kind, refId });

export const selectPackages = (work: Work, ids: readonly string[]): PackageRow[] =>
	ids.length === 0 ? [] : work.remembered(packagesAmong).all(idsIn(work, ids));

const packagesAmong = (tx: Transaction) =>
	tx.select().from(packages).where(amongIds(packages.environmentId, packages.id)).prepare();

export const selectPackagesByRef = (work: Work, kind: PackageKind, refIds: readonly string[]): PackageRow[] =>
	work.tx
		.select()
		.from(packages)
		.where(
			and(
				eq(packages.environmentId, work.actor.environmentId),
				eq(packages.kind, kind),
				inArray(packages.refId, [...refIds]),
			),
		)
		.all();

/** Returns the version that was published last, even if archived; undefined if there is only a draft. */
export const findLatest = (work: Work, packageId: string): VersionRow | undefined =>
	work.remembered(latestVersion).get({ environmentId: work.actor.environmentId, packageId });

const latestVersion = (tx: Transaction) =>
	tx
		.select(versionColumns)
		.from(packageVersions)
		.innerJoin(packages, eq(packages.id, packageVersions.packageId))
		.where(
			and(
				eq(packageVersions.environmentId, sql.placeholder("environmentId")),
				eq(packageVersions.packageId, sql.placeholder("packageId")),
				isLatest,
			),
		)
		.prepare();

export const findDraft = (work: Work, packageId: string): VersionRow | undefined =>
	selectVersions(work)
		.where(and(inEnvironment(work), eq(packageVersions.packageId, packageId), isDraft))
		.get();

const versionsAmong = (tx: Transaction) =>
	tx
		.select(versionColumns)
		.from(packageVersions)
		.innerJoin(packages, eq(packages.id, packageVersions.packageId))
		.where(amongIds(packageVersions.environmentId, packageVersions.id))
		.prepare();

export const selectVersionsByIds = (work: Work, ids: readonly string[]): VersionRow[] =>
	ids.length === 0 ? [] : work.remembered(versionsAmong).all(idsIn(work, ids));

export const selectLatestOf = (work: Work, packageIds: readonly string[]): VersionRow[] =>
	selectVersions(work)
		.where(and(inEnvironment(work), inArray(packageVersions.packageId, [...packageIds]), isLatest))
		.all();

/** Drafts and published versions; former and archived versions are excluded. */
export const isActive = or(and(isLatest, sql`${packageVersions.status} = 'PUBLISHED'`), isDraft);

/** Returns the drafts and published versions whose base is this package. */
export const selectChildren = (work: Work, packageId: string): VersionRow[] =>
	selectVersions(work)
		.where(and(inEnvironment(work), eq(packageVersions.parentId, packageId), isActive))
		.all();

/** Returns the drafts and published versions of the addon's product that name it, as compatible or as a dependency. */
export const selectNamingAddon = (work: Work, addon: Pick<PackageRow, "productId" | "refId">): VersionRow[] => {
	const names = (list: SQLiteColumn): SQL =>
		sql`exists (select 1 from json_each(${list}) where json_each.value = ${addon.refId})`;
	return selectVersions(work)
		.where(
			and(
				inEnvironment(work),
				eq(packages.productId, addon.productId),
				isActive,
				or(names(packageVersions.compatibleAddonRefs), names(packageVersions.dependencyRefs)),
			),
		)
		.all();
};

/** Returns one version of a package by its number. */
export const findVersion = (work: Work, packageId: string, versionNumber: number): VersionRow | undefined =>
	selectVersions(work)
		.where(
			and(
				inEnvironment(work),
				eq(packageVersions.packageId, packageId),
				eq(packageVersions.versionNumber, versionNumber),
			),
		)
		.get();

/** Returns a page of all versions of a package, newest first. The page cursor is the row id of the version. */
export const pageVersionsOf = (work: Work, packageId: string, query: PageQuery): Page<VersionRow> => {
	const ofPackage = and(inEnvironment(work), eq(packageVersions.packageId, packageId));
	return readPage(
		query,
		packageVersions.id,
		(cursor) =>
			selectVersions(work)
				.where(and(ofPackage, eq(packageVersions.id, cursor)))
				.get() !== undefined,
		(beyondCursor, order, rowsMax) =>
			selectVersions(work).where(and(ofPackage, beyondCursor)).orderBy(order).limit(rowsMax).all(),
	);
};

/**
 * Returns the drafts and latest versions of a product's plans and addons. Orders them by package, oldest first, each with its
 * published version first.
 */
export const selectVersionsOfProduct = (work: Work, productId: string): VersionRow[] =>
	selectVersions(work)
		.where(and(inEnvironment(work), eq(packages.productId, productId), or(isLatest, isDraft)))
		.orderBy(asc(packages.id), asc(packageVersions.versionNumber))
		.all();

/**
 * One row per package: its latest version, or else its draft. With statuses, the version that has one of them, so `status=DRAFT`
 * shows the open draft of a published package. (Our reading: one id covers all versions.)
 */
const shownVersion = (work: Work, statuses: readonly PackageStatus[] | undefined): SQL | undefined => {
	const latest = alias(packageVersions, "latest");
	const hasShownLatest = exists(
		work.tx
			.select({ one: sql`1` })
			.from(latest)
			.where(
				and(
					eq(latest.packageId, packageVersions.packageId),
					sql`${latest.isLatest} = 1`,
					statuses && inArray(latest.status, [...statuses]),
				),
			),
	);
	return and(
		statuses && inArray(packageVersions.status, [...statuses]),
		or(isLatest, and(isDraft, not(hasShownLatest))),
	);
};

/** A version with its package's id as `id`. All versions share this id, and it is the page cursor. */
export interface ShownVersion {
	readonly id: string;
	readonly version: VersionRow;
}

/** Matches the beginning of the id, or of the name of the shown version. Names of other versions do not match. */
function foundBy(work: Work, kind: PackageKind, text: string): SQL | undefined {
	const { environmentId } = work.actor;
	const refBegins = beginsWith(packages.refId, text);
	const nameBegins = beginsWith(sql`${packageVersions.displayName} collate nocase`, text);
	const found = foundAmong(packages.id, [
		idsWhere(packages.id, packages, and(eq(packages.environmentId, environmentId), eq(packages.kind, kind), refBegins)),
		idsWhere(
			packageVersions.packageId,
			packageVersions,
			and(eq(packageVersions.environmentId, environmentId), or(isLatest, isDraft), nameBegins),
		),
	]);
	return and(found, or(refBegins, nameBegins));
}

export function pageVersions(
	work: Work,
	kind: PackageKind,
	productId: string | undefined,
	statuses: readonly PackageStatus[] | undefined,
	query: PackageListQuery,
): Page<ShownVersion> {
	return readPage(
		query,
		packages.id,
		(cursor) => selectPackages(work, [cursor]).some((found) => found.kind === kind),
		(beyondCursor, order, rowsMax) =>
			selectVersions(work)
				.where(
					and(
						eq(packages.environmentId, work.actor.environmentId),
						eq(packages.kind, kind),
						beyondCursor,
						productId === undefined ? undefined : eq(packages.productId, productId),
						query.search === undefined ? undefined : foundBy(work, kind, query.search),
						shownVersion(work, statuses),
						...createdWithin(query, packages.createdAt),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all()
				.map((version) => ({ id: version.packageId, version })),
	);
}

export const insertPackage = (work: Work, input: Pick<PackageRow, "kind" | "refId" | "productId">): PackageRow =>
	insertRow(work, packages, {
		...input,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		createdAt: work.now,
	});

export const savePackage = (work: Work, { id }: PackageRow, changes: Pick<PackageRow, "legalEntityId">): PackageRow =>
	changeRow(work, packages, id, changes);

export type VersionTerms = Pick<
	VersionRow,
	| "displayName"
	| "description"
	| "billingId"
	| "metadata"
	| "pricingType"
	| "overageBillingPeriod"
	| "prorationMode"
	| "taxes"
	| "billingAnchor"
	| "phases"
	| "term"
	| "spendThresholds"
	| "commitments"
	| "parentId"
	| "compatibleAddonRefs"
	| "defaultTrial"
	| "dependencyRefs"
	| "maxQuantity"
>;

export function insertDraft(work: Work, packageId: string, versionNumber: number, terms: VersionTerms): string {
	const id = work.newId();
	insertRows(work, packageVersions, [
		{
			...terms,
			id,
			environmentId: work.actor.environmentId,
			packageId,
			versionNumber,
			status: "DRAFT",
			isLatest: false,
			createdAt: work.now,
			updatedAt: work.now,
		},
	]);
	return id;
}

const latestOfAll = (tx: Transaction) =>
	tx
		.select({ id: packageVersions.id, publishedFor: packageVersions.publishedFor })
		.from(packageVersions)
		.where(and(eq(packageVersions.environmentId, sql.placeholder("environmentId")), isLatest))
		.prepare();

/** Returns the latest version of each package. */
export const selectLatestOfAll = (work: Work) =>
	work.prepared(latestOfAll).all({ environmentId: work.actor.environmentId });

export const saveVersion = (
	work: Work,
	id: string,
	changes: Partial<VersionTerms & Pick<VersionRow, "status" | "isLatest" | "publishedAt" | "publishedFor">>,
): void => {
	writeColumns(work, packageVersions, id, { ...changes, updatedAt: work.now });
};

/** Records that the charges or entitlements of the version changed. */
export const touchVersion = (work: Work, id: string): void => saveVersion(work, id, {});

/** Marks the former latest version. Its `updatedAt` stays, because its terms do not change. */
export const stepBack = (work: Work, id: string): void => {
	writeColumns(work, packageVersions, id, { isLatest: false });
};

export const deleteVersion = (work: Work, id: string): void => {
	work.tx
		.delete(packageVersions)
		.where(and(inEnvironment(work), eq(packageVersions.id, id)))
		.run();
};

export const deletePackage = (work: Work, id: string): void => {
	work.tx
		.delete(packages)
		.where(and(eq(packages.environmentId, work.actor.environmentId), eq(packages.id, id)))
		.run();
};
