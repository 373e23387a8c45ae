import { and, asc, eq, type SQL } from "drizzle-orm";
import { amongIds, changeRow, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type PackageEntitlementRow, packageEntitlements } from "../table";

const inEnvironment = ({ actor }: Work): SQL => eq(packageEntitlements.environmentId, actor.environmentId);

/** Returns the entitlements in the order in which they were added. */
export const selectEntitlements = (work: Work, versionIds: readonly string[]): PackageEntitlementRow[] =>
	versionIds.length === 0 ? [] : work.remembered(entitlementsAmong).all(idsIn(work, versionIds));

const entitlementsAmong = (tx: Transaction) =>
	tx
		.select()
		.from(packageEntitlements)
		.where(amongIds(packageEntitlements.environmentId, packageEntitlements.versionId))
		.orderBy(asc(packageEntitlements.id))
		.prepare();

export type NewEntitlement = Omit<
	PackageEntitlementRow,
	"id" | "environmentId" | "versionId" | "createdAt" | "updatedAt"
>;

export const insertEntitlement = (work: Work, versionId: string, entitlement: NewEntitlement): PackageEntitlementRow =>
	insertRow(work, packageEntitlements, {
		...entitlement,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		versionId,
		createdAt: work.now,
		updatedAt: work.now,
	});

export const saveEntitlement = (
	work: Work,
	{ id }: PackageEntitlementRow,
	changes: Partial<NewEntitlement>,
): PackageEntitlementRow => changeRow(work, packageEntitlements, id, { ...changes, updatedAt: work.now });

export const deleteEntitlement = (work: Work, { id }: PackageEntitlementRow): void => {
	work.tx
		.delete(packageEntitlements)
		.where(and(inEnvironment(work), eq(packageEntitlements.id, id)))
		.run();
};

export const deleteEntitlements = (work: Work, versionId: string): void => {
	work.tx
		.delete(packageEntitlements)
		.where(and(inEnvironment(work), eq(packageEntitlements.versionId, versionId)))
		.run();
};

/** Copies all entitlements of one version to another, in the same order. */
export function copyEntitlements(work: Work, fromVersionId: string, toVersionId: string): void {
	for (const entitlement of selectEntitlements(work, [fromVersionId]))
		insertEntitlement(work, toVersionId, entitlement);
}
