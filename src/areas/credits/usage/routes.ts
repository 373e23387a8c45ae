import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { usageOperations as operations } from "./openapi";
import { getCreditUsage } from "./operations";
import { CreditUsage, CreditUsageQuery } from "./schema";

export const creditUsageRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/usage", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => ({ data: getCreditUsage(work, query) })), {
			detail: operations.get,
			permit: "CREDIT:READ",
			query: CreditUsageQuery,
			response: single(CreditUsage),
		});
