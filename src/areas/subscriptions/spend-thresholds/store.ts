import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import { environments } from "../../access/table";
import { charges, packageVersions } from "../../packages/table";
import { type SubscriptionRow, subscriptions } from "../table";
import { chargedAtEvent, isInvoicedAtOnce } from "./store.marks";
import { type SpendCheckRow, spendCheckCursor, spendChecks } from "./table";

const { placeholder } = sql;

const cursorId = 1;

/** Subscriptions in memory at once. */
const subscriptionsAtOnceMax = 100;

/**
 * The environments with such rows in a table: one look at its index for each, however many environments and rows there are. The
 * condition is that of the index.
 */
const environmentsIn = (table: typeof subscriptions | typeof packageVersions | typeof charges, condition: SQL) => sql`
	SELECT id FROM (
		WITH RECURSIVE found(id) AS (
			SELECT min(environment_id) FROM ${table} WHERE ${condition}
			UNION ALL
			SELECT (SELECT min(environment_id) FROM ${table} WHERE ${condition} AND environment_id > found.id)
			FROM found WHERE found.id IS NOT NULL
		)
		SELECT id FROM found WHERE id IS NOT NULL
	)`;
const anyThresholds = sql`spend_thresholds IS NOT NULL`;
const environmentsInvoicedAtOnce = sql`${environmentsIn(subscriptions, anyThresholds)}
	UNION ALL ${environmentsIn(packageVersions, anyThresholds)}
	UNION ALL ${environmentsIn(charges, chargedAtEvent)}`;

const statements = (tx: Transaction) => ({
	environments: tx
		.select({ id: environments.id, clockAt: environments.clockAt })
		.from(environments)
		.where(and(isNull(environments.archivedAt), sql`${environments.id} IN (${environmentsInvoicedAtOnce})`))
		.prepare(),
	due: tx
		.select()
		.from(spendChecks)
		.where(
			and(eq(spendChecks.environmentId, placeholder("environmentId")), lte(spendChecks.nextDueAt, placeholder("now"))),
		)
		.orderBy(asc(spendChecks.nextDueAt))
		.limit(placeholder("rowsMax"))
		.prepare(),
	firstDueAt: tx
		.select()
		.from(spendChecks)
		.where(
			and(eq(spendChecks.environmentId, placeholder("environmentId")), eq(spendChecks.nextDueAt, placeholder("dueAt"))),
		)
		.orderBy(asc(spendChecks.subscriptionId))
		.limit(1)
		.prepare(),
	delete: tx
		.delete(spendChecks)
		.where(
			and(
				eq(spendChecks.subscriptionId, placeholder("subscriptionId")),
				eq(spendChecks.nextDueAt, placeholder("nextDueAt")),
			),
		)
		.prepare(),
	cursor: tx.select().from(spendCheckCursor).where(eq(spendCheckCursor.id, cursorId)).prepare(),
	deleteCursor: tx.delete(spendCheckCursor).prepare(),
});

/** Returns the environments whose usage may be invoiced at once that are not archived, with their frozen clocks. */
export const selectEnvironments = (work: Work) => work.prepared(statements).environments.all();

/** Returns the first checks of an environment that are due. */
export const selectDue = (work: Work, environmentId: string, now: Instant, rowsMax: number): SpendCheckRow[] =>
	work.prepared(statements).due.all({ environmentId, now, rowsMax });

/** Returns a check of the work's environment that is due at an instant. */
export const selectDueAt = (work: Work, dueAt: Instant): SpendCheckRow | undefined =>
	work.prepared(statements).firstDueAt.get({ environmentId: work.actor.environmentId, dueAt });

export const deleteCheck = (work: Work, { subscriptionId, nextDueAt }: SpendCheckRow): void => {
	work.prepared(statements).delete.run({ subscriptionId, nextDueAt });
};

/** Undefined where no usage is invoiced at once. */
export const readCursor = (work: Work): number | undefined => work.prepared(statements).cursor.get()?.readTo;

export function writeCursor(work: Work, readTo: number): void {
	work.tx
		.insert(spendCheckCursor)
		.values({ id: cursorId, readTo })
		.onConflictDoUpdate({ target: spendCheckCursor.id, set: { readTo } })
		.run();
}

export const deleteCursor = (work: Work): void => {
	work.prepared(statements).deleteCursor.run();
};

/** Whether a comparison of the subscription is due, now or later. */
export const isMarked = ({ tx }: Work, { id }: SubscriptionRow): boolean =>
	tx.select().from(spendChecks).where(eq(spendChecks.subscriptionId, id)).limit(1).get() !== undefined;

/** Returns the next active subscriptions after a row id whose usage may be invoiced at once. */
export const selectInvoicedAtOnce = ({ tx, actor }: Work, after: string): SubscriptionRow[] =>
	tx
		.select({ row: subscriptions })
		.from(subscriptions)
		.innerJoin(packageVersions, eq(packageVersions.id, subscriptions.versionId))
		.where(
			and(
				eq(subscriptions.environmentId, actor.environmentId),
				eq(subscriptions.status, "ACTIVE"),
				isInvoicedAtOnce,
				gt(subscriptions.id, after),
			),
		)
		.orderBy(asc(subscriptions.id))
		.limit(subscriptionsAtOnceMax)
		.all()
		.map(({ row }) => row);
