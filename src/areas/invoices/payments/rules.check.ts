import { type Big, exact, sum } from "../../../kernel/decimal";
import { sealOfAllocation, sealOfReceipt } from "../rules.seal";
import type { InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRefundRow, ReceiptRow } from "../table.receipts";
import { leftOf } from "./rules";

/** The rows around a receipt. */
interface AroundReceipt {
	readonly allocations: readonly AllocationRow[];
	/** The refunds of its money. */
	readonly refunds: readonly ReceiptRefundRow[];
	/** The receipts whose money it refunds. */
	readonly parts: readonly ReceiptRefundRow[];
	readonly invoices: ReadonlyMap<string, Pick<InvoiceRow, "number" | "customerId" | "currency" | "legalEntityId">>;
}

const changedOutside = "is not what Tollgate wrote: it was changed outside of Tollgate";

/** Returns the money that payments, less their reversals, allocate. */
const allocatedOf = (allocations: ReadonlyArray<Pick<AllocationRow, "kind" | "amount">>): Big =>
	sum(allocations.map(({ kind, amount }) => (kind === "REVERSAL" ? exact(amount).times(-1) : exact(amount))));

/** Yields the differences between a receipt and the rows around it. */
export function* receiptDifferences(receipt: ReceiptRow, around: AroundReceipt): Generator<string> {
	const named = `the receipt ${receipt.id}`;
	const { amount, unallocated, refunded, disputed } = receipt;
	if (receipt.kind === "PAYMENT") {
		const allocated = allocatedOf(around.allocations);
		const refundedBefore = sum(around.refunds.map((part) => exact(part.unallocatedPart)));
		const accounted = sum([allocated, exact(unallocated), refundedBefore]);
		if (!accounted.eq(amount) || exact(unallocated).lt(0))
			yield `${named}: it is ${amount}; ${allocated.toFixed()} is allocated, ${unallocated} is not, and ${refundedBefore.toFixed()} was refunded before it was allocated`;
		const total = sum(around.refunds.map((part) => exact(part.amount)));
		if (!total.eq(refunded)) yield `${named}: ${refunded} counts as refunded, its refunds make ${total.toFixed()}`;
		if (total.gt(amount)) yield `${named}: ${total.toFixed()} of its ${amount} was refunded`;
		if (exact(disputed).lt(0) || total.plus(exact(disputed)).gt(amount))
			yield `${named}: ${disputed} of its ${amount} is disputed, and ${total.toFixed()} was refunded`;
	} else {
		const total = sum(around.parts.map((part) => exact(part.amount)));
		if (!total.eq(amount)) yield `${named}: it refunds ${amount}, ${total.toFixed()} of it from receipts`;
	}
	yield* allocationDifferences(named, receipt, around);
	if (receipt.seal !== null && receipt.seal !== sealOfReceipt(receipt)) yield `${named} ${changedOutside}`;
	for (const row of around.allocations)
		if (row.seal !== null && row.seal !== sealOfAllocation(row))
			yield `the payment ${row.id} of the invoice ${row.invoiceId} ${changedOutside}`;
}

/** A receipt pays invoices of its customer, its currency and its legal entity; a reversal reverses one of its payments. */
function* allocationDifferences(
	named: string,
	receipt: ReceiptRow,
	{ allocations, invoices }: AroundReceipt,
): Generator<string> {
	for (const { id, kind, invoiceId, reversesId } of allocations) {
		const invoice = invoices.get(invoiceId ?? "");
		for (const key of ["customerId", "currency", "legalEntityId"] as const)
			if (invoice && invoice[key] !== receipt[key])
				yield `${named}: its ${key} is ${receipt[key]}, that of the invoice ${invoice.number} is ${invoice[key]}`;
		if ((kind === "REFUND") !== (receipt.kind === "REFUND"))
			yield `${named}: it is a ${receipt.kind}, its allocation ${id} a ${kind}`;
		if (kind !== "REVERSAL") continue;
		const reversed = allocations.find((other) => other.id === reversesId);
		if (reversed?.kind !== "PAYMENT" || reversed.invoiceId !== invoiceId)
			yield `${named}: its allocation ${id} reverses none of its payments`;
		else if (leftOf(reversed, allocations).lt(0))
			yield `${named}: the reversals of its allocation ${reversed.id} exceed ${reversed.amount}`;
	}
}

/** Yields the gaps in the numbers of receipts of each legal entity: as many as the last number, and that one was given. */
export function* countDifferences(
	counted: ReadonlyMap<string, { readonly receipts: number; readonly highest: number }>,
	given: ReadonlyMap<string, number>,
): Generator<string> {
	for (const [legalEntityId, { receipts, highest }] of counted) {
		const last = given.get(legalEntityId) ?? 0;
		if (receipts !== highest || receipts !== last)
			yield `the legal entity ${legalEntityId} has ${receipts} receipts with numbers up to ${highest}; it gave ${last}`;
	}
}
