import { newUuidV7 } from "../../../kernel/ids";
import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { waitForCall } from "../calls/wait";
import { getConnection, type PlannedChange } from "./operations";
import { assertBaseUrl } from "./rules";
import { openCredentials, sealCredentials, sealWebhookSecret } from "./rules.secrets";
import type { ConnectionCreate, ConnectionUpdate, ProviderConnection } from "./schema";
import { viewConnection } from "./view";

/**
 * Stores a connection once the collector has verified its credentials at the provider. The secrets are sealed before anything is written.
 * Throws PaymentProviderError if the provider rejects them, and the errors of `changeConnection`.
 */
export async function createConnection(
	services: Services,
	actor: Actor,
	cause: Cause,
	input: ConnectionCreate,
): Promise<ProviderConnection> {
	const { kind, name, mode, secretKey, webhookSecret, legalEntityId = null, baseUrl = null } = input;
	const { folderSecret, allowPrivateWebhooks } = services.outgoing;
	if (baseUrl !== null) assertBaseUrl(baseUrl, mode, allowPrivateWebhooks);
	const id = newUuidV7();
	return await verified({ services, actor, cause }, id, {
		isNew: true,
		connection: {
			...{ id, kind, name, mode, legalEntityRefId: legalEntityId },
			sealedSecret: sealCredentials(folderSecret, id, { secretKey, baseUrl }),
			sealedWebhookSecret: webhookSecret === undefined ? null : sealWebhookSecret(folderSecret, id, webhookSecret),
		},
	});
}

/** Changes the sent fields. The collector verifies new credentials first. The errors of `createConnection`; IntegrationNotFound. */
export async function updateConnection(
	services: Services,
	actor: Actor,
	cause: Cause,
	id: string,
	{ name, secretKey, webhookSecret, legalEntityId }: ConnectionUpdate,
): Promise<ProviderConnection> {
	const { folderSecret } = services.outgoing;
	const { sealedSecret } = services.transactions.read(actor, (work) => getConnection(work, id));
	const baseUrl = openCredentials(folderSecret, id, sealedSecret)?.baseUrl ?? null;
	return await verified({ services, actor, cause }, id, {
		isNew: false,
		id,
		change: {
			...(name !== undefined && { name }),
			...(legalEntityId !== undefined && { legalEntityRefId: legalEntityId }),
			...(secretKey !== undefined && { sealedSecret: sealCredentials(folderSecret, id, { secretKey, baseUrl }) }),
			...(webhookSecret !== undefined && {
				sealedWebhookSecret: sealWebhookSecret(folderSecret, id, webhookSecret),
			}),
		},
	});
}

interface Asked {
	readonly services: Services;
	readonly actor: Actor;
	readonly cause: Cause;
}

async function verified({ services, actor, cause }: Asked, id: string, planned: PlannedChange) {
	const callId = await services.write(actor, "changeProviderConnection", { planned, cause });
	if (callId !== null) await waitForCall(services, actor, callId);
	return services.transactions.read(actor, (work) => viewConnection(getConnection(work, id)));
}
