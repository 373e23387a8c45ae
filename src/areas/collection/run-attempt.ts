import { systemActor } from "../access/rules.actors";
import type { AttemptCall } from "./attempts/operations.steps";
import type { Outcome } from "./attempts/rules.apply";
import type { AttemptRow } from "./attempts/table";
import type { CollectorOptions } from "./collector-options";
import { connectedProvider } from "./open-connection";
import { type Answer, type Provider, ProviderError } from "./providers/provider";

/** Makes the next call of an attempt. The writer stores a row before it, and applies the outcome. */
export async function runAttempt(options: CollectorOptions, attempt: AttemptRow): Promise<void> {
	const actor = systemActor(attempt.environmentId);
	const provider = await connectedProvider(options, attempt.environmentId, attempt.connectionId);
	const { twoSteps, findByReference, keyHours } = provider.can;
	const can = { twoSteps, findByReference, keyHours };
	const call = await options.write(actor, "beginAttemptStep", { attemptId: attempt.id, can });
	if (call === null) return;
	const outcome = await outcomeOf(options, provider, call);
	const report = { attemptId: attempt.id, step: call.step, outcome, can };
	await options.write(actor, "applyAttemptStep", report);
}

async function outcomeOf(options: CollectorOptions, provider: Provider, call: AttemptCall): Promise<Outcome> {
	try {
		const answer = await answerOf(options, provider, call);
		return answer === "NOT_FOUND" ? { kind: "NOT_FOUND" } : { kind: "ANSWER", answer };
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		const { kind, code, message } = error;
		if (kind === "REJECTED") return { kind, code, message };
		if (kind === "LATER") return { kind };
		if (kind !== "UNANSWERED")
			options.log.warn(
				{ attemptId: call.order.ours, err: error },
				"a provider rejects the credentials of a connection",
			);
		return { kind: "UNANSWERED" };
	}
}

function answerOf(
	{ returnUrl }: CollectorOptions,
	provider: Provider,
	{ step, ref, key, order }: AttemptCall,
): Promise<Answer | "NOT_FOUND"> {
	switch (step) {
		case "CREATE":
			return provider.create(order, key);
		case "CONFIRM":
			return provider.confirm(ref ?? "", key, returnUrl);
		case "CANCEL":
			return provider.cancel(ref ?? "");
		case "LOOK":
			return provider.look(ref ?? { ours: order.ours });
	}
}
