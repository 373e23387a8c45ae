import { eq, isNull, or, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { type Input, NoBody, operation } from "../../../graphql/input/operation";
import { isoText } from "../../../graphql/input/subscription-input";
import { date, type List, reckoned, text } from "../../../graphql/lists/list";
import { instantOf } from "../../../kernel/clock";
import { scopeResources } from "../rules.actors";
import { apiKeys } from "../table";
import { createScopedKey, keysByIds, revokeKey, rotateKey, updateKey } from "./operations";
import { type ApiKey, ApiKeyCreate, ApiKeyRotate, ApiKeyUpdate } from "./schema";
import { viewKey, viewKeys, viewKeyWithToken } from "./view";

const typeDefs = `
	enum ApiKeyType { SERVER SCOPED CLIENT }
	enum ApiKeyStatus { ACTIVE EXPIRING EXPIRED }
	enum ApiKeyScopeResource { ${scopeResources.join(" ")} }
	enum ApiKeyScopeAction { READ WRITE }
	type ApiKeyScope { resource: ApiKeyScopeResource! action: ApiKeyScopeAction! }
	type ApiKey {
		id: ID!
		displayName: String!
		description: String
		environmentId: String!
		keyType: ApiKeyType!
		"The first characters of the secret."
		prefix: String!
		"Of a scoped key."
		scopes: [ApiKeyScope!]
		"Addresses and networks that may use it; empty for any."
		allowedAddresses: [String!]!
		"Of the publishable key."
		allowedOrigins: [String!]
		status: ApiKeyStatus!
		expireAt: DateTime
		"To the minute."
		lastUsedAt: DateTime
		createdAt: DateTime!
		"The secret, in the answer that made it and in no other."
		token: String
	}
	type RotatedApiKey { newApiKey: ApiKey! oldApiKey: ApiKey! }
	input ApiKeyScopeInput { resource: ApiKeyScopeResource! action: ApiKeyScopeAction! }
	input CreateApiKeyInput {
		displayName: String!
		description: String
		scopes: [ApiKeyScopeInput!]!
		expireAt: DateTime
		allowedAddresses: [String!]
	}
	"What is left out stays, null clears."
	input UpdateApiKeyInput {
		id: ID!
		displayName: String
		description: String
		scopes: [ApiKeyScopeInput!]
		expireAt: DateTime
		allowedAddresses: [String!]
		allowedOrigins: [String!]
	}
	"The old secret works until keepUntil, and not at all where that is left out."
	input RotateApiKeyInput { id: ID! keepUntil: DateTime }
	input RevokeApiKeyInput { id: ID! }
	extend type Mutation {
		createApiKey(input: CreateApiKeyInput!): ApiKey
		updateApiKey(input: UpdateApiKeyInput!): ApiKey
		rotateApiKey(input: RotateApiKeyInput!): RotatedApiKey
		revokeApiKey(input: RevokeApiKeyInput!): ApiKey
	}
`;

/** The scalar has read a date; the body wants text. Null clears. */
const withIsoDates =
	(name: "expireAt" | "keepUntil") =>
	({ [name]: at, ...input }: Input): Input => ({ ...input, ...(at !== undefined && { [name]: isoText(at) ?? at }) });

const scope = "API_KEY:WRITE";
const path = { id: "id" } as const;

const list: List = {
	field: "apiKeys",
	type: "ApiKey",
	scope: "API_KEY:READ",
	source: sql`${apiKeys}`,
	id: apiKeys.id,
	within: ({ actor }) => eq(apiKeys.environmentId, actor.environmentId),
	// Those that have ended are shown by everyField only.
	shown: ({ machineNow }) => or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > ${machineNow}`) ?? sql`true`,
	everyField: "allApiKeys",
	fields: {
		id: text(apiKeys.id),
		displayName: text(apiKeys.displayName),
		description: text(apiKeys.description),
		keyType: reckoned(
			{ enum: "ApiKeyType" },
			sql`case ${apiKeys.kind} when 'FULL_ACCESS' then 'SERVER' when 'SCOPED' then 'SCOPED' else 'CLIENT' end`,
		),
		expireAt: date(apiKeys.expiresAt),
		createdAt: date(apiKeys.createdAt),
	},
	rows: (work, ids) => new Map(viewKeys(work, keysByIds(work, ids)).map((key) => [key.id, key])),
};

export const apiKeysGraphql: GraphqlArea = {
	typeDefs,
	types: {
		ApiKey: fieldsOf<ApiKey>({ scope: "API_KEY:READ", open: ["id"], fields: {} }),
		RotatedApiKey: { fields: {} },
	},
	mutations: {
		createApiKey: operation({
			...{ scope, read: withIsoDates("expireAt"), body: ApiKeyCreate },
			run: (work, body) => viewKeyWithToken(work, createScopedKey(work, body)),
		}),
		updateApiKey: operation({
			...{ scope, read: withIsoDates("expireAt"), path, body: ApiKeyUpdate },
			run: (work, body, { id }) => viewKey(work, updateKey(work, id, body)),
		}),
		rotateApiKey: operation({
			...{ scope, read: withIsoDates("keepUntil"), path, body: ApiKeyRotate },
			run: (work, { keepUntil }, { id }) => {
				const { old, ...fresh } = rotateKey(work, id, keepUntil === undefined ? undefined : instantOf(keepUntil));
				return { newApiKey: viewKeyWithToken(work, fresh), oldApiKey: viewKey(work, old) };
			},
		}),
		revokeApiKey: operation({
			...{ scope, path, body: NoBody },
			run: (work, _, { id }) => viewKey(work, revokeKey(work, id)),
		}),
	},
	lists: [list],
};
