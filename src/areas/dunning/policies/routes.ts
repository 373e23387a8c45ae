import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { getCustomer } from "../../customers/operations";
import { CustomerPath } from "../../customers/schema";
import { policyOperations as operations } from "./openapi";
import { archivePolicy, createPolicy, getPolicy, listPolicies, setCustomerPolicy, updatePolicy } from "./operations";
import {
	CustomerDunning,
	CustomerDunningUpdate,
	DunningPolicy,
	DunningPolicyCreate,
	DunningPolicyListQuery,
	DunningPolicyPath,
	DunningPolicyUpdate,
} from "./schema";
import { viewCustomerDunning, viewPolicies, viewPolicy } from "./view";

const params = DunningPolicyPath;

export const policyRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/dunning-policies", tags: ["Dunning"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listPolicies(work, query);
					const views = new Map(viewPolicies(work, page.rows).map((view) => [view.id, view]));
					return viewPage(page, (row) => views.get(row.refId) ?? viewPolicy(work, row));
				}),
			{
				...{ detail: operations.list, permit: "INVOICE:READ", query: DunningPolicyListQuery },
				response: listOf(DunningPolicy),
			},
		)
		.post("", ({ create, body }) => create((work) => ({ data: viewPolicy(work, createPolicy(work, body)) })), {
			detail: operations.create,
			permit: "INVOICE:WRITE",
			body: DunningPolicyCreate,
			response: { 201: single(DunningPolicy) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewPolicy(work, getPolicy(work, id)) })), {
			...{ detail: operations.retrieve, permit: "INVOICE:READ", params, response: single(DunningPolicy) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewPolicy(work, updatePolicy(work, id, body)) })),
			{
				...{ detail: operations.update, permit: "INVOICE:WRITE", params, body: DunningPolicyUpdate },
				response: single(DunningPolicy),
			},
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewPolicy(work, archivePolicy(work, id)) })),
			{ detail: operations.archive, permit: "INVOICE:WRITE", params, response: single(DunningPolicy) },
		);

export const customerDunningRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/dunning", tags: ["Dunning"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, params: { id } }) => read((work) => ({ data: viewCustomerDunning(work, getCustomer(work, id)) })),
			{
				...{ detail: operations.ofCustomer, permit: "INVOICE:READ", params: CustomerPath },
				response: single(CustomerDunning),
			},
		)
		.put(
			"",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewCustomerDunning(work, setCustomerPolicy(work, id, body)) })),
			{
				...{ detail: operations.setOfCustomer, permit: "INVOICE:WRITE", params: CustomerPath },
				...{ body: CustomerDunningUpdate, response: single(CustomerDunning) },
			},
		);
