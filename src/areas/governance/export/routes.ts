import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import type { Services } from "../../../server/context";
import { GovernedPath } from "../schema";
import { budgetExportOperations as operations } from "./openapi";
import { exportBudgets } from "./operations";
import { BudgetsCsvQuery } from "./schema";
import { budgetsCsv } from "./view";

export const budgetExportRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Governance"], normalize: false }).use(identity(services)).get(
		"/customers/:id/budgets.csv",
		({ actor, params: { id }, query, request }) =>
			budgetsCsv(
				services.transactions.read(actor, (work) => exportBudgets(work, id, query)),
				request,
			),
		{ detail: operations.csv, permit: "CUSTOMER:READ", params: GovernedPath, query: BudgetsCsvQuery },
	);
