import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import { charges, packageVersions } from "../../packages/table";
import { subscriptions } from "../table";
import { spendChecks } from "./table";

// Marks subscriptions whose usage may be invoiced at once: at a threshold, or at each event. Other customers cost one look at an index.

const { placeholder } = sql;

/** Repeats the condition of the indexes. */
const anyThresholds = sql`spend_thresholds IS NOT NULL`;
export const chargedAtEvent = sql`price_terms ->> 'eventInvoicing' IS NOT NULL`;

/** Whether events of a selected subscription are invoiced at once. */
const invoicesEvents = sql`EXISTS (
	SELECT 1 FROM charges
	WHERE charges.environment_id = ${subscriptions.environmentId} AND ${chargedAtEvent}
		AND price_terms ->> 'eventInvoicing' = 'EACH_EVENT'
		AND charges.version_id IN (
			SELECT ${subscriptions.versionId}
			UNION ALL SELECT version_id FROM subscription_addons WHERE subscription_id = ${subscriptions.id}
		)
)`;

/** Whether usage of a selected subscription, of its plan's version, may be invoiced at once. */
export const isInvoicedAtOnce = or(
	isNotNull(subscriptions.spendThresholds),
	isNotNull(packageVersions.spendThresholds),
	invoicesEvents,
);

/** The usage of a child counts for subscriptions of its parent that include it. */
const parent = sql`(SELECT parent_customer_id FROM customers WHERE id = ${placeholder("customerId")})`;

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
	anyAtEvent: tx
		.select({ id: charges.id })
		.from(charges)
		.where(and(eq(charges.environmentId, placeholder("environmentId")), chargedAtEvent))
		.limit(1)
		.prepare(),
	ofCustomer: tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(packageVersions, eq(packageVersions.id, subscriptions.versionId))
		.where(
			and(
				or(
					eq(subscriptions.customerId, placeholder("customerId")),
					and(eq(subscriptions.customerId, parent), isNotNull(subscriptions.childUsage)),
				),
				eq(subscriptions.status, "ACTIVE"),
				isInvoicedAtOnce,
			),
		)
		.prepare(),
	one: tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(packageVersions, eq(packageVersions.id, subscriptions.versionId))
		.where(and(eq(subscriptions.id, placeholder("id")), eq(subscriptions.status, "ACTIVE"), isInvoicedAtOnce))
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

/** Whether the environment has thresholds, or usage that each event charges. */
export const invoicesAtOnce = (work: Work): boolean => {
	const { anyOwn, anyOfPlans, anyAtEvent } = work.prepared(statements);
	const { environmentId } = work.actor;
	return [anyOwn, anyOfPlans, anyAtEvent].some((one) => one.get({ environmentId }) !== undefined);
};

export const insertCheck = (work: Work, environmentId: string, subscriptionId: string, nextDueAt: Instant): void => {
	work.prepared(statements).insert.run({ environmentId, subscriptionId, nextDueAt });
};

/** Marks the subscriptions of a customer (its row id) whose usage may be invoiced at once. */
export function markCustomer(work: Work, environmentId: string, customerId: string, dueAt: Instant): void {
	for (const { id } of work.prepared(statements).ofCustomer.all({ customerId }))
		insertCheck(work, environmentId, id, dueAt);
}

/** Marks a subscription (its row id) that is new, or whose terms may have changed, if its usage may be invoiced at once. */
export function markChangedTerms(work: Work, id: string): void {
	if (work.prepared(statements).one.get({ id })) insertCheck(work, work.actor.environmentId, id, work.now);
}
