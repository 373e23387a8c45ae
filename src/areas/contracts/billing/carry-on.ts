import type { Work } from "../../../kernel/work";
import { recordElsewhere } from "../../billing/operations";
import type { BilledItemRow } from "../store.billing";
import type { ContractRow } from "../table";
import { withBilled } from "./billed";
import { chargeOf } from "./rules.cycles";
import { dueBefore, isPayAsYouGo } from "./rules.schedule";
import { markPublished } from "./store";
import { eventsOf, meteredBy, ownerOf } from "./usage";

/**
 * Starts to invoice a contract that was published before Tollgate invoiced contracts. Due amounts until then were
 * invoiced elsewhere, with the running cycle of items in advance. They are recorded as one cycle at the agreed price,
 * so that nothing is billed twice, and totals cover the whole term. Usage until then is unknown.
 */
export function carryOn(work: Work, contract: ContractRow, items: readonly BilledItemRow[]): void {
	for (const item of withBilled(work, contract, items)) {
		const past = item.billedUntil === null ? dueBefore(item, work.now) : null;
		if (past === null) continue;
		const events = isPayAsYouGo(item) ? eventsOf(work, meteredBy(work, contract, item)) : null;
		recordElsewhere(work, ownerOf(contract), chargeOf(item, work.now), past, events);
	}
	markPublished(work, contract);
}
