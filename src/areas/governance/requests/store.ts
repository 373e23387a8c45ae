import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Page, readTablePage } from "../../../kernel/page";
import { changeRow, insertRow, newRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { isWithin } from "../subtree/store";
import type { BudgetRequestListQuery } from "./schema";
import { type BudgetRequestRow, budgetRequests } from "./table";

const { placeholder } = sql;

const statements = (tx: Transaction) => ({
	byId: tx
		.select()
		.from(budgetRequests)
		.where(
			and(eq(budgetRequests.id, placeholder("id")), eq(budgetRequests.environmentId, placeholder("environmentId"))),
		)
		.prepare(),
	due: tx
		.select()
		.from(budgetRequests)
		.where(
			and(
				eq(budgetRequests.environmentId, placeholder("environmentId")),
				eq(budgetRequests.nextDueAt, placeholder("dueAt")),
				isNotNull(budgetRequests.nextDueAt),
			),
		)
		.limit(1)
		.prepare(),
	pending: tx
		.select({ id: budgetRequests.id })
		.from(budgetRequests)
		.where(and(eq(budgetRequests.assignmentId, placeholder("assignmentId")), eq(budgetRequests.status, "PENDING")))
		.prepare(),
});

export const selectRequest = (work: Work, id: string): BudgetRequestRow | undefined =>
	work.prepared(statements).byId.get({ id, environmentId: work.actor.environmentId });

/** Returns a request of the environment that is due at exactly this time. */
export const requestDueAt = (work: Work, dueAt: Instant): BudgetRequestRow | undefined =>
	work.prepared(statements).due.get({ environmentId: work.actor.environmentId, dueAt });

export const countPending = (work: Work, assignmentId: string): number =>
	work.prepared(statements).pending.all({ assignmentId }).length;

export const insertRequest = (
	work: Work,
	request: Omit<BudgetRequestRow, "id" | "environmentId" | "createdAt" | "updatedAt">,
): BudgetRequestRow => insertRow(work, budgetRequests, { ...request, ...newRow(work) });

export const saveRequest = (
	work: Work,
	id: string,
	changes: Partial<Pick<BudgetRequestRow, "status" | "approvedAmount" | "counterId" | "nextDueAt">>,
): BudgetRequestRow => changeRow(work, budgetRequests, id, { ...changes, updatedAt: work.now });

/** The condition of the requests of a customer (row id). */
export const requestsShown = (customerId: string, status: string | undefined): SQL | undefined =>
	and(
		eq(budgetRequests.customerId, customerId),
		status === undefined ? undefined : sql`${budgetRequests.status} = ${status}`,
	);

export const selectRequests = ({ tx, actor }: Work, ids: readonly string[]): BudgetRequestRow[] =>
	tx
		.select()
		.from(budgetRequests)
		.where(and(eq(budgetRequests.environmentId, actor.environmentId), inArray(budgetRequests.id, [...ids])))
		.all();

export const pageRequests = (
	work: Work,
	customerId: string,
	{ status, ...page }: BudgetRequestListQuery,
	nodeIds: ReadonlySet<string> | null,
): Page<BudgetRequestRow> =>
	readTablePage(work, page, budgetRequests, eq(budgetRequests.customerId, customerId), [
		status === undefined ? undefined : eq(budgetRequests.status, status),
		nodeIds === null ? undefined : isWithin(budgetRequests.assignmentId, nodeIds),
	]);
