import { isNull, or, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { derive } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { calculated, columns, tableList } from "../../../graphql/lists/list";
import { instantOf } from "../../../kernel/clock";
import { scopeResources } from "../rules.actors";
import { apiKeys } from "../table";
import { createScopedKey, keysByIds, revokeKey, rotateKey, updateKey } from "./operations";
import { type ApiKey, ApiKeyCreate, ApiKeyRotate, ApiKeyUpdate, ApiKeyWithToken } from "./schema";
import { viewKey, viewKeys, viewKeyWithToken } from "./view";

const typeDefs = derive(
	{ ApiKeyWithToken, ApiKeyCreate, ApiKeyUpdate },
	`
	enum ApiKeyType from ApiKeyWithToken.keyType
	enum ApiKeyStatus from ApiKeyWithToken.status
	enum ApiKeyScopeResource { ${scopeResources.join(" ")} }
	enum ApiKeyScopeAction { READ WRITE }
	type ApiKey from ApiKeyWithToken {
		* keyType as ApiKeyType
		"The first characters of the secret."
		prefix
		"Only of a scoped key."
		scopes as ApiKeyScope { resource as ApiKeyScopeResource action as ApiKeyScopeAction }
		"Addresses and networks that may use the key. Empty allows all."
		allowedAddresses
		"Only of the publishable key."
		allowedOrigins
		status as ApiKeyStatus expireAt
		"To the minute."
		lastUsedAt
		createdAt
		"The secret. Only in the response that created the key."
		token?
	}
	type RotatedApiKey { newApiKey: ApiKey! oldApiKey: ApiKey! }
	input ApiKeyScopeInput from ApiKeyCreate.scopes { resource as ApiKeyScopeResource action as ApiKeyScopeAction }
	input CreateApiKeyInput from ApiKeyCreate { * scopes as ApiKeyScopeInput expireAt as DateTime allowedAddresses }
	"Omitted members stay. Null clears."
	input UpdateApiKeyInput from ApiKeyUpdate {
		id: ID! * scopes as ApiKeyScopeInput expireAt as DateTime allowedAddresses allowedOrigins
	}
	"The old secret works until keepUntil. Without keepUntil it stops at once."
	input RotateApiKeyInput { id: ID! keepUntil: DateTime }
	input RevokeApiKeyInput { id: ID! }
`,
);

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
