import type { Instant } from "../../../kernel/clock";
import { rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { creditPeriod, isFirstOfKey, periodsOfInvoice } from "../../billing/operations";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { CreditNoteRow } from "../../invoices/table";
import { selectItems } from "../store.billing";
import type { ContractRow } from "../table";
import { isPayAsYouGo } from "./rules.schedule";

/**
 * Records the cycles of an invoice, which the caller credits, as not invoiced. Publishing then invoices them again, by
 * the items of then. Usage stays, since it is not credited. INVOICE_NOT_CURRENT if a later cycle of one of its items is
 * invoiced already.
 */
export function reopenInvoice(work: Work, contract: ContractRow, invoiceId: string, note?: CreditNoteRow): void {
	const items = new Map(selectItems(work, contract).map((item) => [item.id, item]));
	for (const cycle of periodsOfInvoice(work, invoiceId)) {
		const item = items.get(cycle.charge.key);
		if (!item || isPayAsYouGo(item)) continue;
		if (item.billedUntil !== cycle.period.endsAt)
			throw rejectBilling(
				"INVOICE_NOT_CURRENT",
				`A later cycle of the line item '${item.name}' is invoiced already, so the current invoice cannot be issued again; discard the amendment, and open one without 'includeCurrentInvoice'.`,
			);
		creditPeriod(work, cycle, note?.id ?? null);
	}
}

/**
 * Returns how far an item is invoiced without its newest cycle. The cycle before may be paid beyond its own end, until
 * this one began.
 */
export const billedBefore = (work: Work, cycle: PeriodOfCharge): Instant | null =>
	isFirstOfKey(work, cycle) ? null : cycle.period.startsAt;
