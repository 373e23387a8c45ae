import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import { type PackageEntitlementRow, packageEntitlements } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(packageEntitlements.environmentId, actor.environmentId);

/** In the order in which they were added. */
export const selectEntitlements = (work: Work, versionIds: readonly string[]): PackageEntitlementRow[] =>
	work.tx
		.select()
		.from(packageEntitlements)
		.where(and(inEnvironment(work), inArray(packageEntitlements.versionId, [...versionIds])))
		.orderBy(asc(packageEntitlements.id))
		.all();

export type NewEntitlement = Omit<
	PackageEntitlementRow,
	"id" | "environmentId" | "versionId" | "createdAt" | "updatedAt"
>;

export const insertEntitlement = (work: Work, versionId: string, entitlement: NewEntitlement): PackageEntitlementRow =>
	work.tx
		.insert(packageEntitlements)
		.values({
			...entitlement,
			id: work.newId(),
			environmentId: work.actor.environmentId,
			versionId,
			createdAt: work.now,
			updatedAt: work.now,
		})
		.returning()
		.get();

export const saveEntitlement = (
	work: Work,
	{ id }: PackageEntitlementRow,
	changes: Partial<NewEntitlement>,
): PackageEntitlementRow =>
	work.tx
		.update(packageEntitlements)
		.set({ ...changes, updatedAt: work.now })
		.where(and(inEnvironment(work), eq(packageEntitlements.id, id)))
		.returning()
		.get();

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

/** All entitlements of one version again for another, in the same order. */
export function copyEntitlements(work: Work, fromVersionId: string, toVersionId: string): void {
	for (const entitlement of selectEntitlements(work, [fromVersionId]))
		insertEntitlement(work, toVersionId, entitlement);
}
