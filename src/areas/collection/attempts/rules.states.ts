/** The states of an attempt to collect money. The design of payments names them; `docs/charging.md` describes them. */
export const attemptStates = [
	"PLANNED",
	"CREATED",
	"CONFIRMING",
	"UNKNOWN",
	"REQUIRES_ACTION",
	"PROCESSING",
	"CANCELED",
	"FAILED",
	"SUCCEEDED",
] as const;
export type AttemptState = (typeof attemptStates)[number];

/** An attempt in one of these states makes no further call. Late money still makes a FAILED or CANCELED attempt SUCCEEDED (decision 0082). */
const finalStates: ReadonlySet<AttemptState> = new Set(["CANCELED", "FAILED", "SUCCEEDED"]);

export const isFinal = (state: AttemptState): boolean => finalStates.has(state);

/** Returns whether the second state tells more than the first. An attempt never goes back. */
export const isLater = (state: AttemptState, than: AttemptState): boolean =>
	attemptStates.indexOf(state) > attemptStates.indexOf(than);

/** The states that can follow each state. */
export const attemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
	PLANNED: ["CREATED", "CONFIRMING", "REQUIRES_ACTION", "PROCESSING", "CANCELED", "FAILED", "SUCCEEDED"],
	CREATED: ["CONFIRMING", "REQUIRES_ACTION", "PROCESSING", "CANCELED", "FAILED", "SUCCEEDED"],
	CONFIRMING: ["UNKNOWN", "REQUIRES_ACTION", "PROCESSING", "CANCELED", "FAILED", "SUCCEEDED"],
	UNKNOWN: ["REQUIRES_ACTION", "PROCESSING", "CANCELED", "FAILED", "SUCCEEDED"],
	REQUIRES_ACTION: ["PROCESSING", "CANCELED", "FAILED", "SUCCEEDED"],
	PROCESSING: ["CANCELED", "FAILED", "SUCCEEDED"],
	CANCELED: ["FAILED", "SUCCEEDED"],
	FAILED: ["SUCCEEDED"],
	SUCCEEDED: [],
};
