import type { Work } from "../../../kernel/work";
import { invoicesByIds } from "../../invoices/operations";
import { creditRest } from "../../invoices/operations.credit-rest";
import type { CreditNoteRow } from "../../invoices/table";
import type { ContractItemRow, ContractRow } from "../table";
import { reopenInvoice } from "./operations.reopen";
import { isPayAsYouGo } from "./rules.schedule";
import { selectRunningCycles } from "./store.amendments";
import type { BilledCycleRow } from "./table";

/**
 * The invoiced cycle of each item in which now lies: what the current invoice is of. Usage is never taken back, and what is
 * charged once is no cycle that runs.
 */
export const runningCycles = (
	work: Work,
	contract: ContractRow,
	items: readonly ContractItemRow[],
): Map<string, BilledCycleRow> => {
	const recurring = new Map(
		items.filter((item) => !isPayAsYouGo(item) && item.billingCycleUnit !== "one_time").map((item) => [item.id, item]),
	);
	return new Map(
		selectRunningCycles(work, contract)
			.filter(({ itemId, invoiceId }) => invoiceId !== null && recurring.has(itemId))
			.map((cycle) => [cycle.itemId, cycle]),
	);
};

/**
 * Credits what is left of the invoices of the cycles that run, and records these as not invoiced: so that the contract's
 * items, as they are now, are invoiced for them anew. Answers the credit notes. `inForce`: the items as they were when they were invoiced.
 */
export function takeBackRunning(
	work: Work,
	contract: ContractRow,
	inForce: readonly ContractItemRow[],
): CreditNoteRow[] {
	const cycles = runningCycles(work, contract, inForce);
	const invoiceIds = [...new Set([...cycles.values()].map(({ invoiceId }) => invoiceId ?? ""))];
	const credited = [...invoicesByIds(work, invoiceIds).values()].flatMap(
		(invoice) => creditRest(work, invoice, "ORDER_CHANGE") ?? [],
	);
	for (const invoiceId of invoiceIds) reopenInvoice(work, contract, invoiceId);
	return credited;
}
