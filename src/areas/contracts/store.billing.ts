import { and, asc, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { insertRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { billingCharges } from "../billing/table";
import { type ContractItemRow, type ContractRow, contractItems } from "./table";

/** A line item and how far its current charge is billed; null: it is not invoiced. */
export type BilledItemRow = ContractItemRow & { readonly billedUntil: ContractItemRow["activationEndAt"] };

const itemsWithCharges = (tx: Transaction) =>
	tx
		.select({ ...getTableColumns(contractItems), billedUntil: billingCharges.billedUntil })
		.from(contractItems)
		.leftJoin(
			billingCharges,
			and(
				eq(billingCharges.ownerId, contractItems.contractId),
				eq(billingCharges.key, contractItems.id),
				isNull(billingCharges.replacedAt),
			),
		);

/** In the order in which they were added. Adding limits their number. */
export const selectItems = ({ actor, prepared }: Work, { id }: Pick<ContractRow, "id">): BilledItemRow[] =>
	prepared(allItems).all({ environmentId: actor.environmentId, contractId: id });

const allItems = (tx: Transaction) =>
	itemsWithCharges(tx)
		.where(
			and(
				eq(contractItems.environmentId, sql.placeholder("environmentId")),
				eq(contractItems.contractId, sql.placeholder("contractId")),
			),
		)
		.orderBy(asc(contractItems.id))
		.prepare();

/** Returns the items of several contracts by contract, in the order in which they were added. */
export function itemsOfEach({ tx, actor }: Work, contractIds: readonly string[]): Map<string, BilledItemRow[]> {
	if (contractIds.length === 0) return new Map();
	const rows = itemsWithCharges(tx)
		.where(
			and(eq(contractItems.environmentId, actor.environmentId), inArray(contractItems.contractId, [...contractIds])),
		)
		.orderBy(asc(contractItems.contractId), asc(contractItems.id))
		.all();
	return Map.groupBy(rows, ({ contractId }) => contractId);
}

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

/** Columns of a line that change after it was added. */
type ItemTerms = Partial<
	Pick<
		ContractItemRow,
		| "rows"
		| "activationStartAt"
		| "activationEndAt"
		| "currency"
		| "netTerms"
		| "legalEntityId"
		| "paymentAccountId"
		| "externalId"
		| "cyclesFrom"
		| "takenOutAt"
	>
>;

export const changeItem = (work: Work, { id }: Pick<ContractItemRow, "id">, terms: ItemTerms): void =>
	writeColumns(work, contractItems, id, { ...terms, updatedAt: work.now });

export const removeItem = ({ tx, actor }: Work, { id }: Pick<ContractItemRow, "id">): void => {
	tx.delete(contractItems)
		.where(and(eq(contractItems.environmentId, actor.environmentId), eq(contractItems.id, id)))
		.run();
};
