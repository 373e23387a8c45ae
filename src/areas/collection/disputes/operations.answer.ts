import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { waitForCall } from "../calls/wait";
import type { Evidence } from "../providers/provider";

/** The answer to a dispute: evidence, or its acceptance. */
export type DisputeAnswering =
	| { readonly kind: "SEND_EVIDENCE"; readonly evidence: Evidence }
	| { readonly kind: "ACCEPT_DISPUTE"; readonly evidence: Record<never, never> };

/** Answers a dispute at its provider. Throws PaymentProviderError if the provider rejects the call, and the errors of its plan. */
export async function answerAtProvider(
	services: Services,
	actor: Actor,
	planned: DisputeAnswering & { readonly disputeId: string; readonly cause: Cause },
): Promise<void> {
	await waitForCall(services, actor, await services.write(actor, "planDisputeCall", planned));
}
