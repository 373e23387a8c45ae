import { isNull, or, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { calculated, columns, tableList } from "../../../graphql/lists/list";
import { instantOf } from "../../../kernel/clock";
import { apiKeys } from "../table";
import { createScopedKey, keysByIds, revokeKey, rotateKey, updateKey } from "./operations";
import { type ApiKey, ApiKeyCreate, ApiKeyRotate, ApiKeyUpdate, ApiKeyWithToken } from "./schema";
import { viewKey, viewKeys, viewKeyWithToken } from "./view";

const schemas = { ApiKeyWithToken, ApiKeyCreate, ApiKeyUpdate };

const typeDefs = `
	enum ApiKeyType from ApiKeyWithToken.keyType
	enum ApiKeyStatus from ApiKeyWithToken.status
	enum ApiKeyScopeResource from ApiKeyCreate.scopes.resource
	enum ApiKeyScopeAction from ApiKeyCreate.scopes.action
	type ApiKey from ApiKeyWithToken {
		*
		"The first characters of the secret."
		prefix
		"Only of a scoped key."
		scopes as ApiKeyScope { * }
		"Addresses and networks that may use the key. Empty allows all."
		allowedAddresses
		"Only of the publishable key."
		allowedOrigins
		status expireAt
		"To the minute."
		lastUsedAt
		createdAt
		"The secret. Only in the response that created the key."
		token?
	}
	type RotatedApiKey { newApiKey: ApiKey! oldApiKey: ApiKey! }
	input ApiKeyScopeInput from ApiKeyCreate.scopes
	input CreateApiKeyInput from ApiKeyCreate { * expireAt as DateTime allowedAddresses }
	"Omitted members stay. Null clears."
	input UpdateApiKeyInput from ApiKeyUpdate {
		id: ID! * expireAt as DateTime allowedAddresses allowedOrigins
	}
	"The old secret works until keepUntil. Without keepUntil it stops at once."
	input RotateApiKeyInput { id: ID! keepUntil: DateTime }
	input RevokeApiKeyInput { id: ID! }
`;

const list = tableList(apiKeys, {
	...{ field: "apiKeys", everyField: "allApiKeys", type: "ApiKey", scope: "API_KEY:READ" },
	// Only everyField shows revoked and expired keys.
	shown: ({ machineNow }) => or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > ${machineNow}`) ?? sql`true`,
	fields: {
		...columns(apiKeys, "id displayName description"),
		keyType: calculated(
			{ enum: "ApiKeyType" },
			sql`case ${apiKeys.kind} when 'FULL_ACCESS' then 'SERVER' when 'SCOPED' then 'SCOPED' else 'CLIENT' end`,
		),
		...columns(apiKeys, "expireAt=expiresAt createdAt"),
	},
	rows: (work, ids) => new Map(viewKeys(work, keysByIds(work, ids)).map((key) => [key.id, key])),
});

const write = mutationsOf({
	...{ returns: "ApiKey", scope: "API_KEY:WRITE", path: { id: "id" }, input: "RevokeApiKeyInput" },
});

export const apiKeysGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		ApiKey: fieldsOf<ApiKey>({ scope: "API_KEY:READ", open: ["id"], fields: {} }),
		RotatedApiKey: { fields: {} },
	},
	mutations: {
		createApiKey: write.create("CreateApiKeyInput", ApiKeyCreate, (work, body) =>
			viewKeyWithToken(work, createScopedKey(work, body)),
		),
		updateApiKey: write.change("UpdateApiKeyInput", ApiKeyUpdate, (work, id, body) =>
			viewKey(work, updateKey(work, id, body)),
		),
		rotateApiKey: write.change(
			"RotateApiKeyInput",
			ApiKeyRotate,
			(work, id, { keepUntil }) => {
				const { old, ...fresh } = rotateKey(work, id, keepUntil === undefined ? undefined : instantOf(keepUntil));
				return { newApiKey: viewKeyWithToken(work, fresh), oldApiKey: viewKey(work, old) };
			},
			{ returns: "RotatedApiKey" },
		),
		revokeApiKey: write.act((work, id) => viewKey(work, revokeKey(work, id))),
	},
	lists: [list],
};
