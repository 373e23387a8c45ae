import { exact, toDecimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { UndoRefund } from "../../collection/refunds/operations";
import { receiptsByIds, unallocatedPartOf } from "../../invoices/payments/operations.receipts";
import { takePayment } from "./operations.payment";

/**
 * Records that the money of a failed refund is back, as receipts of the provider: what was unallocated before the refund is unallocated
 * again, and the rest is in the customer's balance again (decision 0090).
 */
export const undoRefund: UndoRefund = (work, { id, refundReceiptId, connectionId, failure }) => {
	const refund = receiptsByIds(work, [refundReceiptId]).get(refundReceiptId);
	assert(refund, "the receipt of a refund is there");
	const { customerId, legalEntityId, currency, method, amount } = refund;
	const unallocated = unallocatedPartOf(work, refund.id);
	const parts = [
		["UNALLOCATED", unallocated],
		["BALANCE", exact(amount).minus(unallocated)],
	] as const;
	return parts.flatMap(([excess, part]) =>
		part.lte(0)
			? []
			: [
					takePayment(work, {
						...{ customerId, legalEntityId, currency, method, amount: toDecimal(part), allocations: [], excess },
						...{ source: { kind: "PROVIDER", id: connectionId }, reference: `${id}:failed:${excess.toLowerCase()}` },
						...{ receivedAt: work.now, note: `The refund failed: ${failure?.message ?? ""}`.slice(0, 500) },
					}).receipt.id,
				],
	);
};
