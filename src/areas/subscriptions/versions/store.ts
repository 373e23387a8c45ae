import { and, asc, count, countDistinct, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { amongIds, idsIn } from "../../../kernel/rows";
import type { Transaction, Work } from "../../../kernel/work";

import { packageVersions, type VersionRow } from "../../packages/table";
import { type SubscriptionRow, subscriptions } from "../table";
import { type SubscriptionVersionChangeRow, subscriptionVersionChanges } from "../table.changes";
import { subscriptionAddons } from "../table.parts";
import { isOneOf, isRunning } from "./store.catalogue";

/** The version that subscriptions are to follow to. */
export type TargetVersion = Pick<VersionRow, "id" | "packageId" | "kind" | "versionNumber">;

/** Running subscriptions of a package that hold an older version of it than this one. */
function isBehind(work: Work, { packageId, kind, versionNumber }: TargetVersion): SQL | undefined {
	const older = work.tx
		.select({ id: packageVersions.id })
		.from(packageVersions)
		.where(and(eq(packageVersions.packageId, packageId), lt(packageVersions.versionNumber, versionNumber)));
	if (kind === "PLAN")
		return and(isRunning(work), eq(subscriptions.planId, packageId), inArray(subscriptions.versionId, older));
	const holders = work.tx
		.select({ id: subscriptionAddons.subscriptionId })
		.from(subscriptionAddons)
		.where(and(eq(subscriptionAddons.addonId, packageId), inArray(subscriptionAddons.versionId, older)));
	return and(isRunning(work), inArray(subscriptions.id, holders));
}

/** In the order of their row ids, beyond `afterId`. */
export const selectBehind = (work: Work, target: TargetVersion, afterId: string, rowsMax: number): SubscriptionRow[] =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(isBehind(work, target), gt(subscriptions.id, afterId)))
		.orderBy(asc(subscriptions.id))
		.limit(rowsMax)
		.all();

export const countBehind = (work: Work, target: TargetVersion): number =>
	work.tx.select({ rows: count() }).from(subscriptions).where(isBehind(work, target)).get()?.rows ?? 0;

export const insertVersionChange = (
	work: Work,
	change: Omit<SubscriptionVersionChangeRow, "id" | "changedAt">,
): void => {
	work.tx
		.insert(subscriptionVersionChanges)
		.values({ ...change, id: work.newId(), changedAt: work.now })
		.run();
};

/** By way of the subscription, whose environment it checks; oldest first. */
export const selectVersionChanges = (work: Work, subscriptionId: string): SubscriptionVersionChangeRow[] =>
	work.prepared(versionChangesOf).all(idsIn(work, [subscriptionId]));

const versionChangesOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionVersionChanges))
		.from(subscriptionVersionChanges)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionVersionChanges.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptions.id))
		.orderBy(asc(subscriptionVersionChanges.id))
		.prepare();

/** From running subscriptions that are behind, each with the version of the package that it holds. */
const holdersBehind = (work: Work, target: TargetVersion) => {
	const isAddon = target.kind === "ADDON";
	const heldVersion = isAddon ? subscriptionAddons.versionId : subscriptions.versionId;
	const isHolder = isAddon
		? and(eq(subscriptionAddons.subscriptionId, subscriptions.id), eq(subscriptionAddons.addonId, target.packageId))
		: sql`false`;
	return { heldVersion, isHolder, isBehind: isBehind(work, target) };
};

/** The row ids of the versions that running subscriptions hold and that are older than the target. */
export function selectVersionsBehind(work: Work, target: TargetVersion): string[] {
	const { heldVersion, isHolder, isBehind: behind } = holdersBehind(work, target);
	return work.tx
		.selectDistinct({ id: heldVersion })
		.from(subscriptions)
		.leftJoin(subscriptionAddons, isHolder)
		.where(behind)
		.all()
		.flatMap(({ id }) => id ?? []);
}

/** Of the customers who hold one of these versions and are behind: how many, and the first of them by row id. */
export function selectCustomersOn(work: Work, target: TargetVersion, versionIds: readonly string[], rowsMax: number) {
	const { heldVersion, isHolder, isBehind: behind } = holdersBehind(work, target);
	const onOne = and(behind, isOneOf(heldVersion, versionIds));
	const first = work.tx
		.selectDistinct({ id: subscriptions.customerId })
		.from(subscriptions)
		.leftJoin(subscriptionAddons, isHolder)
		.where(onOne)
		.orderBy(asc(subscriptions.customerId))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);
	return {
		count:
			work.tx
				.select({ rows: countDistinct(subscriptions.customerId) })
				.from(subscriptions)
				.leftJoin(subscriptionAddons, isHolder)
				.where(onOne)
				.get()?.rows ?? 0,
		held: work.tx
			.selectDistinct({ customerId: subscriptions.customerId, versionId: heldVersion })
			.from(subscriptions)
			.leftJoin(subscriptionAddons, isHolder)
			.where(and(onOne, isOneOf(subscriptions.customerId, first)))
			.orderBy(asc(subscriptions.customerId))
			.all(),
	};
}
