import { operation } from "../../../openapi/operation";

const path = { id: ["The key's id, not its secret", "01900000-0000-7000-8000-000000000000"] } as const;

export const keyOperations = {
	list: operation({
		operationId: "apiKeys.list",
		summary: "List API keys",
		description:
			"Without their secrets, of which only hashes are kept. Keys that have ended are shown where `status` asks for them.",
		query: {
			displayName: "Only keys whose name contains this, whatever its case",
			keyType: "SERVER has full access, SCOPED what its scopes say, CLIENT is publishable",
			status: "EXPIRING keys still work; ACTIVE and EXPIRING when left out",
		},
	}),
	create: operation({
		operationId: "apiKeys.create",
		summary: "Create a scoped API key",
		description:
			"`token` is the secret: it is in this answer only, and a kept answer to an `Idempotency-Key` has its first characters in its place. A caller grants only permissions that it has. A key with an end or with allowed addresses creates only keys within both.",
		example: {
			displayName: "Reports",
			description: "Reads what the nightly report shows",
			scopes: [
				{ resource: "CUSTOMER", action: "READ" },
				{ resource: "INVOICE", action: "READ" },
			],
			allowedAddresses: ["10.0.0.0/8", "::1"],
		},
	}),
	retrieve: operation({
		operationId: "apiKeys.retrieve",
		summary: "Show an API key",
		path,
		refusals: ["ApiKeyNotFound"],
	}),
	update: operation({
		operationId: "apiKeys.update",
		summary: "Change an API key",
		description:
			"Scoped keys have `scopes` and `expireAt`, server keys `allowedAddresses`. The publishable key shows the `allowedOrigins` of the environment, whose change also needs `ENVIRONMENT:WRITE`. The key must keep within the permissions, end and addresses of the caller, before and after the change.",
		path,
		example: { description: "Reads what the report shows" },
		refusals: ["ApiKeyNotFound", "ApiKeyExpired", "ApiKeyHasExpiry"],
	}),
	revoke: operation({
		operationId: "apiKeys.revoke",
		summary: "End an API key now",
		description:
			"A default key is rotated first: an environment always has one of each kind. What is left of its old secret can then be ended.",
		path,
		refusals: ["ApiKeyNotFound", "ApiKeyExpired"],
	}),
	rotate: operation({
		operationId: "apiKeys.rotate",
		summary: "Replace the secret of an API key",
		description:
			"Answers a key with the same rights, end and addresses. The key must keep within the permissions, end and addresses of the caller. The old secret works until `keepUntil`, within a year, and not at all when that is left out.",
		path,
		example: {},
		refusals: ["ApiKeyNotFound", "ApiKeyExpired", "ApiKeyHasExpiry"],
	}),
};
