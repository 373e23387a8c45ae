import { systemActor } from "../access/rules.actors";
import type { CollectorOptions } from "./collector-options";
import { getConnection } from "./connections/operations";
import { openCredentials } from "./connections/rules.secrets";
import { type Provider, ProviderError } from "./providers/provider";

/** Opens the adapter of a connection. Throws ProviderError if its credentials belong to another data folder. */
export async function connectedProvider(
	{ transactions, open, folderSecret }: CollectorOptions,
	environmentId: string,
	connectionId: string,
): Promise<Provider> {
	const actor = systemActor(environmentId);
	const { kind, sealedSecret } = transactions.read(actor, (work) => getConnection(work, connectionId));
	const credentials = openCredentials(folderSecret, connectionId, sealedSecret);
	if (!credentials) throw foreignSecret();
	return await open(kind, credentials);
}

export const foreignSecret = (): ProviderError =>
	new ProviderError("CREDENTIALS", "they were encrypted with another secret of the data folder");
