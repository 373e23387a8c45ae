import type { AttemptResult } from "../../../../src/areas/collection/attempts/rules.apply";
import type { AttemptState } from "../../../../src/areas/collection/attempts/rules.states";
import type { Answer } from "../../../../src/areas/collection/providers/provider";
import { toDecimal, zero } from "../../../../src/kernel/decimal";

/** An attempt in a state, whose object at the provider is known from CREATED on. */
export const attemptIn = (state: AttemptState): AttemptResult => ({
	...{ state, ref: state === "PLANNED" ? null : "pi_1", pending: null, keyNumber: 1, keySince: null },
	...{ isCancelWanted: false, received: null, failure: null, actionUrl: null },
});

/** A provider's statement about a payment of 20. */
export const answered = (state: Answer["state"], ref = "pi_1"): Answer => ({
	...{ ref, ours: "attempt", state },
	received: { amount: state === "SUCCEEDED" ? toDecimal("20") : zero, currency: "usd" },
	...{ refunded: zero, fee: null, method: null, movedAt: null, dispute: null },
	failure: state === "FAILED" ? { code: "declined", message: "Declined", bucket: "RETRY_LATER" } : null,
	actionUrl: state === "REQUIRES_ACTION" ? "https://example.com/3ds" : null,
});
