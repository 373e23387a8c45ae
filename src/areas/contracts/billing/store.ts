import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type ContractRow, contracts } from "../table";

/** Selects the first contract that is due at this very time. */
export const selectDueAt = (work: Work, dueAt: Instant): ContractRow | undefined =>
	work.prepared(firstDue).get({ environmentId: work.actor.environmentId, dueAt });

const firstDue = (tx: Transaction) =>
	tx
		.select()
		.from(contracts)
		.where(
			and(
				eq(contracts.environmentId, sql.placeholder("environmentId")),
				eq(contracts.nextDueAt, sql.placeholder("dueAt")),
			),
		)
		.orderBy(contracts.id)
		.limit(1)
		.prepare();

/** Selects the contract as this transaction sees it. */
export const selectContract = (work: Work, id: string): ContractRow | undefined =>
	work.prepared(byId).get({ environmentId: work.actor.environmentId, id });

const byId = (tx: Transaction) =>
	tx
		.select()
		.from(contracts)
		.where(and(eq(contracts.environmentId, sql.placeholder("environmentId")), eq(contracts.id, sql.placeholder("id"))))
		.prepare();

/** Records that the current items are in force from now on. */
export const markPublished = (work: Work, { id }: Pick<ContractRow, "id">): void => {
	writeColumns(work, contracts, id, { publishedAt: work.now });
};

/** Leaves `updatedAt`, since a due time is no change of the contract. */
export const saveDue = (
	work: Work,
	{ id }: Pick<ContractRow, "id">,
	due: Pick<ContractRow, "nextDueAt" | "problem">,
): void => {
	writeColumns(work, contracts, id, due);
};

/** Contracts that a check has in memory at once, each with the items, invoices and cycles of its term. */
const contractsAtOnceMax = 100;

/** Selects the next contracts of this environment in the order of their ids. */
export const selectContractsAfter = ({ tx, actor }: Work, after: string): ContractRow[] =>
	tx
		.select()
		.from(contracts)
		.where(and(eq(contracts.environmentId, actor.environmentId), gt(contracts.id, after)))
		.orderBy(asc(contracts.id))
		.limit(contractsAtOnceMax)
		.all();
