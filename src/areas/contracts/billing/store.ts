import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { insertRows, writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type ContractItemRow, type ContractRow, contractItems, contracts } from "../table";
import { type BilledCycleRow, contractBilledCycles } from "./table";

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

/** Returns the items of several contracts by contract, in the order in which they were added. */
export function itemsOfEach(work: Work, contractIds: readonly string[]): Map<string, ContractItemRow[]> {
	if (contractIds.length === 0) return new Map();
	const rows = work.tx
		.select()
		.from(contractItems)
		.where(
			and(
				eq(contractItems.environmentId, work.actor.environmentId),
				inArray(contractItems.contractId, [...contractIds]),
			),
		)
		.orderBy(asc(contractItems.contractId), asc(contractItems.id))
		.all();
	return Map.groupBy(rows, ({ contractId }) => contractId);
}

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

type BilledColumns = "billedUntil" | "billed" | "usageEvents" | "usageMeterId";

/** Stores how far an item is invoiced, which is no change of the item. */
export const saveBilled = (
	work: Work,
	{ id }: Pick<ContractItemRow, "id">,
	billed: Partial<Pick<ContractItemRow, BilledColumns>>,
): void => {
	writeColumns(work, contractItems, id, billed);
};

/** Fails for an existing cycle: the primary key keeps a cycle from being invoiced twice. */
export const insertCycles = (work: Work, rows: ReadonlyArray<typeof contractBilledCycles.$inferInsert>): void =>
	insertRows(work, contractBilledCycles, rows);

export const changeCycle = (
	work: Work,
	{ itemId, cycleStart }: BilledCycleRow,
	changes: Pick<BilledCycleRow, "billed" | "quantity" | "events">,
): void => {
	work.tx
		.update(contractBilledCycles)
		.set(changes)
		.where(and(eq(contractBilledCycles.itemId, itemId), eq(contractBilledCycles.cycleStart, cycleStart)))
		.run();
};

/** Selects the invoiced cycles of an item that begin before a time, newest first. */
export const selectCyclesBefore = (
	work: Work,
	{ id }: Pick<ContractItemRow, "id">,
	before: Instant,
	rowsMax: number,
): BilledCycleRow[] =>
	work.tx
		.select()
		.from(contractBilledCycles)
		.where(and(eq(contractBilledCycles.itemId, id), lt(contractBilledCycles.cycleStart, before)))
		.orderBy(desc(contractBilledCycles.cycleStart))
		.limit(rowsMax)
		.all();

export const cyclesOfInvoice = (work: Work, invoiceId: string): BilledCycleRow[] =>
	work.tx
		.select()
		.from(contractBilledCycles)
		.where(
			and(
				eq(contractBilledCycles.environmentId, work.actor.environmentId),
				eq(contractBilledCycles.invoiceId, invoiceId),
			),
		)
		.all();

export const deleteCycle = (work: Work, { itemId, cycleStart }: BilledCycleRow): void => {
	work.tx
		.delete(contractBilledCycles)
		.where(and(eq(contractBilledCycles.itemId, itemId), eq(contractBilledCycles.cycleStart, cycleStart)))
		.run();
};

/** Selects all invoiced cycles of a contract, removed items included, in order of time. */
export const cyclesOfContract = (work: Work, { id }: Pick<ContractRow, "id">): BilledCycleRow[] =>
	work.tx
		.select()
		.from(contractBilledCycles)
		.where(eq(contractBilledCycles.contractId, id))
		.orderBy(asc(contractBilledCycles.cycleStart), asc(contractBilledCycles.itemId))
		.all();

/** Selects all invoiced cycles of an item in order of time; the term of the contract limits their number. */
export const cyclesOfItem = (work: Work, { id }: Pick<ContractItemRow, "id">): BilledCycleRow[] =>
	work.tx
		.select()
		.from(contractBilledCycles)
		.where(eq(contractBilledCycles.itemId, id))
		.orderBy(asc(contractBilledCycles.cycleStart))
		.all();
