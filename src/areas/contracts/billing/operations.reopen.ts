import { rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { differenceOf } from "../../pricing/totals";
import { selectItems } from "../store.billing";
import type { ContractItemRow, ContractRow } from "../table";
import { isPayAsYouGo } from "./rules.schedule";
import { cyclesOfInvoice, deleteCycle, saveBilled, selectCyclesBefore } from "./store";
import type { BilledCycleRow } from "./table";

/**
 * Records the cycles of an invoice, which the caller credits, as not invoiced. Publishing then invoices them again, by
 * the items of then. Usage stays, since it is not credited. INVOICE_NOT_CURRENT if a later cycle of one of its items is
 * invoiced already.
 */
export function reopenInvoice(work: Work, contract: ContractRow, invoiceId: string): void {
	const items = new Map(selectItems(work, contract).map((item) => [item.id, item]));
	for (const cycle of cyclesOfInvoice(work, invoiceId)) {
		const item = items.get(cycle.itemId);
		if (!item || isPayAsYouGo(item)) continue;
		if (item.billedUntil !== cycle.cycleEnd)
			throw rejectBilling(
				"INVOICE_NOT_CURRENT",
				`A later cycle of the line item '${item.name}' is invoiced already, so the current invoice cannot be issued again; discard the amendment, and open one without 'includeCurrentInvoice'.`,
			);
		deleteCycle(work, cycle);
		saveBilled(work, item, withoutCycle(work, item, cycle));
	}
}

/**
 * Returns an item without its newest invoiced cycle. The cycle before may be paid beyond its own end, until this one
 * began.
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
