import { and, between, eq, getTableColumns, isNull, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { DueProblem } from "../../../kernel/problem";
import { writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { customers } from "../../customers/table";
import type { DueKind } from "../rules.due";
import { type SubscriptionRow, subscriptions } from "../table";

/** Stores the failure of a due step and the time of the next attempt. Nothing else of the row changes. */
export const storeProblem = (work: Work, { id }: Pick<SubscriptionRow, "id">, problem: DueProblem<DueKind>): void => {
	writeColumns(work, subscriptions, id, { problem, nextDueAt: problem.retryAt });
};

/**
 * Selects the first subscription that is due at this very time. Starts come first, since a start ends the subscription
 * that it replaces.
 */
export const selectDueAt = (work: Work, dueAt: Instant): SubscriptionRow | undefined =>
	firstOf(work, firstDue, { dueAt });

/** Selects the customer's first subscription that is due now. */
export function selectDueOfCustomer(work: Work, customerId: string): SubscriptionRow | undefined {
	const { environmentId } = work.actor;
	const dueAt = work.prepared(firstDueAtOfCustomer).get({ environmentId, customerId })?.at ?? null;
	return dueAt === null || dueAt > work.now ? undefined : firstOf(work, firstDueOfCustomer, { customerId, dueAt });
}

/** Two index lookups find the first row as fast among ten thousand due rows as among ten. */
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

const until = sql.placeholder("until");
const rowsMax = sql.placeholder("rowsMax");
const payer = sql.placeholder("payerId");

const dueNamingPayer = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(and(ofEnvironment, eq(subscriptions.payingCustomerId, payer), lte(subscriptions.nextDueAt, until)))
		.limit(rowsMax)
		.prepare();

/** Subscriptions that name no payer. */
const dueOf = (tx: Transaction, paidFor: SQL | undefined) =>
	tx
		.select(getTableColumns(subscriptions))
		.from(customers)
		.innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
		.where(
			and(
				eq(customers.environmentId, sql.placeholder("environmentId")),
				paidFor,
				isNull(subscriptions.payingCustomerId),
				lte(subscriptions.nextDueAt, until),
			),
		)
		.limit(rowsMax)
		.prepare();

const dueOfItself = (tx: Transaction) =>
	dueOf(tx, and(eq(customers.id, payer), or(isNull(customers.billsTo), isNull(customers.parentCustomerId))));

const dueOfChildren = (tx: Transaction) =>
	dueOf(tx, and(eq(customers.parentCustomerId, payer), eq(customers.billsTo, "PARENT")));

/** Selects subscriptions that a customer pays and that are due by a time, at most so many. */
export function selectDueOfPayer(work: Work, payerId: string, until: Instant, rowsMax: number): SubscriptionRow[] {
	const of = { environmentId: work.actor.environmentId, payerId, until, rowsMax };
	const rows = [dueOfItself, dueOfChildren, dueNamingPayer].flatMap((statement) => work.prepared(statement).all(of));
	return rows.slice(0, rowsMax);
}
