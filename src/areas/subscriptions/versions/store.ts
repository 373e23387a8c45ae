import { and, asc, count, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { packageVersions, type VersionRow } from "../../packages/table";
import { type Counted, countRunning, countRunningByTerms } from "../lists/store.counts";
import { type SubscriptionRow, subscriptions } from "../table";
import { subscriptionAddons } from "../table.parts";
import { isRunning } from "./store.catalogue";

/** The version that subscriptions move to. */
export type TargetVersion = Pick<VersionRow, "id" | "packageId" | "kind" | "versionNumber">;

/** Selects the versions of the package that are older than the target. */
const olderThan = (work: Work, { packageId, versionNumber }: TargetVersion) =>
	work.tx
		.select({ id: packageVersions.id })
		.from(packageVersions)
		.where(and(eq(packageVersions.packageId, packageId), lt(packageVersions.versionNumber, versionNumber)));

/** Active subscriptions on an older version of the package. */
function isBehind(work: Work, target: TargetVersion): SQL | undefined {
	const { packageId, kind } = target;
	const older = olderThan(work, target);
	if (kind === "PLAN")
		return and(isRunning(work), eq(subscriptions.planId, packageId), inArray(subscriptions.versionId, older));
	const holders = work.tx
		.select({ id: subscriptionAddons.subscriptionId })
		.from(subscriptionAddons)
		.where(and(eq(subscriptionAddons.addonId, packageId), inArray(subscriptionAddons.versionId, older)));
	return and(isRunning(work), inArray(subscriptions.id, holders));
}

/** The same condition for the stored counts of a plan. */
const isCountedBehind =
	(work: Work, target: TargetVersion): Counted =>
	({ planId, versionId }) =>
		and(eq(planId, target.packageId), inArray(versionId, olderThan(work, target)));

/** In the order of their row ids, after `afterId`. */
export const selectBehind = (work: Work, target: TargetVersion, afterId: string, rowsMax: number): SubscriptionRow[] =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(isBehind(work, target), gt(subscriptions.id, afterId)))
		.orderBy(asc(subscriptions.id))
		.limit(rowsMax)
		.all();

export const countBehind = (work: Work, target: TargetVersion): number =>
	target.kind === "PLAN"
		? countRunning(work, isCountedBehind(work, target))
		: (work.tx.select({ rows: count() }).from(subscriptions).where(isBehind(work, target)).get()?.rows ?? 0);

/** Selects the row ids of the older versions that active subscriptions have. */
export function selectVersionsBehind(work: Work, target: TargetVersion): string[] {
	if (target.kind === "PLAN") {
		const terms = countRunningByTerms(work, isCountedBehind(work, target));
		return [...new Set(terms.map(({ versionId }) => versionId))];
	}
	return work.tx
		.selectDistinct({ id: subscriptionAddons.versionId })
		.from(subscriptionAddons)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionAddons.subscriptionId))
		.where(and(isRunning(work), inArray(subscriptionAddons.versionId, olderThan(work, target))))
		.all()
		.map(({ id }) => id);
}

interface Holder {
	readonly customerId: string;
	readonly versionId: string;
}

/**
 * Selects the first customers of each version by row id, each once. An index has a version's customers in this order,
 * so only as many rows as requested are read.
 */
export function selectHolders(
	work: Work,
	{ kind }: TargetVersion,
	versionIds: readonly string[],
	customersPerVersionMax: number,
): Holder[] {
	const source =
		kind === "PLAN"
			? sql`${subscriptions} where ${subscriptions.versionId} = version.value and ${isRunning(work)}`
			: sql`${subscriptionAddons} inner join ${subscriptions} on ${subscriptions.id} = ${subscriptionAddons.subscriptionId}
				where ${subscriptionAddons.versionId} = version.value and ${isRunning(work)}`;
	const customers = sql`select distinct ${subscriptions.customerId} as id from ${source}
		order by ${subscriptions.customerId} limit ${customersPerVersionMax}`;
	return work.tx
		.values<[string, string]>(
			sql`select version.value, holder.value from json_each(${JSON.stringify(versionIds)}) as version,
				json_each((select json_group_array(id) from (${customers}))) as holder`,
		)
		.map(([versionId, customerId]) => ({ versionId, customerId }));
}
