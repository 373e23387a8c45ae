import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { creditReadOperations as operations } from "./openapi";
import { listBalances, listLedger } from "./operations";
import { getCreditUsage } from "./operations.usage";
import { BalancesQuery, CreditBalance, CreditUsage, CreditUsageQuery, LedgerEntry, LedgerQuery } from "./schema";

const permit = "CREDIT:READ";
const tags = ["Credit ledger"];

export const creditReadRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits", normalize: false })
		.use(identity(services))
		.get("/ledger", ({ read, query }) => read((work) => viewPage(listLedger(work, query), (entry) => entry)), {
			detail: { ...operations.ledger, tags },
			permit,
			query: LedgerQuery,
			response: listOf(LedgerEntry),
		})
		.get("/usage", ({ read, query }) => read((work) => ({ data: getCreditUsage(work, query) })), {
			detail: { ...operations.usage, tags },
			permit,
			query: CreditUsageQuery,
			response: single(CreditUsage),
		})
		.get("/balances", ({ read, query }) => read((work) => viewPage(listBalances(work, query), (balance) => balance)), {
			detail: { ...operations.balances, tags },
			permit,
			query: BalancesQuery,
			response: listOf(CreditBalance),
		});
