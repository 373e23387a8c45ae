import { type Big, type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { ReceiptRow } from "../table.receipts";

/** The parts of a refund: the receipt's unallocated money, and money of the customer's balance. */
export interface RefundSplit {
	readonly unallocatedPart: Big;
	readonly balancePart: Big;
}

/**
 * Splits a refund of one receipt: its unallocated money first, the rest from the balance. Throws InvalidArgumentError beyond the
 * refundable amount, and beyond both sources.
 */
export function splitRefund(
	{ id, unallocated, currency, disputed }: Pick<ReceiptRow, "id" | "unallocated" | "currency" | "disputed">,
	{ amount, balance, refundable }: { readonly amount: Decimal; readonly balance: Decimal; readonly refundable: Big },
): RefundSplit {
	if (refundable.lt(amount))
		throw fail(
			"InvalidArgumentError",
			`At most ${refundable.toFixed()} of the receipt '${id}' can be refunded: the rest was refunded, was withdrawn or is disputed (${disputed} is); got ${amount}.`,
		);
	const unallocatedPart = exact(unallocated).lt(amount) ? exact(unallocated) : exact(amount);
	const balancePart = exact(amount).minus(unallocatedPart);
	if (exact(balance).lt(balancePart))
		throw fail(
			"InvalidArgumentError",
			`${unallocated} of the receipt '${id}' is unallocated, and the customer's balance is ${balance} ${currency}; ${amount} cannot be refunded. Issue a credit note, or undo an allocation first (POST /receipts/${id}/allocations/{allocationId}/reverse).`,
		);
	return { unallocatedPart, balancePart };
}
