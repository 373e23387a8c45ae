import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { connectionOperations as operations } from "./openapi";
import { archiveConnection, getConnection, listConnections } from "./operations";
import { ConnectionCreate, ConnectionListQuery, ConnectionPath, ConnectionUpdate, ProviderConnection } from "./schema";
import { createConnection, updateConnection } from "./verify";
import { viewConnection } from "./view";

const readScope = "ENVIRONMENT:READ";
const writeScope = "ENVIRONMENT:WRITE";
const params = ConnectionPath;
const response = single(ProviderConnection);

/** Routes of connections to payment providers. */
export const connectionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/provider-connections", tags: ["Charging"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listConnections(work, query), viewConnection)), {
			detail: operations.list,
			permit: readScope,
			query: ConnectionListQuery,
			response: listOf(ProviderConnection),
		})
		.post(
			"",
			async ({ actor, cause, once, body, status }) =>
				status(201, await once(async () => ({ data: await createConnection(services, actor, cause(), body) }))),
			{
				detail: operations.create,
				permit: { scope: writeScope, takesLong: true },
				body: ConnectionCreate,
				response: { 201: response },
			},
		)
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewConnection(getConnection(work, id)) })), {
			detail: operations.retrieve,
			permit: readScope,
			params,
			response,
		})
		.patch(
			"/:id",
			({ actor, cause, once, params: { id }, body }) =>
				once(async () => ({ data: await updateConnection(services, actor, cause(), id, body) })),
			{
				detail: operations.update,
				permit: { scope: writeScope, takesLong: true },
				params,
				body: ConnectionUpdate,
				response,
			},
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewConnection(archiveConnection(work, id)) })),
			{ detail: operations.archive, permit: writeScope, params, response },
		);
