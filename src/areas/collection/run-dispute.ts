import { DomainError } from "../../kernel/errors";
import { systemActor } from "../access/rules.actors";
import type { CollectorOptions } from "./collector-options";
import type { ProviderDisputeRow } from "./disputes/table";
import { connectedProvider } from "./open-connection";
import { ProviderError } from "./providers/provider";

/** Looks up a dispute that has not ended. */
export async function runDispute(options: CollectorOptions, dispute: ProviderDisputeRow): Promise<void> {
	try {
		await lookUpDispute(options, dispute);
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		await keepProblem(options, dispute, dispute.paymentRef, `its look-up failed: ${error.message}`);
	}
}

/** Looks up a dispute, and has the writer apply what the provider reports. */
export async function lookUpDispute(
	options: CollectorOptions,
	dispute: Pick<ProviderDisputeRow, "environmentId" | "connectionId" | "ref">,
): Promise<void> {
	const { environmentId, connectionId, ref } = dispute;
	const provider = await connectedProvider(options, environmentId, connectionId);
	const answer = await provider.lookDispute(ref);
	if (answer === "NOT_FOUND") return;
	try {
		await options.write(systemActor(environmentId), "applyProviderDispute", { connectionId, answer });
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		await keepProblem(options, dispute, answer.paymentRef, error.message);
	}
}

async function keepProblem(
	{ write, log }: CollectorOptions,
	{ environmentId, connectionId, ref }: Pick<ProviderDisputeRow, "environmentId" | "connectionId" | "ref">,
	paymentRef: string,
	problem: string,
): Promise<void> {
	log.warn({ connectionId, ref, problem }, "the books cannot follow a dispute of a provider");
	await write(systemActor(environmentId), "keepDisputeProblem", { connectionId, ref, paymentRef, problem });
}
