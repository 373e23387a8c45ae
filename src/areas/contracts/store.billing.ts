import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { insertRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { ContractRow as PricedRow } from "../pricing/models/contract-rows";
import { type ContractItemRow, type ContractRow, contractItems } from "./table";

const itemsOfContract = ({ actor }: Work, { id }: Pick<ContractRow, "id">): SQL | undefined =>
	and(eq(contractItems.environmentId, actor.environmentId), eq(contractItems.contractId, id));

/** In the order in which they were added. Adding limits their number. */
export const selectItems = ({ actor, prepared }: Work, { id }: Pick<ContractRow, "id">): ContractItemRow[] =>
	prepared(allItems).all({ environmentId: actor.environmentId, contractId: id });

const allItems = (tx: Transaction) =>
	tx
		.select()
		.from(contractItems)
		.where(
			and(
				eq(contractItems.environmentId, sql.placeholder("environmentId")),
				eq(contractItems.contractId, sql.placeholder("contractId")),
			),
		)
		.orderBy(asc(contractItems.id))
		.prepare();

/** By the caller's `externalId` or the `itemId` of the totals; the two never clash on one contract. */
export const findItem = (work: Work, contract: ContractRow, itemRef: string): ContractItemRow | undefined =>
	work.tx
		.select()
		.from(contractItems)
		.where(
			and(itemsOfContract(work, contract), or(eq(contractItems.externalId, itemRef), eq(contractItems.id, itemRef))),
		)
		.get();

export type NewItem = Omit<ContractItemRow, "id" | "environmentId" | "contractId" | "createdAt" | "updatedAt">;

export const insertItem = (work: Work, { id }: ContractRow, item: NewItem): ContractItemRow =>
	insertRow(work, contractItems, {
		...item,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		contractId: id,
		createdAt: work.now,
		updatedAt: work.now,
	});

export const saveRows = (
	work: Work,
	contract: ContractRow,
	{ id }: ContractItemRow,
	rows: readonly PricedRow[],
): void => {
	work.tx
		.update(contractItems)
		.set({ rows, updatedAt: work.now })
		.where(and(itemsOfContract(work, contract), eq(contractItems.id, id)))
		.run();
};

/** Columns of a line that change after it was added, except for its rows and invoiced amounts. */
type ItemTerms = Partial<
	Pick<
		ContractItemRow,
		| "activationStartAt"
		| "activationEndAt"
		| "currency"
		| "netTerms"
		| "legalEntityId"
		| "paymentAccountId"
		| "externalId"
		| "billedUntil"
		| "cyclesFrom"
		| "takenOutAt"
	>
>;

export const changeItem = (work: Work, { id }: Pick<ContractItemRow, "id">, terms: ItemTerms): void =>
	writeColumns(work, contractItems, id, { ...terms, updatedAt: work.now });

export const removeItem = (work: Work, contract: ContractRow, { id }: ContractItemRow): void => {
	work.tx
		.delete(contractItems)
		.where(and(itemsOfContract(work, contract), eq(contractItems.id, id)))
		.run();
};
