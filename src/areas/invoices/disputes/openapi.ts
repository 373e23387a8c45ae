import { operation } from "../../../openapi/operation";

const receiptId = ["The receipt's id, from the list of receipts", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c80"] as const;
const path = {
	disputeId: ["The dispute's id, from the list of disputes", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c90"],
} as const;
const uncoded = { 404: "There is no such dispute." };

export const disputeOperations = {
	record: operation({
		operationId: "receipts.recordDispute",
		summary: "Record a dispute of a receipt",
		description:
			"A bank or a provider asks for the money back. Unless it is an `INQUIRY`, the amount cannot be refunded or withdrawn otherwise until the dispute ends. No invoice changes. Without an `amount`, all that is left of the receipt is disputed. A `reference` is recorded once for each receipt.",
		path: { receiptId },
		uncoded: { 404: "There is no such receipt." },
		example: { amount: 1, reason: "fraudulent", reference: "case 7", evidenceDueDate: "2027-01-15T00:00:00Z" },
		refusals: ["InvalidArgumentError"],
	}),
	list: operation({
		operationId: "disputes.list",
		summary: "List disputes",
		description: "Newest first.",
		query: {
			customerId: "Only disputes of this customer",
			receiptId: "Only disputes of this receipt",
			state: "Only disputes in this state",
		},
		refusals: ["CustomerNotFound"],
	}),
	retrieve: operation({ operationId: "disputes.retrieve", summary: "Retrieve a dispute", path, uncoded }),
	change: operation({
		operationId: "disputes.changeState",
		summary: "Change the state of a dispute",
		description:
			"`LOST` and `ACCEPTED` withdraw the money: unallocated money of the receipt first, then the allocations, the newest first. Their invoices are OPEN again. `WON` and `CLOSED` release it. An ended dispute does not change.",
		path,
		uncoded,
		example: { state: "UNDER_REVIEW" },
		refusals: ["InvalidArgumentError"],
	}),
};
