import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import { packageVersions } from "../../packages/table";
import { subscriptions } from "../table";
import { spendChecks } from "./table";

// Marks subscriptions whose usage is to be compared with their threshold. Customers without thresholds cost one look at an index.

const { placeholder } = sql;

/** Repeats the condition of the indexes. */
const anyThresholds = sql`spend_thresholds IS NOT NULL`;

const statements = (tx: Transaction) => ({
	anyOwn: tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.where(and(eq(subscriptions.environmentId, placeholder("environmentId")), anyThresholds))
		.limit(1)
		.prepare(),
	anyOfPlans: tx
		.select({ id: packageVersions.id })
		.from(packageVersions)
		.where(and(eq(packageVersions.environmentId, placeholder("environmentId")), anyThresholds))
		.limit(1)
		.prepare(),
	ofCustomer: tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(packageVersions, eq(packageVersions.id, subscriptions.versionId))
		.where(
			and(
				eq(subscriptions.customerId, placeholder("customerId")),
				eq(subscriptions.status, "ACTIVE"),
				or(isNotNull(subscriptions.spendThresholds), isNotNull(packageVersions.spendThresholds)),
			),
		)
		.prepare(),
	one: tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(packageVersions, eq(packageVersions.id, subscriptions.versionId))
		.where(
			and(
				eq(subscriptions.id, placeholder("id")),
				eq(subscriptions.status, "ACTIVE"),
				or(isNotNull(subscriptions.spendThresholds), isNotNull(packageVersions.spendThresholds)),
			),
		)
		.prepare(),
	insert: tx
		.insert(spendChecks)
		.values({
			environmentId: placeholder("environmentId"),
			subscriptionId: placeholder("subscriptionId"),
			nextDueAt: placeholder("nextDueAt"),
		})
		.onConflictDoNothing()
		.prepare(),
});

/** Whether the environment has thresholds. */
export const hasThresholds = (work: Work): boolean => {
	const { anyOwn, anyOfPlans } = work.prepared(statements);
	const { environmentId } = work.actor;
	return anyOwn.get({ environmentId }) !== undefined || anyOfPlans.get({ environmentId }) !== undefined;
};

export const insertCheck = (work: Work, environmentId: string, subscriptionId: string, nextDueAt: Instant): void => {
	work.prepared(statements).insert.run({ environmentId, subscriptionId, nextDueAt });
};

/** Marks the subscriptions with thresholds of a customer (its row id). */
export function markCustomer(work: Work, environmentId: string, customerId: string, dueAt: Instant): void {
	for (const { id } of work.prepared(statements).ofCustomer.all({ customerId }))
		insertCheck(work, environmentId, id, dueAt);
}

/** Marks a subscription (its row id) that is new, or whose threshold may have changed, if it has one. */
export function markChangedTerms(work: Work, id: string): void {
	if (work.prepared(statements).one.get({ id })) insertCheck(work, work.actor.environmentId, id, work.now);
}
