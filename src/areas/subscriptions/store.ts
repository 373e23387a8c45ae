import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, min, or, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { stillBlocks } from "../../kernel/problem";
import { amongIds, idsIn, insertRow, newRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { PricingType } from "../packages/schema";
import { writeEventsAtEnd } from "./events";
import { effectiveEndAt, nextDue, type Scheduled } from "./rules.due";
import { assertMayBecome } from "./rules.status";
import type { SubscriptionStatus } from "./schema";
import { markChangedTerms } from "./spend-thresholds/store.marks";
import { type SubscriptionRow, subscriptions } from "./table";

// Each connection prepares the statements of every change and step once.

const byRef = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.refId, sql.placeholder("refId")),
			),
		)
		.prepare();

export const selectByRef = (work: Work, refId: string): SubscriptionRow | undefined =>
	work.prepared(byRef).get({ environmentId: work.actor.environmentId, refId });

const byIds = (tx: Transaction) =>
	tx.select().from(subscriptions).where(amongIds(subscriptions.environmentId, subscriptions.id)).prepare();

export const selectByIds = (work: Work, ids: readonly string[]): SubscriptionRow[] =>
	ids.length === 0 ? [] : work.prepared(byIds).all(idsIn(work, ids));

// Every entitlement check without a cached answer runs this.
const live = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, sql.placeholder("now"))),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

export const selectLive = (work: Work, customerId: string): SubscriptionRow[] =>
	work.prepared(live).all({ environmentId: work.actor.environmentId, customerId, now: work.now });

const everLive = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAUSED", "CANCELED", "EXPIRED"]),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

/** Selects the subscriptions that give access now or gave it once. */
export const selectEverLive = (work: Work, customerId: string): SubscriptionRow[] =>
	work.prepared(everLive).all({ environmentId: work.actor.environmentId, customerId });

const nextStart = (tx: Transaction) =>
	tx
		.select({ at: min(subscriptions.startAt) })
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				eq(subscriptions.status, "NOT_STARTED"),
				gt(subscriptions.startAt, sql.placeholder("now")),
			),
		)
		.prepare();

export const selectNextStart = (work: Work, customerId: string): Instant | null =>
	work.prepared(nextStart).get({ environmentId: work.actor.environmentId, customerId, now: work.now })?.at ?? null;

const firstAnchor = (tx: Transaction) =>
	tx
		.select({ at: subscriptions.billingAnchorAt })
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				isNotNull(subscriptions.billingAnchorAt),
			),
		)
		.orderBy(asc(subscriptions.startAt), asc(subscriptions.id))
		.limit(1)
		.prepare();

/** Selects the anchor of a customer's first charged subscription; null if nothing was charged. */
export const selectFirstAnchor = (work: Work, customerId: string): Instant | null =>
	work.prepared(firstAnchor).get({ environmentId: work.actor.environmentId, customerId })?.at ?? null;

const lastEnded = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				inArray(subscriptions.status, ["CANCELED", "EXPIRED"]),
				sql`${subscriptions.resourceId} is ${sql.placeholder("resourceId")}`,
			),
		)
		.orderBy(desc(subscriptions.endedAt), desc(subscriptions.id))
		.limit(1)
		.prepare();

export const selectLastEnded = (
	work: Work,
	customerId: string,
	resourceId: string | null,
): SubscriptionRow | undefined =>
	work.prepared(lastEnded).get({ environmentId: work.actor.environmentId, customerId, resourceId });

const running = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				amongIds(subscriptions.environmentId, subscriptions.customerId),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED", "PAUSED"]),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

/** Selects the rows of these customers that have not ended: a provision or an import may have to end them. */
export const selectRunning = (work: Work, customerIds: readonly string[]): SubscriptionRow[] =>
	customerIds.length === 0 ? [] : work.prepared(running).all(idsIn(work, customerIds));

const currentOf = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				isRunningOf,
				eq(subscriptions.productId, sql.placeholder("productId")),
				// Any resource, if the product allows one subscription for each customer.
				or(
					sql`${sql.placeholder("anyResource")}`,
					sql`${subscriptions.resourceId} is ${sql.placeholder("resourceId")}`,
				),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

const countRunningOf = (tx: Transaction) =>
	tx.select({ rows: count() }).from(subscriptions).where(isRunningOf).prepare();

const isRunningOf = and(
	eq(subscriptions.environmentId, sql.placeholder("environmentId")),
	eq(subscriptions.customerId, sql.placeholder("customerId")),
	inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED", "PAUSED"]),
);

/** The slot of a subscription: one resource (its row id; null: none), or any resource. */
export interface SlotFilter {
	readonly customerId: string;
	readonly productId: string;
	readonly resourceId: string | null;
	readonly anyResource: boolean;
}

export const selectCurrent = (work: Work, { anyResource, ...filter }: SlotFilter): SubscriptionRow[] =>
	work
		.prepared(currentOf)
		.all({ environmentId: work.actor.environmentId, ...filter, anyResource: anyResource ? 1 : 0 });

export const countRunning = (work: Work, customerId: string): number =>
	work.prepared(countRunningOf).get({ environmentId: work.actor.environmentId, customerId })?.rows ?? 0;

/** Columns that later steps fill; null by default. */
type Lifecycle =
	| "usageBilledFrom"
	| "usageBilledUntil"
	| "usageDueAt"
	| "creditsDueAt"
	| "chargedFrom"
	| "nextCycle"
	| "cycleStartsAt"
	| "termsChangedAt"
	| "chargedCurrency"
	| "chargedMinimum"
	| "prorations"
	| "cancelAction"
	| "paymentDueAt"
	| "supersedesId"
	| "supersedesAs"
	| "trialBudget"
	| "trialBillsUsage"
	| "cancelProrates"
	| "canceledByCustomer"
	| "phase"
	| "runningTerm"
	| "uplifts"
	| "pause"
	| "isHeld";

/** Columns that follow from the rest of a row. Only the functions of this file write them. */
type Derived = "nextDueAt" | "nextUpdateAt" | "effectiveEndAt" | "problem";

export type NewSubscription = Omit<
	SubscriptionRow,
	| "id"
	| "environmentId"
	| "createdAt"
	| "updatedAt"
	| "contractId"
	| "contractRefId"
	| "status"
	| "cancelReason"
	| "endedAt"
	| "replacesId"
	| Lifecycle
	| Derived
> &
	Partial<Pick<SubscriptionRow, Lifecycle>>;

/** Inserts a subscription as NOT_STARTED, even if it starts now: `changeStatus` decides its further course. */
export function insertSubscription(work: Work, subscription: NewSubscription): SubscriptionRow {
	const row = { ...subscription, status: "NOT_STARTED" as const };
	work.accessChanged(row.customerId);
	const inserted = insertRow(work, subscriptions, { ...row, ...newRow(work), ...derivedOf({ ...nothingDue, ...row }) });
	emitEvents(work, inserted.id, undefined);
	markThresholdAtEnd(work, inserted.id);
	return inserted;
}

/** Defaults of a new row. */
const nothingDue = {
	...{ paymentDueAt: null, usageDueAt: null, nextUpdateAt: null, creditsDueAt: null, problem: null },
	...{ phase: null, runningTerm: null, pause: null, isHeld: false },
};

function derivedOf(row: Scheduled & Pick<SubscriptionRow, "problem">) {
	const due = nextDue(row);
	return { nextDueAt: due?.at ?? null, effectiveEndAt: effectiveEndAt(row), problem: stillBlocks(row.problem, due) };
}

export type Changes = Partial<Omit<SubscriptionRow, Derived | "status">>;

/** Changes any column except the status. */
export const changeSubscription = (work: Work, row: Pick<SubscriptionRow, "id">, changes: Changes): SubscriptionRow =>
	write(work, row, changes);

/**
 * Changes the status, and other columns with it. Calls, due steps, payments and imports all use this function.
 * Throws InvalidSubscriptionStatus for a transition that the table does not allow.
 */
export function changeStatus(
	work: Work,
	row: Pick<SubscriptionRow, "id" | "refId" | "status">,
	status: SubscriptionStatus,
	changes: Changes = {},
): SubscriptionRow {
	assertMayBecome(row, status);
	return write(work, row, { ...changes, status });
}

function write(
	work: Work,
	{ id }: Pick<SubscriptionRow, "id">,
	changes: Partial<Omit<SubscriptionRow, Derived>>,
): SubscriptionRow {
	return derive(work, id, { ...changes, updatedAt: work.now }, true);
}

const emitEvents = (work: Work, id: string, before: SubscriptionRow | undefined): void =>
	writeEventsAtEnd(work, id, before, () => selectByIds(work, [id])[0]);

/** The columns that decide which threshold applies. */
const ofThreshold = ["status", "versionId", "spendThresholds"] as const;

const markThresholdAtEnd = (work: Work, id: string): void =>
	work.atEnd(`threshold ${id}`, () => markChangedTerms(work, id));

/**
 * Writes changes with the next step and the effective end that follow from them. A blocked step is tried again at once,
 * since the change may have removed its cause.
 */
function derive(work: Work, id: string, changes: Partial<SubscriptionRow>, writesEvent = false): SubscriptionRow {
	const [before] = selectByIds(work, [id]);
	assert(before, "a subscription that is changed is there");
	if (writesEvent) emitEvents(work, id, before);
	if (ofThreshold.some((name) => name in changes && !Bun.deepEquals(changes[name], before[name])))
		markThresholdAtEnd(work, id);
	const changed = { ...before, ...changes };
	const derived = derivedOf(changed);
	writeColumns(work, subscriptions, id, { ...changes, ...derived });
	work.accessChanged(changed.customerId);
	return { ...changed, ...derived };
}

/** Sets when usage is checked next. No user sees that time, so no event is written. */
export const setUsageDue = (work: Work, row: SubscriptionRow, usageDueAt: Instant | null): SubscriptionRow =>
	derive(work, row.id, { usageDueAt });

/** Sets when credits are granted next. No user sees that time, so no event is written. */
export const setCreditsDue = (work: Work, row: SubscriptionRow, creditsDueAt: Instant | null): SubscriptionRow =>
	derive(work, row.id, { creditsDueAt });

/** Sets the time of the next scheduled update, after updates have changed. */
export const setNextUpdate = (work: Work, row: SubscriptionRow, nextUpdateAt: Instant | null): SubscriptionRow =>
	derive(work, row.id, { nextUpdateAt });

/** Selects the subscriptions that are scheduled to replace these. */
export const selectSuccessors = (work: Work, ids: readonly string[]): SubscriptionRow[] =>
	ids.length === 0 ? [] : work.prepared(successors).all(idsIn(work, ids));

const successors = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(amongIds(subscriptions.environmentId, subscriptions.supersedesId), eq(subscriptions.status, "NOT_STARTED")),
		)
		.orderBy(subscriptions.startAt, subscriptions.id)
		.prepare();

/** Selects a customer's subscriptions to a product, of every status. */
export const selectOfProduct = (work: Work, customerId: string, productId: string): SubscriptionRow[] =>
	work.prepared(ofProduct).all({ environmentId: work.actor.environmentId, customerId, productId });

const ofProduct = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				eq(subscriptions.productId, sql.placeholder("productId")),
			),
		)
		.prepare();

/** Returns the subscriptions of customers (row ids) to one of their resources, or to none. */
export const selectOfCustomers = (
	work: Work,
	customerIds: readonly string[],
	resourceRef: string | null,
): SubscriptionRow[] => {
	if (customerIds.length === 0) return [];
	const resource = sql`(SELECT ref_id FROM customer_resources WHERE id = ${subscriptions.resourceId})`;
	return work.tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, work.actor.environmentId),
				inArray(subscriptions.customerId, [...customerIds]),
				resourceRef === null ? isNull(subscriptions.resourceId) : sql`${resource} = ${resourceRef}`,
			),
		)
		.all();
};

export interface LiveCount {
	readonly customerId: string;
	readonly pricingType: PricingType;
	readonly totalCount: number;
}

/** Counts the live subscriptions of many customers at once. */
export const selectLiveCounts = (work: Work, customerIds: readonly string[]): LiveCount[] =>
	work.tx
		.select({
			customerId: subscriptions.customerId,
			pricingType: subscriptions.pricingType,
			totalCount: count(),
		})
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, work.actor.environmentId),
				inArray(subscriptions.customerId, [...customerIds]),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now)),
			),
		)
		.groupBy(subscriptions.customerId, subscriptions.pricingType)
		.orderBy(subscriptions.pricingType)
		.all();
