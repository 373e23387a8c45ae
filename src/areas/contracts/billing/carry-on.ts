import type { Work } from "../../../kernel/work";
import type { ContractItemRow, ContractRow } from "../table";
import { markOf } from "./issue";
import { costBefore, dueBefore, isPayAsYouGo } from "./rules.schedule";
import { insertCycles, markPublished, saveBilled } from "./store";

/**
 * Goes on with a contract that was published before Tollgate invoiced contracts: from now on it is invoiced. What had
 * fallen due by then was invoiced elsewhere, the running cycle of what is paid in advance too: it is recorded as one cycle,
 * at what was agreed, so that nobody is billed twice and the totals stay those of the whole term. What was used until then is not known.
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
