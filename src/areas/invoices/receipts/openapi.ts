import { operation } from "../../../openapi/operation";

const receiptId = ["The receipt's id, from the list of receipts", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c80"] as const;
const path = { receiptId };
const uncoded = { 404: "There is no such receipt." };

export const receiptOperations = {
	list: operation({
		operationId: "receipts.list",
		summary: "List receipts",
		description:
			"Receipts are movements of money: payments, refunds and returns, newest first. `unallocated=true` lists money that pays no invoice and is in no balance.",
		query: {
			customerId: "Only receipts of this customer",
			kind: "Only receipts of this kind",
			unallocated: "Only receipts with unallocated money",
		},
		refusals: ["CustomerNotFound"],
	}),
	record: operation({
		operationId: "receipts.record",
		summary: "Record a receipt",
		description:
			"Records money that arrived. One receipt can pay several OPEN invoices of the customer, in its own currency; each takes at most its amount due. The rest is unallocated, or is added to the customer's balance with `excess` BALANCE. A `reference` that this customer already has is recorded only once.",
		example: {
			customerId: "customer-acme",
			amount: 250,
			currency: "usd",
			method: "BANK_TRANSFER",
			reference: "statement 8, line 2",
		},
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
	retrieve: operation({
		operationId: "receipts.retrieve",
		summary: "Retrieve a receipt",
		description: "The receipt with its allocations, their reversals, and its refunds.",
		path,
		uncoded,
	}),
	retrievePdf: operation({
		operationId: "receipts.retrievePdf",
		summary: "Get a receipt as PDF",
		description:
			"The document of the payment, the refund or the return, in the customer's language. Renders the PDF and waits a few seconds for it.",
		path,
		answer: { description: "The PDF, inline.", contentType: "application/pdf" },
		uncoded: { ...uncoded, 503: "The PDF is not rendered yet. Retry after `Retry-After`." },
	}),
	allocate: operation({
		operationId: "receipts.allocate",
		summary: "Allocate unallocated money of a receipt",
		description:
			"Pays OPEN invoices of the customer with unallocated money of the receipt. `excess` BALANCE adds the rest of that money to the customer's balance.",
		path,
		uncoded,
		example: { excess: "BALANCE" },
		refusals: ["InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
	reverseAllocation: operation({
		operationId: "receipts.reverseAllocation",
		summary: "Undo an allocation of a receipt",
		description:
			"The money is unallocated again, so it can pay another invoice or be refunded. A PAID invoice with an amount due is OPEN again. Without an `amount`, all that is left of the allocation is undone.",
		path: {
			receiptId,
			allocationId: ["The allocation's id, from the receipt", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c81"],
		},
		uncoded,
		example: {},
		refusals: ["InvalidArgumentError"],
	}),
	refund: operation({
		operationId: "receipts.refund",
		summary: "Refund money of a receipt",
		description:
			"Records a refund to the customer: unallocated money of the receipt first, then the customer's balance, which has overpayments and credit notes. No invoice changes. A refund never exceeds what arrived, less what was refunded, was withdrawn or is disputed. A `reference` is recorded once for each receipt. Returns the receipt of the refund.",
		path,
		uncoded,
		example: { amount: 1, reference: "refund 7" },
		refusals: ["InvalidArgumentError"],
	}),
	return: operation({
		operationId: "receipts.return",
		summary: "Record that the bank or the provider withdrew a receipt",
		description:
			"Unallocated money goes first, then the allocations, the newest first: their invoices are OPEN again. Without an `amount`, all that is left was withdrawn. A `reference` is recorded once for each receipt. Returns the receipt of the withdrawal.",
		path,
		uncoded,
		example: { reason: "RETURNED", reference: "return 7", amount: 1 },
		refusals: ["InvalidArgumentError"],
	}),
};
