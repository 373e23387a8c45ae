import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { rebuildOperations as operations } from "./openapi";
import { rebuildUsage } from "./operations";
import { RebuildStarted, UsageRebuild } from "./schema";

/** Our addition to the interface, for operators. */
export const usageRebuildRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/usage/rebuild", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.post("", ({ write, body }) => write((work) => ({ data: { taskId: rebuildUsage(work, body).id } })), {
			detail: operations.rebuild,
			permit: "ENVIRONMENT:WRITE",
			body: UsageRebuild,
			response: single(RebuildStarted),
		});
