import type { Work } from "../../../kernel/work";
import { billedAmounts } from "../../billing/operations";
import type { ContractRow } from "../table";
import type { RatedItem, ScheduledItem } from "./rules.cycles";
import { withTaxes } from "./taxed";

/** Adds their taxes and the sums of their invoices to line items. */
export function withBilled<Item extends ScheduledItem>(
	work: Work,
	contract: ContractRow,
	items: readonly Item[],
): Array<Item & RatedItem> {
	const billed = billedAmounts(work, contract);
	return withTaxes(work, contract, items).map((item) => ({ ...item, billed: billed.get(item.id) ?? null }));
}
