import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { grantOperations as operations } from "./openapi";
import { createGrant, listGrants, updateGrant, voidGrantManually } from "./operations";
import { CreditGrant, GrantCreate, GrantListQuery, GrantPath, GrantUpdate } from "./schema";
import { viewGrant, viewGrants } from "./view";

const params = GrantPath;

export const creditGrantRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/grants", tags: ["Credit grants"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const { rows, next, prev } = listGrants(work, query);
					return { data: viewGrants(work, rows), pagination: { next, prev } };
				}),
			{ detail: operations.list, permit: "CREDIT:READ", query: GrantListQuery, response: listOf(CreditGrant) },
		)
		.post("", ({ create, body }) => create((work) => ({ data: viewGrant(work, createGrant(work, body)) })), {
			detail: operations.create,
			permit: "CREDIT:WRITE",
			body: GrantCreate,
			response: { 201: single(CreditGrant) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewGrant(work, updateGrant(work, id, body)) })),
			{ detail: operations.update, permit: "CREDIT:WRITE", params, body: GrantUpdate, response: single(CreditGrant) },
		)
		.post(
			"/:id/void",
			({ write, params: { id } }) => write((work) => ({ data: viewGrant(work, voidGrantManually(work, id)) })),
			{ detail: operations.void, permit: "CREDIT:WRITE", params, response: single(CreditGrant) },
		);
