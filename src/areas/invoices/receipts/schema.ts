import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { Currency, CustomerRefId, literals, nullable, Timestamp } from "../../../kernel/schema";
import { amountMax } from "../balance/schema";
import { allocationsMax } from "../payments/rules.take";
import {
	allocationKinds,
	excesses,
	paymentMethods,
	receiptKinds,
	receiptSources,
	returnReasons,
	reversalReasons,
} from "../payments/schema";

const Id = Type.String({ minLength: 1, maxLength: 255 });
const Amount = ExactNumber({ exclusiveMinimum: 0, maximum: amountMax });
const Reference = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));
const Note = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));

const ReceiptAllocationInput = Type.Object({ invoiceId: Id, amount: Amount }, { additionalProperties: false });
const Allocations = Type.Array(ReceiptAllocationInput, { maxItems: allocationsMax });

/**
 * Our own route. Defaults: another method, now, no allocation, and the rest unallocated. The legal entity is that of the first
 * invoice, or else that of the customer.
 */
export const ReceiptReport = Type.Object(
	{
		customerId: CustomerRefId,
		amount: Amount,
		currency: Currency,
		legalEntityId: Type.Optional(Id),
		method: Type.Optional(literals(...paymentMethods)),
		receivedDate: Type.Optional(Timestamp),
		reference: Reference,
		note: Note,
		allocations: Type.Optional(Allocations),
		excess: Type.Optional(literals(...excesses)),
	},
	{ additionalProperties: false },
);
export type ReceiptReport = Static<typeof ReceiptReport>;

/** Our own route. The amounts pay the invoices; excess BALANCE adds the rest of the unallocated money to the customer's balance. */
export const ReceiptAllocation = Type.Object(
	{ allocations: Type.Optional(Allocations), excess: Type.Optional(literals(...excesses)) },
	{ additionalProperties: false },
);
export type ReceiptAllocation = Static<typeof ReceiptAllocation>;

/** Our own route. By default, all that is left of the allocation is undone. */
export const AllocationReversal = Type.Object({ amount: Type.Optional(Amount) }, { additionalProperties: false });
export type AllocationReversal = Static<typeof AllocationReversal>;

/** Our own route. Defaults: the method of the receipt, now. */
export const ReceiptRefund = Type.Object(
	{
		amount: Amount,
		method: Type.Optional(literals(...paymentMethods)),
		refundedDate: Type.Optional(Timestamp),
		reference: Reference,
		note: Note,
	},
	{ additionalProperties: false },
);
export type ReceiptRefund = Static<typeof ReceiptRefund>;

/** Our own route. By default, all that was neither refunded nor withdrawn was withdrawn now. */
export const ReceiptReturn = Type.Object(
	{
		reason: literals(...returnReasons),
		amount: Type.Optional(Amount),
		returnedDate: Type.Optional(Timestamp),
		reference: Reference,
		note: Note,
	},
	{ additionalProperties: false },
);
export type ReceiptReturn = Static<typeof ReceiptReturn>;

export const ReceiptPath = Type.Object({ receiptId: Id }, { additionalProperties: false });
export const ReceiptAllocationPath = Type.Object({ receiptId: Id, allocationId: Id }, { additionalProperties: false });

export const ReceiptListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		kind: Type.Optional(literals(...receiptKinds)),
		/** Only receipts with unallocated money. */
		unallocated: Type.Optional(literals("true")),
	},
	{ additionalProperties: false },
);
export type ReceiptListQuery = Static<typeof ReceiptListQuery>;

const nullableText = nullable(Type.String());

const receipt = {
	receiptId: Type.String(),
	/** The number of the document, unique within the legal entity. */
	number: Type.String(),
	/** REFUND: paid to the customer. RETURN: withdrawn by the bank or the provider. */
	kind: literals(...receiptKinds),
	customerId: Type.String(),
	legalEntityId: Type.String(),
	amount: Type.Number(),
	currency: Type.String(),
	/** The part that pays no invoice and is in no balance. */
	unallocatedAmount: Type.Number(),
	/** The part that was refunded or withdrawn. */
	refundedAmount: Type.Number(),
	/** The part that a dispute concerns. */
	disputedAmount: Type.Number(),
	method: literals(...paymentMethods),
	source: literals(...receiptSources),
	/** Only of a RETURN. */
	reason: nullable(literals(...returnReasons)),
	reference: nullableText,
	note: nullableText,
	receivedDate: Type.String(),
	createdAt: Type.String(),
};

export const Receipt = Type.Object(receipt, { $id: "Receipt", additionalProperties: false });
export type Receipt = Static<typeof Receipt>;

/** A part of a receipt that pays an invoice; without an invoice, it is in the customer's balance, or came from it. */
export const AllocationOfReceipt = Type.Object(
	{
		allocationId: Type.String(),
		kind: literals(...allocationKinds),
		invoiceId: nullableText,
		amount: Type.Number(),
		/** The part that the balance received; of a refund or a reversal, the part that it paid. */
		balanceAmount: Type.Number(),
		/** Only of a REVERSAL: what it undoes, and why. */
		reversesAllocationId: nullableText,
		reason: nullable(literals(...reversalReasons)),
		createdAt: Type.String(),
	},
	{ $id: "AllocationOfReceipt", additionalProperties: false },
);
export type AllocationOfReceipt = Static<typeof AllocationOfReceipt>;

/** Money of a receipt that went back: the amount, and the receipt of the refund or the return; of a refund, the receipt that it refunds. */
const RefundOfReceipt = Type.Object(
	{ receiptId: Type.String(), amount: Type.Number() },
	{ additionalProperties: false },
);

export const ReceiptDetail = Type.Object(
	{
		...receipt,
		/** In the order of recording. */
		allocations: Type.Array(AllocationOfReceipt),
		/** The refunds and returns of this money. */
		refunds: Type.Array(RefundOfReceipt),
		/** The receipts whose money a refund or a return moved out. */
		refundOf: Type.Array(RefundOfReceipt),
	},
	{ $id: "ReceiptDetail", additionalProperties: false },
);
export type ReceiptDetail = Static<typeof ReceiptDetail>;
