import { systemActor } from "../access/rules.actors";
import type { CollectorOptions } from "./collector-options";
import { connectedProvider } from "./open-connection";
import { type Provider, ProviderError } from "./providers/provider";
import { findRefundOf, type RefundCall } from "./refunds/operations";
import type { RefundOutcome } from "./refunds/rules";
import type { ProviderRefundRow } from "./refunds/table";

/** Makes the next call of a refund. The writer stores a row before it, and applies the outcome. */
export async function runRefund(options: CollectorOptions, refund: ProviderRefundRow): Promise<void> {
	const actor = systemActor(refund.environmentId);
	const provider = await connectedProvider(options, refund.environmentId, refund.connectionId);
	const { keyHours } = provider.can;
	const call = await options.write(actor, "beginRefundStep", { refundId: refund.id, keyHours });
	if (call === null) return;
	const outcome = await outcomeOf(options, provider, call);
	await options.write(actor, "applyRefundStep", { refundId: refund.id, step: call.step, outcome });
}

async function outcomeOf(options: CollectorOptions, provider: Provider, call: RefundCall): Promise<RefundOutcome> {
	const { step, key, ref, order } = call;
	try {
		const answer =
			step === "SEND"
				? await provider.refund(order, key)
				: await provider.lookRefund(ref ?? { ours: order.ours }, order.paymentRef);
		return answer === "NOT_FOUND" ? { kind: "NOT_FOUND" } : { kind: "ANSWER", answer };
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		const { kind, code, message } = error;
		if (kind === "REJECTED") return { kind, code, message };
		if (kind === "LATER") return { kind };
		if (kind !== "UNANSWERED")
			options.log.warn({ refundId: order.ours, err: error }, "a provider rejects the credentials of a connection");
		return { kind: "UNANSWERED" };
	}
}

/** Looks up a refund because of an event. A refund that Tollgate did not make changes nothing. */
export async function lookUpRefund(
	options: CollectorOptions,
	{
		environmentId,
		connectionId,
		ref,
	}: Pick<ProviderRefundRow, "environmentId" | "connectionId"> & { readonly ref: string },
): Promise<void> {
	const actor = systemActor(environmentId);
	const provider = await connectedProvider(options, environmentId, connectionId);
	const answer = await provider.lookRefund(ref, "");
	if (answer === "NOT_FOUND") return;
	const refund = options.transactions.read(actor, (work) => findRefundOf(work, connectionId, answer));
	if (!refund || refund.state === "FAILED") return;
	await options.write(actor, "applyRefundStep", {
		...{ refundId: refund.id, step: "LOOK", outcome: { kind: "ANSWER", answer } },
	});
}
