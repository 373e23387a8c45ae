import { planRefund } from "../../../../src/areas/collection/refunds/operations";
import { getCustomer } from "../../../../src/areas/customers/operations";
import { toDecimal } from "../../../../src/kernel/decimal";
import type { Work } from "../../../../src/kernel/work";

/** Plans a refund of a customer without receipts, which no collector sends. */
export const aRefund = (work: Work, customerRef: string, connectionId: string) =>
	planRefund(work, {
		...{ id: work.newId(), customerId: getCustomer(work, customerRef).id, connectionId, paymentRef: "pi_1" },
		...{ receiptId: work.newId(), refundReceiptId: work.newId(), currency: "usd", amount: toDecimal("1") },
		...{ isWhole: false, reason: null },
	});
