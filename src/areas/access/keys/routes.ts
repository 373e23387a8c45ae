import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { instantOf } from "../../../kernel/clock";
import { listOf, RefId, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { keyOperations as operations } from "./openapi";
import { createScopedKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from "./operations";
import {
	ApiKey,
	ApiKeyCreate,
	ApiKeyListQuery,
	ApiKeyRotate,
	ApiKeyUpdate,
	ApiKeyWithToken,
	RotatedApiKey,
} from "./schema";
import { viewKey, viewKeys, viewKeyWithToken } from "./view";

const params = Type.Object({ id: RefId });

/** An addition to the interface. Callers see and change only keys of their environment. */
export const keyRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/api-keys", tags: ["API keys"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const { rows, next, prev } = listKeys(work, query);
					return { data: viewKeys(work, rows), pagination: { next, prev } };
				}),
			{ detail: operations.list, permit: "API_KEY:READ", query: ApiKeyListQuery, response: listOf(ApiKey) },
		)
		.post("", ({ create, body }) => create((work) => ({ data: viewKeyWithToken(work, createScopedKey(work, body)) })), {
			detail: operations.create,
			permit: "API_KEY:WRITE",
			body: ApiKeyCreate,
			response: { 201: single(ApiKeyWithToken) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewKey(work, getKey(work, id)) })), {
			detail: operations.retrieve,
			permit: "API_KEY:READ",
			params,
			response: single(ApiKey),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewKey(work, updateKey(work, id, body)) })),
			{ detail: operations.update, permit: "API_KEY:WRITE", params, body: ApiKeyUpdate, response: single(ApiKey) },
		)
		.delete("/:id", ({ write, params: { id } }) => write((work) => ({ data: viewKey(work, revokeKey(work, id)) })), {
			detail: operations.revoke,
			permit: "API_KEY:WRITE",
			params,
			response: single(ApiKey),
		})
		.post(
			"/:id/rotate",
			({ write, params: { id }, body: { keepUntil } }) =>
				write((work) => {
					const { old, ...fresh } = rotateKey(work, id, keepUntil === undefined ? undefined : instantOf(keepUntil));
					return { data: { newApiKey: viewKeyWithToken(work, fresh), oldApiKey: viewKey(work, old) } };
				}),
			{
				detail: operations.rotate,
				permit: "API_KEY:WRITE",
				params,
				body: ApiKeyRotate,
				response: single(RotatedApiKey),
			},
		);
