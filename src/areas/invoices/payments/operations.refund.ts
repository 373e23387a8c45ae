import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry, balanceOf } from "../balance/ledger";
import { receiptChanged } from "../events";
import { assertWholeMinorUnits } from "../rules";
import type { ReceiptRow } from "../table.receipts";
import { insertReceipt } from "./operations.record";
import { getReceipt } from "./operations.return";
import { keptOnInvoice } from "./operations.reverse";
import { refundableOf } from "./rules";
import { splitRefund } from "./rules.refund";
import { assertSameReceipt } from "./rules.take";
import { changeReceipt, findReceiptByReference, insertAllocation, insertRefundParts } from "./store";
import { allocationsOfReceipts } from "./store.check";

/** Money that goes back to a customer, from the receipt that brought it in. */
export interface NewRefund extends Pick<ReceiptRow, "method" | "note"> {
	/** In major units, above zero. */
	readonly amount: Decimal;
	/** Unique within the receipt: a repeated one means the same refund. */
	readonly reference: string | null;
	/** Not before the money arrived, and not in the future. */
	readonly at: Instant;
}

/**
 * Refunds money of a receipt (by row id): its unallocated money first, then the customer's balance, which has overpayments and credit
 * notes. No invoice changes. A repeated reference is recorded once. Returns the receipt of kind REFUND. Throws InvalidArgumentError for
 * more than what arrived less what was refunded, withdrawn or is disputed, for more than the unallocated money and the balance, and for
 * a date outside its range.
 */
export function refundReceipt(work: Work, receiptId: string, input: NewRefund): ReceiptRow {
	const receipt = getReceipt(work, receiptId);
	const { amount, method, note, reference, at } = input;
	assertWholeMinorUnits("amount", amount, receipt.currency);
	const known =
		reference === null
			? undefined
			: findReceiptByReference(work, { kind: "REFUND", referenceScope: receipt.id, reference });
	if (known) {
		assertSameReceipt(known, { ...known, amount });
		return known;
	}
	assertRefundDate(work, receipt, at);
	const balance = balanceOf(work, receipt);
	const { unallocatedPart, balancePart } = splitRefund(receipt, { amount, balance, refundable: refundableOf(receipt) });
	const { customerId, legalEntityId, currency, source } = receipt;
	const refund = insertReceipt(work, {
		...{ kind: "REFUND", customerId, legalEntityId, currency, source, amount, method, note, reference },
		...{ reason: null, unallocated: toDecimal(0), referenceScope: receipt.id, receivedAt: at },
	});
	if (balancePart.gt(0)) takeFromBalance(work, receipt, refund, balancePart);
	insertRefundParts(work, [
		{ refundId: refund.id, receiptId: receipt.id, amount, unallocatedPart: toDecimal(unallocatedPart) },
	]);
	changeReceipt(work, receipt, {
		refunded: toDecimal(exact(receipt.refunded).plus(amount)),
		unallocated: toDecimal(exact(receipt.unallocated).minus(unallocatedPart)),
	});
	receiptChanged(work, "receipt.refunded", refund);
	return refund;
}

function assertRefundDate(work: Work, receipt: ReceiptRow, at: Instant): void {
	if (at > work.now)
		throw fail("InvalidArgumentError", "'refundedDate' lies in the future; give a time that has come.");
	if (at < receipt.receivedAt)
		throw fail("InvalidArgumentError", "'refundedDate' lies before the money arrived; give a later time.");
}

/** Takes the part of a refund from the balance. The allocation names the invoice that has that much of the receipt. */
function takeFromBalance(work: Work, receipt: ReceiptRow, refund: ReceiptRow, part: Big): void {
	const owners = new Set(
		allocationsOfReceipts(work, [receipt.id]).flatMap(({ kind, invoiceId }) => (kind === "PAYMENT" ? [invoiceId] : [])),
	);
	// Money that an overpayment added to the balance goes back first.
	const candidates = [...owners].sort((one, other) => Number(one !== null) - Number(other !== null));
	const invoiceId = candidates.find((id) => keptOnInvoice(work, receipt, id).gte(part)) ?? null;
	const amount = toDecimal(part);
	const allocation = insertAllocation(work, {
		...{ receiptId: refund.id, invoiceId, kind: "REFUND", amount, balancePart: amount },
		...{ reversesId: null, reason: null, returnId: null },
	});
	addBalanceEntry(work, receipt, {
		...{ kind: "REFUNDED", amount: toDecimal(part.times(-1)), paymentId: allocation.id },
	});
}
