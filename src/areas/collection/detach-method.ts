import { systemActor } from "../access/rules.actors";
import type { CollectorOptions } from "./collector-options";
import type { PaymentMethodRow } from "./methods/table";
import { connectedProvider } from "./open-connection";
import { ProviderError } from "./providers/provider";

/** Deletes a removed method at the provider, and reports the end to the writer. A method that is gone already is no error. */
export async function detachMethod(
	options: CollectorOptions,
	{ id, environmentId, connectionId, ref }: PaymentMethodRow,
) {
	const outcome = await outcomeOf(options, environmentId, connectionId, ref);
	await options.write(systemActor(environmentId), "applyMethodDetachment", { methodId: id, outcome });
}

async function outcomeOf(
	options: CollectorOptions,
	environmentId: string,
	connectionId: string,
	ref: string,
): Promise<"DONE" | "LATER"> {
	try {
		const provider = await connectedProvider(options, environmentId, connectionId);
		await provider.detachMethod(ref);
		return "DONE";
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		options.log.warn({ connectionId, err: error }, "a removed payment method could not be deleted at the provider");
		return error.kind === "REJECTED" ? "DONE" : "LATER";
	}
}
