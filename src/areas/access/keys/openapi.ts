import { operation } from "../../../openapi/operation";

const path = { id: ["The key's id, not its secret", "01900000-0000-7000-8000-000000000000"] } as const;

export const keyOperations = {
	list: operation({
		operationId: "apiKeys.list",
		summary: "List API keys",
		description:
			"Without their secrets, of which Tollgate stores only hashes. Expired keys are listed only if `status` includes them.",
		query: {
			displayName: "Only keys whose name contains this text, in any case",
			keyType: "SERVER has full access, SCOPED has its scopes, CLIENT is publishable",
			status: "EXPIRING keys still work; ACTIVE and EXPIRING by default",
		},
	}),
	create: operation({
		operationId: "apiKeys.create",
		summary: "Create a scoped API key",
		description:
			"`token` is the secret. Only this response shows it; a response that is stored for an `Idempotency-Key` contains its first characters instead. A caller grants only permissions that it has. A key with an expiry or with allowed addresses creates only keys within both.",
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
		summary: "Revoke an API key",
		description:
			"Rotate a default key first, because an environment always has one of each kind. Afterwards you can revoke its old secret.",
		path,
		refusals: ["ApiKeyNotFound", "ApiKeyExpired"],
	}),
	rotate: operation({
		operationId: "apiKeys.rotate",
		summary: "Rotate an API key",
		description:
			"Returns a key with the same rights, expiry and addresses. The key must be within the caller's permissions, expiry and addresses. The old secret works until `keepUntil`, for a year at most; without it, the old secret stops working immediately.",
		path,
		example: {},
		refusals: ["ApiKeyNotFound", "ApiKeyExpired", "ApiKeyHasExpiry"],
	}),
};
