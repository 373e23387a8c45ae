import type { Work } from "../../../kernel/work";
import type { ContractItemRow, ContractRow } from "../table";
import { markOf } from "./issue";
import { costBefore, dueBefore, isPayAsYouGo } from "./rules.schedule";
import { insertCycles, markPublished, saveBilled } from "./store";

/**
 * Starts to invoice a contract that was published before Tollgate invoiced contracts. Due amounts until then were
 * invoiced elsewhere, with the running cycle of items in advance. They are recorded as one cycle at the agreed price,
 * so that nothing is billed twice, and totals cover the whole term. Usage until then is unknown.
 */
export function carryOn(work: Work, contract: ContractRow, items: readonly ContractItemRow[]): void {
	for (const item of items) {
		const past = item.billedUntil === null ? dueBefore(item, work.now) : null;
		if (past === null) continue;
		const billed = costBefore(item, past.end);
		insertCycles(work, [
			{
				itemId: item.id,
				cycleStart: past.start,
				cycleEnd: past.end,
				environmentId: work.actor.environmentId,
				contractId: contract.id,
				invoiceId: null,
				isElsewhere: true,
				billed,
				createdAt: work.now,
			},
		]);
		saveBilled(work, item, {
			...{ billedUntil: past.end, billed },
			...(isPayAsYouGo(item) && markOf(work, contract, item, past.end)),
		});
	}
	markPublished(work, contract);
}
