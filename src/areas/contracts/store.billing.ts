import { and, asc, eq, or, type SQL } from "drizzle-orm";
import { insertRow, insertRows, writeColumns } from "../../kernel/rows";
import type { Work } from "../../kernel/work";
import type { ContractRow as PricedRow } from "../pricing/contract-rows";
import {
	type ContractItemRow,
	type ContractRow,
	contractItems,
	type LegalEntityRow,
	legalEntities,
	type PaymentAccountRow,
	paymentAccounts,
} from "./table";

const itemsOfContract = ({ actor }: Work, { id }: Pick<ContractRow, "id">): SQL | undefined =>
	and(eq(contractItems.environmentId, actor.environmentId), eq(contractItems.contractId, id));

/** In the order in which they were added. Their number is bounded where they are added. */
export const selectItems = (work: Work, contract: ContractRow): ContractItemRow[] =>
	work.tx.select().from(contractItems).where(itemsOfContract(work, contract)).orderBy(asc(contractItems.id)).all();

/** By the caller's `externalId` or by the totals' `itemId`; the two never clash on one contract. */
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

/** Of a line's terms, those that one sweep over all lines overwrites. */
export type SweptTerms = Partial<
	Pick<
		ContractItemRow,
		"activationStartAt" | "activationEndAt" | "currency" | "netTerms" | "legalEntityId" | "paymentAccountId"
	>
>;

export const changeItem = (work: Work, { id }: Pick<ContractItemRow, "id">, terms: SweptTerms): void =>
	writeColumns(work, contractItems, id, { ...terms, updatedAt: work.now });

export const removeItem = (work: Work, contract: ContractRow, { id }: ContractItemRow): void => {
	work.tx
		.delete(contractItems)
		.where(and(itemsOfContract(work, contract), eq(contractItems.id, id)))
		.run();
};

/** Our choice: how many issuers and accounts are read at once. Only the default ones are made so far. */
const entitiesMax = 100;

export const selectLegalEntities = (work: Work): LegalEntityRow[] =>
	work.tx
		.select()
		.from(legalEntities)
		.where(eq(legalEntities.environmentId, work.actor.environmentId))
		.orderBy(asc(legalEntities.id))
		.limit(entitiesMax)
		.all();

export const selectPaymentAccounts = (work: Work): PaymentAccountRow[] =>
	work.tx
		.select()
		.from(paymentAccounts)
		.where(eq(paymentAccounts.environmentId, work.actor.environmentId))
		.orderBy(asc(paymentAccounts.id))
		.limit(entitiesMax)
		.all();

/** The environment's first issuer, with its one payment account. */
export function insertDefaultLegalEntity(work: Work, name: string, accountName: string): void {
	const legalEntityId = work.newId();
	const { environmentId } = work.actor;
	const made = { environmentId, isDefault: true, createdAt: work.now };
	insertRows(work, legalEntities, [{ ...made, id: legalEntityId, name }]);
	insertRows(work, paymentAccounts, [{ ...made, id: work.newId(), legalEntityId, name: accountName }]);
}
