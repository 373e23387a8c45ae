import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { EnvironmentPath } from "../access/environments/schema";
import { assertOwnEnvironment } from "../access/rules";
import { catalogOperations as operations } from "./openapi";
import { mergeEnvironment } from "./operations.merge";
import { EnvironmentMerge, MergedEnvironment } from "./schema.merge";
import { viewMerged } from "./view";

/** Our addition to the interface. */
export const environmentMergeRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/environments/:id/merge", tags: ["Environments"], normalize: false })
		.use(identity(services))
		.post(
			"",
			({ write, actor, params: { id }, body }) => {
				assertOwnEnvironment(actor, id);
				return write((work) => ({ data: viewMerged(mergeEnvironment(work, body)) }));
			},
			{
				detail: operations.merge,
				permit: { scope: "ENVIRONMENT:WRITE", also: "CATALOG:WRITE" },
				params: EnvironmentPath,
				body: EnvironmentMerge,
				response: single(MergedEnvironment),
			},
		);
