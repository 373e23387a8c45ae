import { Type } from "@sinclair/typebox";
import { operation } from "../../../openapi/operation";

export const eventOperations = {
	receive: operation({
		operationId: "providerConnections.receiveEvent",
		summary: "Receive an event of a provider",
		description:
			"The address for the provider's events. Tollgate checks the signature over the raw bytes by the connection's `webhookSecret` (and the former one for a day), and answers once the event is on disk. An event is only a hint: Tollgate looks its object up. A repeated event changes nothing.",
		path: { id: "The connection's id" },
		callers: "anyone",
		answeredHere: true,
		takesFile: true,
		body: Type.String(),
		otherBodies: {
			"application/json": {
				schema: Type.String(),
				example:
					'{"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": {"object": "payment_intent", "id": "pi_1"}}}',
			},
		},
		refusals: ["InvalidBillingProviderSignatureError", "IntegrationNotFound", "BadUserInput"],
		uncoded: { 413: "The event is larger than 1 MiB." },
	}),
};
