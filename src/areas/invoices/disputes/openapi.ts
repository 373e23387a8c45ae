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
	sendEvidence: operation({
		operationId: "disputes.sendEvidence",
		summary: "Send the evidence of a dispute to its provider",
		description:
			"Sends texts, by the provider's names of the fields, and submits them. The answer is the dispute as the provider reports it. Evidence is sent once: a dispute that is `UNDER_REVIEW` takes no more. The dispute of a receipt that was recorded by hand is answered where it was opened.",
		path,
		uncoded: { ...uncoded, 503: "The provider has not answered in time." },
		example: { evidence: { uncategorized_text: "The customer has used the service since May." } },
		refusals: ["InvalidArgumentError", "PaymentProviderError"],
	}),
	accept: operation({
		operationId: "disputes.accept",
		summary: "Accept a dispute at its provider",
		description:
			"The dispute is ACCEPTED, and its money is lost: the invoices that it paid are OPEN again. This cannot be undone.",
		path,
		uncoded: { ...uncoded, 503: "The provider has not answered in time." },
		refusals: ["InvalidArgumentError", "PaymentProviderError"],
	}),
};
