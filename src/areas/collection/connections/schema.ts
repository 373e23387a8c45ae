import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { DisplayName, literals, nullable, RefId } from "../../../kernel/schema";

// Our addition. The interface connects providers outside the API.

const closed = { additionalProperties: false };

/** The kinds of providers that Tollgate has adapters for. */
export const providerKinds = ["STRIPE"] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** LIVE moves money. */
export const connectionModes = ["LIVE", "TEST"] as const;

export const connectionsMax = 20;

const Secret = Type.String({ minLength: 1, maxLength: 1024, pattern: "^[\\x21-\\x7e]+$" });

export const ConnectionCreate = Type.Object(
	{
		kind: literals(...providerKinds),
		name: DisplayName,
		mode: literals(...connectionModes),
		secretKey: Secret,
		webhookSecret: Type.Optional(Secret),
		legalEntityId: Type.Optional(RefId),
		/** The address of a stand-in, in TEST mode. */
		baseUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
	},
	closed,
);
export type ConnectionCreate = Static<typeof ConnectionCreate>;

/** A new `secretKey` is verified first. With a new `webhookSecret` the former one is accepted for a day. */
export const ConnectionUpdate = Type.Object(
	{
		name: Type.Optional(DisplayName),
		secretKey: Type.Optional(Secret),
		webhookSecret: Type.Optional(Secret),
		legalEntityId: Type.Optional(nullable(RefId)),
	},
	closed,
);
export type ConnectionUpdate = Static<typeof ConnectionUpdate>;

const ConnectionStatus = literals("ACTIVE", "ARCHIVED");

export const ConnectionListQuery = Type.Object(
	{ ...pageQuery, status: Type.Optional(queryList("ACTIVE", "ARCHIVED")) },
	closed,
);
export type ConnectionListQuery = Static<typeof ConnectionListQuery>;

export const ConnectionPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

/** It never contains a secret. */
export const ProviderConnection = Type.Object(
	{
		id: Type.String(),
		kind: literals(...providerKinds),
		name: Type.String(),
		mode: literals(...connectionModes),
		/** The account's name at the provider. */
		account: Type.String(),
		legalEntityId: nullable(Type.String()),
		status: ConnectionStatus,
		/** The path below the server's address to which the provider sends its events. */
		eventsPath: Type.String(),
		hasWebhookSecret: Type.Boolean(),
		/** Until then the former webhook secret is accepted too. */
		formerWebhookSecretUntil: nullable(Type.String()),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "ProviderConnection" },
);
export type ProviderConnection = Static<typeof ProviderConnection>;
