import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { answerAtProvider, type DisputeAnswering } from "../../collection/disputes/operations.answer";
import { getDispute } from "./operations";
import type { Dispute } from "./schema";
import { viewDispute } from "./view";

/**
 * Answers a dispute at its provider, and returns it as the provider reports it. Throws the errors of `planDisputeCall`, and
 * PaymentProviderError if the provider rejects the call.
 */
export async function answerDispute(
	services: Services,
	actor: Actor,
	cause: Cause,
	disputeId: string,
	answering: DisputeAnswering,
): Promise<Dispute> {
	await answerAtProvider(services, actor, { disputeId, ...answering, cause });
	return services.transactions.read(actor, (work) => viewDispute(work, getDispute(work, disputeId)));
}
