import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { taxationOf } from "../../taxes/operations";
import type { ContractRow } from "../table";
import type { ScheduledItem } from "./rules.cycles";

/** Adds their taxes to line items: those of the customer or the environment, unless an item states a percentage. */
export function withTaxes<Item extends ScheduledItem>(
	work: Work,
	{ customerId }: Pick<ContractRow, "customerId">,
	items: readonly Item[],
): Item[] {
	const customer = customersByIds(work, [customerId]).get(customerId);
	const taxation = customer && taxationOf(work, { taxes: null, taxPercentage: null }, customer);
	if (!taxation) return [...items];
	const { own, inherited, rounding } = taxation;
	const taxes = own ?? inherited ?? [];
	return items.map((item) =>
		item.tax !== null || taxes.length === 0 ? item : { ...item, taxes, ...(rounding && { taxRounding: rounding }) },
	);
}
