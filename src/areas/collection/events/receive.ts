import { fail } from "../../../kernel/errors";
import type { Services } from "../../../server/context";
import { systemActor } from "../../access/rules.actors";
import { getReceiver } from "../connections/operations";
import { webhookSecretsOf } from "../connections/rules.secrets";
import { type EventIn, ProviderError } from "../providers/provider";
import { eventReaderOf } from "./readers";

/** The sender proves itself by its signature. */
const nobody = systemActor("");

/**
 * Receives an event of a provider: resolves once it is on disk. `readBody` returns the raw bytes, and is called after the connection is
 * known. Throws IntegrationNotFound; InvalidBillingProviderSignatureError for a wrong, old or foreign signature, and for a connection
 * without a secret; BadUserInput for signed bytes that are no event.
 */
export async function receiveEvent(
	{ transactions, write, outgoing }: Pick<Services, "transactions" | "write" | "outgoing">,
	connectionId: string,
	headers: Headers,
	readBody: () => Promise<Uint8Array>,
): Promise<string> {
	const connection = transactions.read(nobody, (work) => getReceiver(work, connectionId));
	const secrets = webhookSecretsOf(outgoing.folderSecret, connection, transactions.now(""));
	if (secrets.length === 0)
		throw fail(
			"InvalidBillingProviderSignatureError",
			`The provider connection '${connectionId}' has no 'webhookSecret', so no signature can be verified; set it by PATCH /api/v1/provider-connections/{id}.`,
		);
	const read = await eventReaderOf(connection.kind);
	const raw = await readBody();
	const event = eventOf(() => read(raw, headers, secrets, transactions.now("")));
	const { id, kind, about } = event;
	await write(systemActor(connection.environmentId), "keepProviderEvent", {
		...{ connectionId, event: { id, kind, about } },
	});
	return id;
}

function eventOf(read: () => EventIn): EventIn {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error;
		if (error.kind === "SIGNATURE")
			throw fail(
				"InvalidBillingProviderSignatureError",
				`The event was not accepted: ${error.message}. Send it with a signature by the current 'webhookSecret'.`,
			);
		throw fail("BadUserInput", `The body is no event of the provider: ${error.message}.`);
	}
}
