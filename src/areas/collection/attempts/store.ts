import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { assert } from "../../../kernel/errors";
import { type Page, readTablePage } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import { amongIds, changeRow, idsIn, insertRow, insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { attemptTransitions, isFinal } from "./rules.states";
import type { AttemptListQuery } from "./schema";
import { type AttemptInvoiceRow, type AttemptRow, attemptInvoices, attempts, isDue } from "./table";

const { placeholder } = sql;

const inEnvironment = ({ actor }: Work): SQL => eq(attempts.environmentId, actor.environmentId);

const byIds = (tx: Transaction) =>
	tx.select().from(attempts).where(amongIds(attempts.environmentId, attempts.id)).prepare();

export const selectAttempts = (work: Work, ids: readonly string[]): AttemptRow[] =>
	work.prepared(byIds).all(idsIn(work, ids));

const openOf = (tx: Transaction) =>
	tx
		.select({ id: attemptInvoices.attemptId })
		.from(attemptInvoices)
		.where(and(eq(attemptInvoices.invoiceId, placeholder("invoiceId")), sql`is_open = 1`))
		.prepare();

/** Returns the id of the attempt of an invoice that is not final. */
export const findOpenAttempt = (work: Work, invoiceId: string): string | undefined =>
	work.prepared(openOf).get({ invoiceId })?.id;

/** Returns due attempts of all environments, the longest due first. */
export const listDueAttempts = (work: Work, rowsMax: number): AttemptRow[] =>
	work.tx.select().from(attempts).where(isDue).orderBy(asc(attempts.dueAt)).limit(rowsMax).all();

/** Returns the invoices of attempts, in the order of the plan. */
export const invoicesOfAttempts = (work: Work, ids: readonly string[]): AttemptInvoiceRow[] =>
	ids.length === 0
		? []
		: work.tx
				.select()
				.from(attemptInvoices)
				.where(
					and(
						eq(attemptInvoices.environmentId, work.actor.environmentId),
						inArray(attemptInvoices.attemptId, [...ids]),
					),
				)
				.orderBy(asc(attemptInvoices.attemptId), asc(attemptInvoices.invoiceId))
				.all();

export const selectAttemptsAfter = (work: Work, after: string, rowsMax: number): AttemptRow[] =>
	work.tx
		.select()
		.from(attempts)
		.where(and(inEnvironment(work), gt(attempts.id, after)))
		.orderBy(asc(attempts.id))
		.limit(rowsMax)
		.all();

/** Returns the attempt whose payment has that reference at a connection. */
export const findAttemptByRef = (work: Work, connectionId: string, ref: string): AttemptRow | undefined =>
	work.tx
		.select()
		.from(attempts)
		.where(and(inEnvironment(work), eq(attempts.connectionId, connectionId), eq(attempts.ref, ref)))
		.get();

/** Matches the attempts of an invoice. */
export const ofInvoice = (work: Work, invoiceId: string): SQL =>
	inArray(
		attempts.id,
		work.tx
			.select({ id: attemptInvoices.attemptId })
			.from(attemptInvoices)
			.where(
				and(eq(attemptInvoices.environmentId, work.actor.environmentId), eq(attemptInvoices.invoiceId, invoiceId)),
			),
	);

/** Returns a page of attempts, newest first. `customerId` is a row id. */
export const pageAttempts = (
	work: Work,
	{ invoiceId, state, customerId: _, ...query }: AttemptListQuery,
	customerId: string | undefined,
): Page<AttemptRow> => {
	const states = queryValues(state) as AttemptRow["state"][] | undefined;
	return readTablePage(
		work,
		query,
		attempts,
		and(
			inEnvironment(work),
			customerId === undefined ? undefined : eq(attempts.customerId, customerId),
			invoiceId === undefined ? undefined : ofInvoice(work, invoiceId),
		),
		[states && inArray(attempts.state, states)],
	);
};

export function insertAttempt(
	work: Work,
	attempt: Omit<AttemptRow, "environmentId" | "createdAt" | "updatedAt">,
	invoices: ReadonlyArray<Pick<AttemptInvoiceRow, "invoiceId" | "amount">>,
): AttemptRow {
	const { environmentId } = work.actor;
	const row = insertRow(work, attempts, { ...attempt, environmentId, createdAt: work.now, updatedAt: work.now });
	insertRows(
		work,
		attemptInvoices,
		invoices.map((one) => ({ ...one, attemptId: row.id, environmentId, isOpen: true })),
	);
	return row;
}

/** Saves an attempt. A final one frees its invoices for the next attempt. */
export function saveAttempt(work: Work, before: AttemptRow, changes: Partial<AttemptRow>): AttemptRow {
	const row = changeRow(work, attempts, before.id, { ...changes, updatedAt: work.now });
	assert(
		row.state === before.state || attemptTransitions[before.state].includes(row.state),
		"an attempt never goes back",
	);
	if (isFinal(row.state) && !isFinal(before.state))
		work.tx.update(attemptInvoices).set({ isOpen: false }).where(eq(attemptInvoices.attemptId, row.id)).run();
	return row;
}
