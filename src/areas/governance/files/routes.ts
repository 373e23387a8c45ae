import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { GovernedPath } from "../schema";
import { budgetFileOperations as operations } from "./openapi";
import { applyBudgetFile, exportBudgetFile, planBudgetFile } from "./operations";
import { BudgetDifference, BudgetFile } from "./schema";

const shared = { params: GovernedPath } as const;

export const budgetFileRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Governance"], normalize: false })
		.use(identity(services))
		.get(
			"/customers/:id/budgets",
			({ read, params: { id } }) => read((work) => ({ data: exportBudgetFile(work, id) })),
			{ ...shared, detail: operations.export, permit: "CUSTOMER:READ", response: single(BudgetFile) },
		)
		.post(
			"/customers/:id/budgets/plan",
			({ write, params: { id }, body }) => write((work) => ({ data: planBudgetFile(work, id, body) })),
			{
				...shared,
				...{ detail: operations.plan, permit: "CUSTOMER:WRITE", body: BudgetFile, response: single(BudgetDifference) },
			},
		)
		.post(
			"/customers/:id/budgets/apply",
			({ write, params: { id }, body }) => write((work) => ({ data: applyBudgetFile(work, id, body) })),
			{
				...shared,
				...{ detail: operations.apply, permit: "CUSTOMER:WRITE", body: BudgetFile, response: single(BudgetDifference) },
			},
		);
