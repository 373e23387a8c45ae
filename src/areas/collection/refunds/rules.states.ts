/** The states of a refund through a provider. A refund never goes back: a provider can report a failure after a success. */
export const refundStates = ["PLANNED", "SENT", "SUCCEEDED", "FAILED"] as const;
export type RefundState = (typeof refundStates)[number];

/** The states that can follow each state. */
export const refundTransitions: Readonly<Record<RefundState, readonly RefundState[]>> = {
	PLANNED: ["SENT", "SUCCEEDED", "FAILED"],
	SENT: ["SUCCEEDED", "FAILED"],
	SUCCEEDED: ["FAILED"],
	FAILED: [],
};

/** Returns whether the second state tells more than the first. */
export const isLaterRefund = (state: RefundState, than: RefundState): boolean =>
	refundStates.indexOf(state) > refundStates.indexOf(than);
