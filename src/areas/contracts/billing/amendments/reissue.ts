import type { Work } from "../../../../kernel/work";
import { payUntil, periodsOfInvoice, runningPeriods } from "../../../billing/operations";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { creditRest } from "../../../invoices/credit-notes/operations.rest";
import { invoicesByIds } from "../../../invoices/operations";
import type { CreditNoteRow } from "../../../invoices/table";
import { differenceOf } from "../../../pricing/totals";
import { type BilledItemRow, selectItems } from "../../store.billing";
import type { ContractItemRow, ContractRow } from "../../table";
import { withBilled } from "../billed";
import { billedBefore, reopenInvoice } from "../operations.reopen";
import type { RatedItem } from "../rules.cycles";
import { isPayAsYouGo } from "../rules.schedule";
import type { AmendmentRow } from "../table";
import { paidAsAmended } from "./rules";
import { findAmendment } from "./store";

/**
 * Returns the current invoiced cycle of each item. Usage is never reversed, and a one-time charge has no running cycle.
 * A running cycle is invoiced in advance, and usage in arrears, so these invoices have no usage that could reduce their total.
 */
export const runningCycles = (
	work: Work,
	contract: ContractRow,
	items: readonly ContractItemRow[],
): Map<string, PeriodOfCharge> => {
	const recurring = new Set(
		items.filter((item) => !isPayAsYouGo(item) && item.billingCycleUnit !== "one_time").map(({ id }) => id),
	);
	return new Map(
		runningPeriods(work, contract)
			.filter(({ period, charge }) => period.invoiceId !== null && recurring.has(charge.key))
			.map((running) => [running.charge.key, running]),
	);
};

/**
 * Puts an amendment into force. If it replaces current invoices, credits the rest of the invoices of running cycles, and
 * records these cycles as not invoiced, so that the current items are invoiced for them again. Returns the credit notes.
 */
export function settleAmendment(work: Work, contract: ContractRow, amendment: AmendmentRow): CreditNoteRow[] {
	const inForce = itemsInForce(work, contract, amendment);
	const invoiceIds = amendment.includesCurrentInvoice ? currentInvoiceIds(work, contract, amendment.items) : [];
	const notes = [...invoicesByIds(work, invoiceIds).values()].flatMap(
		(invoice) => creditRest(work, invoice, "ORDER_CHANGE") ?? [],
	);
	for (const invoiceId of invoiceIds)
		reopenInvoice(
			work,
			contract,
			invoiceId,
			notes.find((note) => note.invoiceId === invoiceId),
		);
	keepPaidTime(work, contract, inForce);
	return notes;
}

/** A last cycle that was charged in full stays paid to its own end, unless it was reversed. */
function keepPaidTime(work: Work, contract: ContractRow, inForce: ReadonlyMap<string, BilledItemRow>): void {
	for (const item of selectItems(work, contract)) {
		const paid = paidAsAmended(item, inForce.get(item.id));
		if (paid !== null && paid !== item.billedUntil) payUntil(work, contract.id, item.id, paid);
	}
}

/** Returns the items as of the opening of an amendment, by id, and how far they are invoiced. */
export function itemsInForce(work: Work, contract: ContractRow, { items }: AmendmentRow): Map<string, BilledItemRow> {
	const billed = new Map(selectItems(work, contract).map(({ id, billedUntil }) => [id, billedUntil]));
	return new Map(items.map((item) => [item.id, { ...item, billedUntil: billed.get(item.id) ?? null }]));
}

const currentInvoiceIds = (work: Work, contract: ContractRow, inForce: readonly ContractItemRow[]): string[] => [
	...new Set([...runningCycles(work, contract, inForce).values()].map(({ period }) => period.invoiceId ?? "")),
];

/** Returns the items for a change: how far they are invoiced includes time that stays paid under the open amendment. */
export function openItems(work: Work, contract: ContractRow): BilledItemRow[] {
	const items = selectItems(work, contract);
	const amendment = findAmendment(work, contract);
	if (!amendment) return items;
	const inForce = itemsInForce(work, contract, amendment);
	const isReversed = ({ billedUntil }: BilledItemRow): boolean =>
		amendment.includesCurrentInvoice && billedUntil !== null && billedUntil > work.now;
	return items.map((item) =>
		isReversed(item) ? item : { ...item, billedUntil: paidAsAmended(item, inForce.get(item.id)) },
	);
}

/** Returns the items as publishing finds them: without the cycles that an open amendment reverses first. */
export function itemsToPublish(work: Work, contract: ContractRow): Array<BilledItemRow & RatedItem> {
	const items = withBilled(work, contract, selectItems(work, contract));
	const amendment = findAmendment(work, contract);
	if (!amendment) return items;
	const invoiceIds = amendment.includesCurrentInvoice ? currentInvoiceIds(work, contract, amendment.items) : [];
	const taken = new Map(
		invoiceIds.flatMap((invoiceId) => periodsOfInvoice(work, invoiceId)).map((one) => [one.charge.key, one]),
	);
	const inForce = itemsInForce(work, contract, amendment);
	return items.map((item) => {
		const reversed = isPayAsYouGo(item) ? undefined : taken.get(item.id);
		if (!reversed) return { ...item, billedUntil: paidAsAmended(item, inForce.get(item.id)) };
		const billedUntil = billedBefore(work, reversed);
		const rest = item.billed && differenceOf(item.billed, reversed.period.rated);
		return { ...item, billedUntil, billed: billedUntil === null ? null : rest };
	});
}
