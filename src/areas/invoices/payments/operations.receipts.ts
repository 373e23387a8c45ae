import { type Big, exact, sum } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { ReceiptRow } from "../table.receipts";
import { reverseAllocation } from "./operations.reverse";
import { paymentsInForce } from "./rules";
import { selectReceipts } from "./store";
import { allocationsOfReceipts, partsOfRefunds } from "./store.check";

/** Row id → receipt, of this environment. */
export const receiptsByIds = (work: Work, ids: readonly string[]): Map<string, ReceiptRow> =>
	new Map(selectReceipts(work, ids).map((receipt) => [receipt.id, receipt]));

/** Returns the part of a refund (by row id of its receipt) that was unallocated before it; the rest came from the balance. */
export const unallocatedPartOf = (work: Work, refundReceiptId: string): Big =>
	sum(partsOfRefunds(work, [refundReceiptId]).map((part) => exact(part.unallocatedPart)));

/**
 * Undoes all allocations of a receipt: its money is unallocated again. Throws InvalidArgumentError if nothing is allocated, and for money that was
 * refunded or that the balance has spent.
 */
export function reverseAllAllocations(work: Work, receiptId: string): ReceiptRow {
	const inForce = paymentsInForce(allocationsOfReceipts(work, [receiptId]));
	if (inForce.length === 0)
		throw fail("InvalidArgumentError", `Nothing of the receipt '${receiptId}' is allocated; its money is unallocated.`);
	const reversed = inForce.toReversed().map(({ id }) => reverseAllocation(work, id, null).receipt);
	return reversed.at(-1) as ReceiptRow;
}
