import { FormatRegistry, type Static, Type } from "@sinclair/typebox";
import { readRange } from "../../../kernel/addresses";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { Description, DisplayName, literals, nullable, Timestamp } from "../../../kernel/schema";
import { allowedOriginsMax, isOrigin, originLengthMax } from "../rules";
import { scopeResources } from "../rules.actors";

FormatRegistry.Set("address-range", (text) => readRange(text) !== undefined);
FormatRegistry.Set("origin", isOrigin);

/** Full access, scoped, publishable. */
export const ApiKeyType = literals("SERVER", "SCOPED", "CLIENT");
export type ApiKeyType = Static<typeof ApiKeyType>;

const ScopeView = Type.Object(
	{ resource: literals(...scopeResources), action: literals("READ", "WRITE") },
	{ additionalProperties: false },
);

/** Each resource for reading and for writing. */
const scopesMax = 2 * scopeResources.length;
const Scopes = Type.Array(ScopeView, { minItems: 1, maxItems: scopesMax });

/** The maximum number of networks from which a company calls. */
const allowedAddressesMax = 50;
const AllowedAddresses = Type.Array(
	Type.String({
		format: "address-range",
		maxLength: 64,
		description: "an IP address, or a network such as 10.0.0.0/8",
	}),
	{ maxItems: allowedAddressesMax, description: "The addresses from which the key works; empty for all" },
);

/** Origins whose pages may use the publishable key. An environment has one list, which its publishable key shows. */
export const AllowedOrigins = Type.Array(
	Type.String({
		format: "origin",
		maxLength: originLengthMax,
		description:
			"scheme and host as browsers send them, such as https://app.example.com, without a path and without '*'",
	}),
	{ maxItems: allowedOriginsMax, uniqueItems: true },
);

export const ApiKeyCreate = Type.Object(
	{
		displayName: DisplayName,
		description: Type.Optional(nullable(Description)),
		scopes: Scopes,
		expireAt: Type.Optional(nullable(Timestamp)),
		allowedAddresses: Type.Optional(AllowedAddresses),
	},
	{ additionalProperties: false },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

export const ApiKeyUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Description)),
		scopes: Type.Optional(Scopes),
		expireAt: Type.Optional(nullable(Timestamp)),
		allowedAddresses: Type.Optional(AllowedAddresses),
		allowedOrigins: Type.Optional(AllowedOrigins),
	},
	{ additionalProperties: false },
);
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

export const ApiKeyRotate = Type.Object({ keepUntil: Type.Optional(Timestamp) }, { additionalProperties: false });
export type ApiKeyRotate = Static<typeof ApiKeyRotate>;

export const ApiKeyStatus = literals("ACTIVE", "EXPIRING", "EXPIRED");

export const ApiKeyListQuery = Type.Object(
	{
		...pageQuery,
		displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		keyType: Type.Optional(queryList("SERVER", "SCOPED", "CLIENT")),
		status: Type.Optional(queryList("ACTIVE", "EXPIRING", "EXPIRED")),
	},
	{ additionalProperties: false },
);
export type ApiKeyListQuery = Static<typeof ApiKeyListQuery>;

const view = {
	id: Type.String(),
	displayName: Type.String(),
	description: nullable(Type.String()),
	environmentId: Type.String(),
	keyType: ApiKeyType,
	/** The first characters of the secret, which identify the key for people. */
	prefix: Type.String(),
	scopes: nullable(Type.Array(ScopeView)),
	allowedAddresses: Type.Array(Type.String()),
	/** The origins of a publishable key; null for other kinds. */
	allowedOrigins: nullable(Type.Array(Type.String())),
	status: ApiKeyStatus,
	expireAt: nullable(Type.String()),
	/** The time of the last call, rounded to the minute. */
	lastUsedAt: nullable(Type.String()),
	createdAt: Type.String(),
};

export const ApiKey = Type.Object(view, { $id: "ApiKey" });
export type ApiKey = Static<typeof ApiKey>;

/** Only this response shows the secret. */
export const ApiKeyWithToken = Type.Object({ ...view, token: Type.String() }, { $id: "ApiKeyWithToken" });
export type ApiKeyWithToken = Static<typeof ApiKeyWithToken>;

export const RotatedApiKey = Type.Object({ newApiKey: ApiKeyWithToken, oldApiKey: ApiKey });
