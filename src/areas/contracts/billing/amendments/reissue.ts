import type { Work } from "../../../../kernel/work";
import { creditRest } from "../../../invoices/credit-notes/operations.rest";
import { invoicesByIds } from "../../../invoices/operations";
import type { CreditNoteRow } from "../../../invoices/table";
import { selectItems } from "../../store.billing";
import type { ContractItemRow, ContractRow } from "../../table";
import { reopenInvoice, withoutCycle } from "../operations.reopen";
import { isPayAsYouGo } from "../rules.schedule";
import { cyclesOfInvoice, saveBilled } from "../store";
import type { BilledCycleRow } from "../table";
import { paidAsAmended } from "./rules";
import { findAmendment, selectRunningCycles } from "./store";

/**
 * Returns the current invoiced cycle of each item. Usage is never reversed, and a one-time charge has no running cycle.
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
 * Credits the rest of the invoices of running cycles, and records these cycles as not invoiced, so that the current
 * items are invoiced for them again. Returns the credit notes. `inForce` are the items at the time of the invoices.
 */
export function reverseRunningCycles(
	work: Work,
	contract: ContractRow,
	inForce: readonly ContractItemRow[],
): CreditNoteRow[] {
	const invoiceIds = currentInvoiceIds(work, contract, inForce);
	const credited = [...invoicesByIds(work, invoiceIds).values()].flatMap(
		(invoice) => creditRest(work, invoice, "ORDER_CHANGE") ?? [],
	);
	for (const invoiceId of invoiceIds) reopenInvoice(work, contract, invoiceId);
	keepPaidTime(work, contract, inForce);
	return credited;
}

/** A cycle that ran when the end was moved, and that has ended since, is not reversed: its time stays paid. */
function keepPaidTime(work: Work, contract: ContractRow, inForce: readonly ContractItemRow[]): void {
	const before = new Map(inForce.map((item) => [item.id, item]));
	for (const item of selectItems(work, contract)) {
		const billedUntil = paidAsAmended(item, before.get(item.id));
		if (billedUntil !== item.billedUntil) saveBilled(work, item, { billedUntil });
	}
}

const currentInvoiceIds = (work: Work, contract: ContractRow, inForce: readonly ContractItemRow[]): string[] => [
	...new Set([...runningCycles(work, contract, inForce).values()].map(({ invoiceId }) => invoiceId ?? "")),
];

/** Returns the items as publishing finds them: without the cycles that an open amendment reverses first. */
export function itemsToPublish(work: Work, contract: ContractRow): ContractItemRow[] {
	const items = selectItems(work, contract);
	const amendment = findAmendment(work, contract);
	if (!amendment?.includesCurrentInvoice) return items;
	const invoiceIds = currentInvoiceIds(work, contract, amendment.items);
	const taken = new Map(
		invoiceIds.flatMap((invoiceId) => cyclesOfInvoice(work, invoiceId)).map((cycle) => [cycle.itemId, cycle]),
	);
	const inForce = new Map(amendment.items.map((item) => [item.id, item]));
	return items.map((item) => {
		const cycle = isPayAsYouGo(item) ? undefined : taken.get(item.id);
		if (cycle) return { ...item, ...withoutCycle(work, item, cycle) };
		return { ...item, billedUntil: paidAsAmended(item, inForce.get(item.id)) };
	});
}
