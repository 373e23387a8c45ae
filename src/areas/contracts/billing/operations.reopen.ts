import { rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { differenceOf } from "../../pricing/totals";
import { selectItems } from "../store.billing";
import type { ContractItemRow, ContractRow } from "../table";
import { isPayAsYouGo } from "./rules.schedule";
import { cyclesOfInvoice, deleteCycle, saveBilled, selectCyclesBefore } from "./store";
import type { BilledCycleRow } from "./table";

/**
 * Takes back that the cycles of an invoice, which its caller credits, are invoiced: they are invoiced anew when the contract is
 * published, by the items as they are then. What was used stays, since usage is not credited. INVOICE_NOT_CURRENT where a later
 * cycle of one of its items is invoiced already.
 */
export function reopenInvoice(work: Work, contract: ContractRow, invoiceId: string): void {
	const items = new Map(selectItems(work, contract).map((item) => [item.id, item]));
	for (const cycle of cyclesOfInvoice(work, invoiceId)) {
		const item = items.get(cycle.itemId);
		if (!item || isPayAsYouGo(item)) continue;
		if (item.billedUntil !== cycle.cycleEnd)
			throw rejectBilling(
				"INVOICE_NOT_CURRENT",
				`A later cycle of the line item '${item.name}' is invoiced already, so the current invoice cannot be issued anew; throw the amendment away, and open one without 'includeCurrentInvoice'.`,
			);
		deleteCycle(work, cycle);
		saveBilled(work, item, withoutCycle(work, item, cycle));
	}
}

/**
 * An item as it is once this cycle, its newest, is not invoiced any more. The one before may be paid for beyond its own end, to where
 * this one began.
 */
export function withoutCycle(
	work: Work,
	item: ContractItemRow,
	cycle: BilledCycleRow,
): Pick<ContractItemRow, "billedUntil" | "billed"> {
	const [before] = selectCyclesBefore(work, item, cycle.cycleStart, 1);
	return {
		billedUntil: before ? cycle.cycleStart : null,
		billed: before && item.billed ? differenceOf(item.billed, cycle.billed) : null,
	};
}
