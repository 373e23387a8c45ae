import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { balanceOperations as operations } from "./openapi";
import { listBalances } from "./operations";
import { BalancesQuery, CreditBalance } from "./schema";

export const creditBalanceRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/balances", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listBalances(work, query), (balance) => balance)), {
			detail: operations.list,
			permit: "CREDIT:READ",
			query: BalancesQuery,
			response: listOf(CreditBalance),
		});
