import { and, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Page, type PageQuery, readTablePage } from "../../../kernel/page";
import { newRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { allCustomers } from "./rules";
import { alertCursor, type ReachedAlertRow, reachedAlerts, type UsageAlertRow, usageAlerts } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(usageAlerts.environmentId, actor.environmentId);

export const findAlert = (work: Work, id: string): UsageAlertRow | undefined =>
	work.tx
		.select()
		.from(usageAlerts)
		.where(and(inEnvironment(work), eq(usageAlerts.id, id)))
		.get();

export const findAlike = (
	work: Work,
	{ customerId, featureId, currencyId, entityId, type, threshold }: NewAlertRow,
): UsageAlertRow | undefined =>
	work.tx
		.select()
		.from(usageAlerts)
		.where(
			and(
				inEnvironment(work),
				eq(usageAlerts.customerId, customerId),
				eq(usageAlerts.featureId, featureId),
				eq(usageAlerts.currencyId, currencyId),
				eq(usageAlerts.entityId, entityId),
				eq(usageAlerts.type, type),
				eq(usageAlerts.threshold, threshold),
			),
		)
		.get();

export type NewAlertRow = Pick<
	UsageAlertRow,
	"customerId" | "featureId" | "currencyId" | "entityId" | "type" | "threshold"
>;

export function insertAlert(work: Work, row: NewAlertRow): UsageAlertRow {
	const alert = { ...row, ...newRow(work) };
	work.tx.insert(usageAlerts).values(alert).run();
	return alert;
}

export function changeAlert(
	work: Work,
	alert: UsageAlertRow,
	change: Pick<UsageAlertRow, "type" | "threshold">,
): UsageAlertRow {
	const changed = { ...alert, ...change, updatedAt: work.now };
	work.tx
		.update(usageAlerts)
		.set({ ...change, updatedAt: work.now })
		.where(and(inEnvironment(work), eq(usageAlerts.id, alert.id)))
		.run();
	return changed;
}

export const deleteAlert = (work: Work, id: string): void => {
	work.tx
		.delete(usageAlerts)
		.where(and(inEnvironment(work), eq(usageAlerts.id, id)))
		.run();
};

/** A filter by row ids. */
export interface AlertFilter {
	readonly customerId: string | undefined;
	readonly featureId: string | undefined;
	readonly currencyId: string | undefined;
}

/** Repeats the condition of the indexes of alerts on currencies. */
const ofCurrency = (column: SQLWrapper, currencyId: string | undefined): SQL | undefined =>
	currencyId === undefined ? undefined : sql`${column} = ${currencyId} AND currency_id <> ''`;

export const pageAlerts = (
	work: Work,
	query: PageQuery,
	{ customerId, featureId, currencyId }: AlertFilter,
): Page<UsageAlertRow> =>
	readTablePage(work, query, usageAlerts, inEnvironment(work), [
		customerId === undefined ? undefined : eq(usageAlerts.customerId, customerId),
		featureId === undefined ? undefined : eq(usageAlerts.featureId, featureId),
		ofCurrency(usageAlerts.currencyId, currencyId),
	]);

const forCustomer = (tx: Transaction) =>
	tx
		.select()
		.from(usageAlerts)
		.where(
			and(
				eq(usageAlerts.environmentId, sql.placeholder("environmentId")),
				inArray(usageAlerts.customerId, [allCustomers, sql.placeholder("customerId")]),
				eq(usageAlerts.entityId, ""),
			),
		)
		.prepare();

/** Returns the alerts for all customers and a customer's own, in one query, because each report of usage needs them. */
export function selectAlertsFor(work: Work, customerId: string): UsageAlertRow[] {
	const { environmentId } = work.actor;
	if (work.remembered(anyAlert).get({ environmentId }) === undefined) return [];
	return work.prepared(forCustomer).all({ environmentId, customerId });
}

const forEntity = (tx: Transaction) =>
	tx
		.select()
		.from(usageAlerts)
		.where(and(eq(usageAlerts.entityId, sql.placeholder("entityId")), sql`entity_id <> ''`))
		.prepare();

/** Returns the alerts of an entity (its row id). Cached, because each change of the usage of a budget needs them. */
export const selectAlertsOfEntity = (work: Work, entityId: string): UsageAlertRow[] =>
	work.remembered(forEntity).all({ entityId });

const anyAlert = (tx: Transaction) =>
	tx
		.select({ id: usageAlerts.id })
		.from(usageAlerts)
		.where(eq(usageAlerts.environmentId, sql.placeholder("environmentId")))
		.limit(1)
		.prepare();

const environments = (tx: Transaction) =>
	tx
		.selectDistinct({ environmentId: usageAlerts.environmentId })
		.from(usageAlerts)
		.where(eq(usageAlerts.entityId, ""))
		.prepare();

/** Returns the environments with alerts. */
export const selectAlertedEnvironments = (work: Work): string[] =>
	work
		.prepared(environments)
		.all()
		.map(({ environmentId }) => environmentId);

export type NewReachedRow = Omit<ReachedAlertRow, "id" | "environmentId" | "createdAt" | "updatedAt">;

/** Returns undefined if the row already exists. */
export const insertReached = (work: Work, row: NewReachedRow): ReachedAlertRow | undefined =>
	work.tx
		.insert(reachedAlerts)
		.values({ ...row, ...newRow(work) })
		.onConflictDoNothing()
		.returning()
		.get();

const once = (tx: Transaction) =>
	tx
		.select({ id: reachedAlerts.id })
		.from(reachedAlerts)
		.where(
			and(
				eq(reachedAlerts.alertId, sql.placeholder("alertId")),
				eq(reachedAlerts.customerId, sql.placeholder("customerId")),
				eq(reachedAlerts.resourceRef, sql.placeholder("resourceRef")),
				eq(reachedAlerts.budgetId, sql.placeholder("budgetId")),
				eq(reachedAlerts.periodStart, sql.placeholder("periodStart")),
				eq(reachedAlerts.type, sql.placeholder("type")),
				eq(reachedAlerts.threshold, sql.placeholder("threshold")),
			),
		)
		.prepare();

export const isRecorded = (
	work: Work,
	{ alertId, customerId, resourceRef, budgetId, periodStart, type, threshold }: NewReachedRow,
): boolean =>
	work.prepared(once).get({ alertId, customerId, resourceRef, budgetId, periodStart, type, threshold }) !== undefined;

const recordedForCredits = (tx: Transaction) =>
	tx
		.select({ type: reachedAlerts.type, threshold: reachedAlerts.threshold })
		.from(reachedAlerts)
		.where(
			and(
				eq(reachedAlerts.customerId, sql.placeholder("customerId")),
				eq(reachedAlerts.currencyId, sql.placeholder("currencyId")),
				eq(reachedAlerts.resourceRef, sql.placeholder("resourceRef")),
				eq(reachedAlerts.periodStart, sql.placeholder("periodStart")),
				eq(reachedAlerts.budgetId, ""),
				sql`currency_id <> ''`,
			),
		)
		.prepare();

/** Returns the thresholds of a balance that were recorded since the last grant. */
export const selectRecordedForCredits = (
	work: Work,
	of: Pick<ReachedAlertRow, "customerId" | "currencyId" | "resourceRef" | "periodStart">,
): Array<Pick<ReachedAlertRow, "type" | "threshold">> => work.prepared(recordedForCredits).all(of);

export const pageReached = (
	work: Work,
	query: PageQuery,
	{ customerId, featureId, currencyId }: AlertFilter,
): Page<ReachedAlertRow> =>
	readTablePage(work, query, reachedAlerts, eq(reachedAlerts.environmentId, work.actor.environmentId), [
		customerId === undefined ? undefined : eq(reachedAlerts.customerId, customerId),
		featureId === undefined ? undefined : eq(reachedAlerts.featureId, featureId),
		ofCurrency(reachedAlerts.currencyId, currencyId),
	]);

const cursorId = 1;
const cursor = (tx: Transaction) =>
	tx.select({ evaluatedTo: alertCursor.evaluatedTo }).from(alertCursor).where(eq(alertCursor.id, cursorId)).prepare();

/** Undefined before the first evaluation. */
export const readCursor = (work: Work): number | undefined => work.prepared(cursor).get()?.evaluatedTo;

export const writeCursor = (work: Work, evaluatedTo: number): void => {
	work.tx
		.insert(alertCursor)
		.values({ id: cursorId, evaluatedTo })
		.onConflictDoUpdate({ target: alertCursor.id, set: { evaluatedTo } })
		.run();
};
