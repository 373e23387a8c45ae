import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { ledgerOperations as operations } from "./openapi";
import { listLedger } from "./operations";
import { LedgerEntry, LedgerQuery } from "./schema";

export const creditLedgerRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/ledger", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listLedger(work, query), (entry) => entry)), {
			detail: operations.list,
			permit: "CREDIT:READ",
			query: LedgerQuery,
			response: listOf(LedgerEntry),
		});
