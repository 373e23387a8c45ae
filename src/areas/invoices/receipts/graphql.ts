import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { getInvoicedCustomer } from "../operations";
import { receiptKinds } from "../payments/schema";
import { selectReceipts } from "../payments/store";
import { isUnallocated, receipts } from "../table.receipts";
import {
	allocateReported,
	getReceiptOf,
	type ReceiptOperations,
	recordReported,
	refundReported,
	returnReported,
	reverseReported,
} from "./operations";
import {
	AllocationOfReceipt,
	AllocationReversal,
	ReceiptAllocation,
	ReceiptAllocationPath,
	ReceiptDetail,
	ReceiptListQuery,
	ReceiptPath,
	ReceiptRefund,
	ReceiptReport,
	ReceiptReturn,
	type ReceiptDetail as ReceiptView,
} from "./schema";
import { viewReceiptDetail, viewReceiptDetails } from "./view";

const schemas = {
	AllocationOfReceipt,
	AllocationReversal,
	ReceiptAllocation,
	ReceiptDetail,
	ReceiptListQuery,
	ReceiptRefund,
	ReceiptReport,
	ReceiptReturn,
};

const typeDefs = `
	enum ReceiptKind from ReceiptDetail.kind
	enum ReceiptSource from ReceiptDetail.source
	enum ReceiptReturnReason from ReceiptReturn.reason
	enum ReceiptExcess from ReceiptReport.excess
	enum ReceiptAllocationKind from AllocationOfReceipt.kind
	"A part of a receipt that pays an invoice. Without an invoice, it is in the customer's balance, or came from it."
	type ReceiptAllocation {
		id: ID! kind: ReceiptAllocationKind! invoiceId: String amount: Float! balanceAmount: Float!
		"A reversal names the allocation that it undoes, and the reason."
		reversesAllocationId: String reason: InvoicePaymentReversalReason
		createdAt: DateTime!
	}
	"Money that went back, and the receipt that moved it."
	type ReceiptPart { receiptId: String! amount: Float! }
	"A movement of money of a customer: a payment, a refund, or a return."
	type Receipt from ReceiptDetail {
		id: ID! number kind! as ReceiptKind
		"The caller's id."
		customerId
		legalEntityId amount as Money currency
		"The part that pays no invoice and is in no balance."
		unallocatedAmount as Money
		"The part that was refunded or withdrawn."
		refundedAmount as Money
		"The part that a dispute concerns."
		disputedAmount as Money
		method! as InvoicePaymentMethod source as ReceiptSource reason as ReceiptReturnReason reference note receivedDate createdAt
		"In the order of recording. Amounts are in the currency of the receipt."
		allocations: [ReceiptAllocation!]!
		"The refunds and returns of this money."
		refunds: [ReceiptPart!]!
		"A refund or a return names the receipts whose money it moved out."
		refundOf: [ReceiptPart!]!
	}
	${connectionTypes("Receipt", false)}
	"Newest first. Defaults: all customers and kinds. unallocated: only money that pays no invoice and is in no balance."
	input ReceiptsInput { customerId: String kind: ReceiptKind unallocated: Boolean paging: CursorPaging }
	"In major units. Defaults: another method, now, no allocation, and the rest unallocated."
	input RecordReceiptInput from ReceiptReport {
		method as InvoicePaymentMethod excess as ReceiptExcess *
		allocations as ReceiptAllocationInput "An OPEN invoice takes at most its amount due." { * }
	}
	input AllocateReceiptInput from ReceiptAllocation {
		receiptId: String! excess as ReceiptExcess *
		allocations as UnallocatedAllocationInput "An OPEN invoice takes at most its amount due." { * }
	}
	"Without an amount: all that is left of the allocation."
	input ReverseReceiptAllocationInput from AllocationReversal { receiptId: String! allocationId: String! * }
	"Defaults: the method of the receipt, now. A reference is recorded once."
	input RefundReceiptInput from ReceiptRefund { receiptId: String! method as InvoicePaymentMethod * }
	"Without an amount: all that is left of the receipt."
	input ReturnReceiptInput from ReceiptReturn { receiptId: String! reason as ReceiptReturnReason * }
`;

const scope = "INVOICE:READ";
const onReceipt = { path: { receiptId: "receiptId" }, params: ReceiptPath.properties } as const;
const returns = { scope: "INVOICE:WRITE" } as const;

const receipt = fieldsOf<ReceiptView>({
	fields: {
		id: ({ receiptId }) => receiptId,
		allocations: ({ allocations }) => allocations.map((one) => ({ ...one, id: one.allocationId })),
	},
});

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, ReceiptView> =>
	new Map(viewReceiptDetails(work, selectReceipts(work, ids)).map((view) => [view.receiptId, view]));

/** Payments also change subscriptions. That area is later, so `graphql/schema.ts` passes these operations in. */
export const receiptsGraphql = (taking: ReceiptOperations): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { Receipt: receipt },
	queries: {
		receipts: pagedQuery(receipts, {
			...{ type: "Receipt", args: "(input: ReceiptsInput!)", scope, rows: views },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const customerRef = textOf(input, "customerId");
				const kind = receiptKinds.find((one) => one === input.kind);
				return and(
					customerRef === undefined ? undefined : eq(receipts.customerId, getInvoicedCustomer(work, customerRef).id),
					kind === undefined ? undefined : eq(receipts.kind, kind),
					input.unallocated === true ? isUnallocated : undefined,
				);
			},
		}),
		receipt: {
			signature: "(id: String!): Receipt",
			...{ comment: "A receipt with its allocations and refunds.", scope },
			resolve: (args, { work }) => viewReceiptDetail(work, getReceiptOf(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		recordReceipt: operation({
			...{ ...returns, signature: "(input: RecordReceiptInput!): Receipt", path: {}, params: {} },
			comment:
				"Records money that arrived and pays invoices with it. Throws CustomerNotFound, InvoiceNotFound, BillingInvoiceStatusError.",
			body: ReceiptReport,
			run: (work, body) => viewReceiptDetail(work, recordReported(work, body, taking)),
		}),
		allocateReceipt: operation({
			...{ ...returns, signature: "(input: AllocateReceiptInput!): Receipt", ...onReceipt },
			comment: "Pays invoices with unallocated money. Throws InvoiceNotFound, BillingInvoiceStatusError.",
			body: ReceiptAllocation,
			run: (work, body, { receiptId }) => viewReceiptDetail(work, allocateReported(work, receiptId, body, taking)),
		}),
		reverseReceiptAllocation: operation({
			...{ ...returns, signature: "(input: ReverseReceiptAllocationInput!): Receipt" },
			comment: "The money is unallocated again. A PAID invoice with an amount due is OPEN again.",
			path: { receiptId: "receiptId", allocationId: "allocationId" },
			params: ReceiptAllocationPath.properties,
			body: AllocationReversal,
			run: (work, body, path) => viewReceiptDetail(work, reverseReported(work, path, body)),
		}),
		refundReceipt: operation({
			...{ ...returns, signature: "(input: RefundReceiptInput!): Receipt", ...onReceipt },
			comment: "Unallocated money first, then the customer's balance. Returns the receipt of the refund.",
			body: ReceiptRefund,
			run: (work, body, { receiptId }) => viewReceiptDetail(work, refundReported(work, receiptId, body)),
		}),
		returnReceipt: operation({
			...{ ...returns, signature: "(input: ReturnReceiptInput!): Receipt", ...onReceipt },
			comment: "The bank or the provider withdrew the money. Returns the receipt of the withdrawal.",
			body: ReceiptReturn,
			run: (work, body, { receiptId }) => viewReceiptDetail(work, returnReported(work, receiptId, body)),
		}),
	},
});
