import { operation } from "../../../openapi/operation";

const path = { id: "The connection's id" } as const;

export const connectionOperations = {
	list: operation({
		operationId: "providerConnections.list",
		summary: "List provider connections",
		query: { status: "Only connections in these states" },
	}),
	create: operation({
		operationId: "providerConnections.create",
		summary: "Connect a payment provider",
		description:
			"Tollgate verifies the credentials at the provider, encrypts and stores them. No response shows them. With `webhookSecret`, Tollgate accepts the provider's events at `eventsPath`. `mode` LIVE needs a production environment.",
		example: { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey: "sk_test_example" },
		refusals: ["PaymentProviderError", "InvalidArgumentError"],
		uncoded: { 503: "The provider has not answered in time." },
	}),
	retrieve: operation({
		operationId: "providerConnections.retrieve",
		summary: "Show a provider connection",
		path,
		refusals: ["IntegrationNotFound"],
	}),
	update: operation({
		operationId: "providerConnections.update",
		summary: "Change a provider connection",
		description:
			"Tollgate verifies a new `secretKey` first, and keeps the former one if the provider rejects it. With a new `webhookSecret`, the former one is accepted for another day.",
		path,
		example: { name: "Cards and wallets" },
		refusals: ["IntegrationNotFound", "PaymentProviderError", "EntityIsArchivedError", "InvalidArgumentError"],
		uncoded: { 503: "The provider has not answered in time." },
	}),
	archive: operation({
		operationId: "providerConnections.archive",
		summary: "Archive a provider connection",
		description: "It starts no further payment. Tollgate still looks up the payments that are under way.",
		path,
		refusals: ["IntegrationNotFound"],
	}),
};
