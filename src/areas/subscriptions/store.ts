import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { stillBlocks } from "../../kernel/problem";
import { amongIds, idsIn, insertRow, newRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
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
