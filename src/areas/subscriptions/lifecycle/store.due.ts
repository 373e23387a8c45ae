import { and, asc, between, eq, isNull, min, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { writeColumns } from "../../../kernel/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { environments } from "../../access/table";
import { type SubscriptionRow, subscriptions } from "../table";
import type { DueProblem } from "./rules.due";

/** What could not be done is tried again later; everything else of the row stands. */
export const keepProblem = (work: Work, { id }: Pick<SubscriptionRow, "id">, problem: DueProblem): void => {
	writeColumns(work, subscriptions, id, { problem, nextDueAt: problem.retryAt });
};

/** The first that is due by then; at one time starts come first, since what starts ends what it replaces. */
export function selectNextDue(work: Work, until: Instant): SubscriptionRow | undefined {
	const dueAt = selectFirstDueAt(work);
	return dueAt === null || dueAt > until ? undefined : firstOf(work, firstDue, { dueAt });
}

/** As `selectNextDue`, of one customer by now. */
export function selectDueOfCustomer(work: Work, customerId: string): SubscriptionRow | undefined {
	const { environmentId } = work.actor;
	const dueAt = work.prepared(firstDueAtOfCustomer).get({ environmentId, customerId })?.at ?? null;
	return dueAt === null || dueAt > work.now ? undefined : firstOf(work, firstDueOfCustomer, { customerId, dueAt });
}

export const selectFirstDueAt = (work: Work): Instant | null =>
	work.prepared(firstDueAt).get({ environmentId: work.actor.environmentId })?.at ?? null;

/** In two looks, each along an index: so that one of ten thousand that are due is found as fast as one of ten. */
const firstOf = (
	work: Work,
	statement: typeof firstDue | typeof firstDueOfCustomer,
	of: { readonly customerId?: string; readonly dueAt: Instant },
): SubscriptionRow | undefined => {
	const prepared = work.prepared(statement);
	const { environmentId } = work.actor;
	return (
		prepared.get({ environmentId, ...of, first: "NOT_STARTED", last: "NOT_STARTED" }) ??
		prepared.get({ environmentId, ...of, first: "", last: "~" })
	);
};

const ofEnvironment = eq(subscriptions.environmentId, sql.placeholder("environmentId"));
const ofCustomer = eq(subscriptions.customerId, sql.placeholder("customerId"));

const firstDueAt = (tx: Transaction) =>
	tx
		.select({ at: min(subscriptions.nextDueAt) })
		.from(subscriptions)
		.where(ofEnvironment)
		.prepare();

const firstDueAtOfCustomer = (tx: Transaction) =>
	tx
		.select({ at: min(subscriptions.nextDueAt) })
		.from(subscriptions)
		.where(and(ofEnvironment, ofCustomer))
		.prepare();

const isDue = and(
	ofEnvironment,
	eq(subscriptions.nextDueAt, sql.placeholder("dueAt")),
	between(subscriptions.status, sql.placeholder("first"), sql.placeholder("last")),
);

const firstDue = (tx: Transaction) =>
	tx.select().from(subscriptions).where(isDue).orderBy(subscriptions.status, subscriptions.id).limit(1).prepare();

const firstDueOfCustomer = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(and(isDue, ofCustomer))
		.orderBy(subscriptions.status, subscriptions.id)
		.limit(1)
		.prepare();

/**
 * Of every environment on the wall clock, by when it is due: asked by the service itself, which serves them all. One look
 * along the index for each, however many subscriptions wait in it.
 */
export const selectFirstDueOnWallClock = (work: Work): Array<{ environmentId: string; dueAt: Instant }> =>
	work
		.prepared(firstDueOnWallClock)
		.all()
		.flatMap(({ environmentId, dueAt }) => (dueAt === null ? [] : { environmentId, dueAt }));

const firstDueOnWallClock = (tx: Transaction) => {
	// A query within, not a text of one: a text's columns lose the names of their tables where there is one table only.
	const firstDue = tx
		.select({ at: min(subscriptions.nextDueAt) })
		.from(subscriptions)
		.where(eq(subscriptions.environmentId, environments.id));
	const dueAt = sql<Instant | null>`(${firstDue})`.as("due_at");
	return tx
		.select({ environmentId: environments.id, dueAt })
		.from(environments)
		.where(isNull(environments.clockAt))
		.orderBy(asc(dueAt))
		.prepare();
};
