import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { GovernedPath } from "../schema";
import { budgetRequestOperations as operations } from "./openapi";
import { approveRequest, createRequest, declineRequest, listRequests, type NotifyApprover } from "./operations";
import {
	BudgetApproval,
	BudgetDecline,
	BudgetRequest,
	BudgetRequestListQuery,
	BudgetRequestPath,
	NewBudgetRequest,
} from "./schema";
import { requestView, viewRequest } from "./view";

export const budgetRequestRoutes = (services: Services, notify: NotifyApprover) =>
	new Elysia({ prefix: "/api/v1", tags: ["Governance"], normalize: false })
		.use(identity(services))
		.get(
			"/customers/:id/budget-requests",
			({ read, params: { id }, query }) =>
				read((work) => {
					const page = listRequests(work, id, query);
					return viewPage(page, requestView(work, page.rows));
				}),
			{
				detail: operations.list,
				permit: "CUSTOMER:READ",
				params: GovernedPath,
				query: BudgetRequestListQuery,
				response: listOf(BudgetRequest),
			},
		)
		.post(
			"/customers/:id/budget-requests",
			({ create, params: { id }, body }) =>
				create((work) => ({ data: viewRequest(work, createRequest(work, id, body, notify)) })),
			{
				detail: operations.create,
				permit: "CUSTOMER:WRITE",
				params: GovernedPath,
				body: NewBudgetRequest,
				response: { 201: single(BudgetRequest) },
			},
		)
		.post(
			"/budget-requests/:id/approve",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewRequest(work, approveRequest(work, id, body)) })),
			{
				detail: operations.approve,
				permit: "CUSTOMER:WRITE",
				params: BudgetRequestPath,
				body: BudgetApproval,
				response: single(BudgetRequest),
			},
		)
		.post(
			"/budget-requests/:id/decline",
			({ write, params: { id } }) => write((work) => ({ data: viewRequest(work, declineRequest(work, id)) })),
			{
				detail: operations.decline,
				permit: "CUSTOMER:WRITE",
				params: BudgetRequestPath,
				body: BudgetDecline,
				response: single(BudgetRequest),
			},
		);
