import { operation } from "../../../openapi/operation";

const path = { id: "The refund's id" } as const;
const uncoded = { 404: "There is no such refund." };

export const refundOperations = {
	list: operation({
		operationId: "refunds.list",
		summary: "List refunds through providers",
		description: "Newest first.",
		query: {
			customerId: "Only refunds of this customer",
			receiptId: "Only refunds of this receipt",
			state: "Only refunds in these states",
		},
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "refunds.create",
		summary: "Refund a charge through its provider",
		description:
			"Sends money of a receipt with the source PROVIDER back to where it came from. It takes the receipt's unallocated money first, then the customer's balance, at once; the provider's refund follows. If the provider's refund fails, the amount returns to where it was. `POST /receipts/{receiptId}/refunds` only records a refund that you have made.",
		example: { receiptId: "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c80", amount: 1, reason: "goodwill" },
		uncoded: { 404: "There is no such receipt." },
		refusals: ["InvalidArgumentError"],
	}),
	retrieve: operation({ operationId: "refunds.retrieve", summary: "Show a refund through a provider", path, uncoded }),
};
