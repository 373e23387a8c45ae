import { and, eq, sql } from "drizzle-orm";
import { insertRow, saveRow } from "../../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../../kernel/work";
import { type ContractItemRow, type ContractRow, contractItems } from "../../table";
import { type AmendmentRow, contractAmendments } from "../table";

export const insertAmendment = (work: Work, amendment: Omit<AmendmentRow, "environmentId" | "createdAt">): void => {
	insertRow(work, contractAmendments, {
		...amendment,
		environmentId: work.actor.environmentId,
		createdAt: work.now,
	});
};

const ofContract = (work: Work, { id }: Pick<ContractRow, "id">) =>
	and(eq(contractAmendments.environmentId, work.actor.environmentId), eq(contractAmendments.contractId, id));

export const findAmendment = (work: Work, contract: Pick<ContractRow, "id">): AmendmentRow | undefined =>
	work.prepared(amendmentOf).get({ environmentId: work.actor.environmentId, contractId: contract.id });

const amendmentOf = (tx: Transaction) =>
	tx
		.select()
		.from(contractAmendments)
		.where(
			and(
				eq(contractAmendments.environmentId, sql.placeholder("environmentId")),
				eq(contractAmendments.contractId, sql.placeholder("contractId")),
			),
		)
		.prepare();

export const deleteAmendment = (work: Work, contract: Pick<ContractRow, "id">): void => {
	work.tx.delete(contractAmendments).where(ofContract(work, contract)).run();
};

/** Restores a line item. Amendments that an older release opened did not store removals. */
export const restoreItem = (work: Work, { takenOutAt = null, ...item }: ContractItemRow): void =>
	saveRow(work, contractItems, { ...item, takenOutAt });
