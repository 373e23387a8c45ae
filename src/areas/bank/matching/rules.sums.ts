import { type Decimal, exact, isLess, minus, plus, zero } from "../../../kernel/decimal";

/** Our bounds: the oldest invoices of a payer that are combined, and the invoices of one combination. */
const combinedMax = 14;
const groupMax = 4;

interface Due {
	readonly sequence: number;
	readonly due: Decimal;
}

/**
 * Returns the groups of invoices whose amounts due sum to an amount, or exceed it by at most a tolerance. Exact sums come first, then
 * smaller groups, then older invoices. It combines at most four of the 14 oldest, and all of them.
 */
export function sumsTo<Invoice extends Due>(
	invoices: readonly Invoice[],
	amount: Decimal,
	tolerance: Decimal,
): Invoice[][] {
	const inOrder = invoices.toSorted((one, other) => one.sequence - other.sequence);
	const groups: Array<{ readonly invoices: Invoice[]; readonly short: Decimal }> = [];
	const most = plus(amount, tolerance);
	const note = (chosen: Invoice[], total: Decimal): void => {
		if (!isLess(total, amount) && !isLess(most, total)) groups.push({ invoices: chosen, short: minus(total, amount) });
	};
	const combine = (chosen: Invoice[], total: Decimal, from: number): void => {
		if (chosen.length > 0) note(chosen, total);
		if (chosen.length === groupMax) return;
		for (let at = from; at < Math.min(inOrder.length, combinedMax); at += 1) {
			const next = inOrder[at];
			if (!next) continue;
			const sum = plus(total, next.due);
			if (!isLess(most, sum)) combine([...chosen, next], sum, at + 1);
		}
	};
	combine([], zero, 0);
	for (const one of inOrder.slice(combinedMax)) note([one], one.due);
	if (inOrder.length > groupMax)
		note(
			inOrder,
			inOrder.reduce((sum, { due }) => plus(sum, due), zero),
		);
	return groups
		.toSorted((one, other) => exact(one.short).cmp(other.short) || one.invoices.length - other.invoices.length)
		.map((group) => group.invoices);
}
