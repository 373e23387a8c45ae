import { exact } from "../../../kernel/decimal";
import type { ReceiptRefundRow, ReceiptRow } from "../table.receipts";
import { disputedOf, takesMoney } from "./rules";
import type { DisputeRow } from "./table";

/** Yields the differences between a receipt and its disputes: the disputed part, and the withdrawals of the lost ones. */
export function* disputeDifferences(
	receipt: ReceiptRow,
	disputes: readonly DisputeRow[],
	refunds: readonly ReceiptRefundRow[],
): Generator<string> {
	const named = `the receipt ${receipt.id}`;
	const held = disputedOf(disputes);
	if (!held.eq(exact(receipt.disputed)))
		yield `${named}: ${receipt.disputed} counts as disputed, its disputes make ${held.toFixed()}`;
	for (const dispute of disputes) {
		const { id, amount, state, returnId, customerId } = dispute;
		const withdrawn = refunds.find(({ refundId }) => refundId === returnId);
		if (takesMoney(dispute) !== (withdrawn !== undefined))
			yield `the dispute ${id} is ${state}, and its withdrawal is ${withdrawn ? "recorded" : "missing"}`;
		else if (withdrawn && !exact(withdrawn.amount).eq(exact(amount)))
			yield `the dispute ${id}: it concerns ${amount}, and ${withdrawn.amount} was withdrawn`;
		if (customerId !== receipt.customerId) yield `the dispute ${id} has another customer than ${named}`;
	}
}
