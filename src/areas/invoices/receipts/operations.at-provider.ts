import { exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { planRefund, selectRefunds } from "../../collection/refunds/operations";
import type { RefundCreate } from "../../collection/refunds/schema";
import type { ProviderRefundRow } from "../../collection/refunds/table";
import { refundReceipt } from "../payments/operations.refund";
import { getReceipt } from "../payments/operations.return";
import { refundableOf } from "../payments/rules";
import type { ReceiptRow } from "../table.receipts";
import { getReceiptOf } from "./operations";
import { assertRoom } from "./rules";
import { countRows } from "./store";

/**
 * Takes money of a receipt of a charge, and plans the provider's refund. By default, it is all that can be refunded. Throws
 * 404 for an unknown receipt; InvalidArgumentError for one of another source, and the causes of `refundReceipt`.
 */
export function refundAtProvider(work: Work, input: RefundCreate): ProviderRefundRow {
	const { receiptId, amount: asked } = input;
	const reason = input.reason ?? null;
	const receipt = getReceipt(work, getReceiptOf(work, receiptId).id);
	assertRoom(receipt, countRows(work, receipt.id));
	const origin = originOf(work, receipt);
	if (!origin)
		throw fail(
			"InvalidArgumentError",
			`The money of the receipt '${receiptId}' did not come through a payment provider, so none can send it back. Record a refund that you make yourself by POST /api/v1/receipts/{receiptId}/refunds.`,
		);
	const refundable = refundableOf(receipt);
	const amount = asked === undefined ? toDecimal(refundable) : toDecimal(asked);
	if (exact(amount).lte(0))
		throw fail(
			"InvalidArgumentError",
			`Nothing of the receipt '${receiptId}' can be refunded: it was refunded, was withdrawn or is disputed.`,
		);
	const id = work.newId();
	const refund = refundReceipt(work, receipt.id, {
		...{ amount, method: receipt.method, reference: id, note: reason, at: work.now },
	});
	const { customerId, currency } = receipt;
	return planRefund(work, {
		...{ id, customerId, currency, amount, reason, ...origin, receiptId: receipt.id, refundReceiptId: refund.id },
		isWhole: exact(amount).eq(exact(receipt.amount)),
	});
}

/** Returns the connection and the payment of a receipt. The money of a failed refund has those of the refund. */
function originOf(
	work: Work,
	{ source, reference, referenceScope }: ReceiptRow,
): Pick<ProviderRefundRow, "connectionId" | "paymentRef"> | undefined {
	if (source !== "PROVIDER" || reference === null) return undefined;
	const [failed] = selectRefunds(work, [reference.split(":")[0] ?? ""]);
	return { connectionId: referenceScope, paymentRef: failed?.paymentRef ?? reference };
}
