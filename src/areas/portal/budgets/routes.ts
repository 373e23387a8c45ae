import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity, type Permit } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { answer, listOf, nullable, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import {
	BudgetApproval,
	BudgetDecline,
	BudgetRequestListQuery,
	BudgetRequestPath,
	NewBudgetRequest,
} from "../../governance/requests/schema";
import { portalBudgetOperations as operations } from "./openapi";
import { changeOwnLimit, listOwnBudgets, readOwnBudgets } from "./operations";
import { readLink } from "./operations.link";
import { mailApprover } from "./operations.mail";
import { approveOwnRequest, createOwnRequest, declineOwnRequest, listOwnRequests } from "./operations.requests";
import {
	PortalBudget,
	PortalBudgetPath,
	PortalBudgetQuery,
	PortalBudgetRequest,
	PortalLimitUpdate,
	PortalLink,
} from "./schema";

const permit: Permit = { session: "PORTAL" };
const limited: Permit = { ...permit, limitedBy: "session" };

/** The budgets that a link to a portal shows. The link identifies the customer, and the part of its tree. */
export const portalBudgetRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/portal", tags: ["Portal"], normalize: false })
		.use(identity(services))
		.get("/session", ({ read }) => read((work) => ({ data: readLink(work) })), {
			detail: operations.link,
			permit,
			response: single(PortalLink),
		})
		.get("/budgets", ({ read, query }) => read((work) => listOwnBudgets(work, query)), {
			detail: operations.list,
			permit,
			query: PortalBudgetQuery,
			response: answer(
				Type.Object({
					data: Type.Array(PortalBudget),
					pagination: Type.Object({ next: nullable(Type.String()) }),
				}),
			),
		})
		.get(
			"/budgets/:entityId",
			({ read, params: { entityId } }) => read((work) => ({ data: readOwnBudgets(work, entityId) })),
			{
				detail: operations.retrieve,
				permit,
				params: PortalBudgetPath,
				response: answer(Type.Object({ data: Type.Array(PortalBudget) })),
			},
		)
		.patch(
			"/budgets/:entityId",
			({ write, params: { entityId }, body }) => write((work) => ({ data: changeOwnLimit(work, entityId, body) })),
			{
				detail: operations.change,
				permit: limited,
				params: PortalBudgetPath,
				body: PortalLimitUpdate,
				response: single(PortalBudget),
			},
		)
		.get(
			"/budget-requests",
			({ read, query }) =>
				read((work) => {
					const { page, view } = listOwnRequests(work, query);
					return viewPage(page, view);
				}),
			{ detail: operations.requests, permit, query: BudgetRequestListQuery, response: listOf(PortalBudgetRequest) },
		)
		.post(
			"/budget-requests",
			({ create, body }) => create((work) => ({ data: createOwnRequest(work, body, mailApprover(services.outgoing)) })),
			{
				detail: operations.request,
				permit: limited,
				body: NewBudgetRequest,
				response: { 201: single(PortalBudgetRequest) },
			},
		)
		.post(
			"/budget-requests/:id/approve",
			({ write, params: { id }, body }) => write((work) => ({ data: approveOwnRequest(work, id, body) })),
			{
				detail: operations.approve,
				permit: limited,
				params: BudgetRequestPath,
				body: BudgetApproval,
				response: single(PortalBudgetRequest),
			},
		)
		.post(
			"/budget-requests/:id/decline",
			({ write, params: { id } }) => write((work) => ({ data: declineOwnRequest(work, id) })),
			{
				detail: operations.decline,
				permit: limited,
				params: BudgetRequestPath,
				body: BudgetDecline,
				response: single(PortalBudgetRequest),
			},
		);
