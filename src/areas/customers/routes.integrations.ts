import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { customerOperations } from "./openapi";
import {
	getIntegration,
	linkIntegration,
	listIntegrations,
	unlinkIntegration,
	updateIntegration,
} from "./operations.integrations";
import { CustomerPath } from "./schema";
import {
	CustomerIntegration,
	IntegrationLink,
	IntegrationListQuery,
	IntegrationPath,
	IntegrationUpdate,
} from "./schema.integrations";
import { viewIntegration } from "./view";

const params = IntegrationPath;
const response = single(CustomerIntegration);

/** The routes of a customer's links to external entities. */
export const customerIntegrationRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/integrations", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, params: { id }, query }) =>
				read((work) => viewPage(listIntegrations(work, id, query), ({ link }) => viewIntegration(link))),
			{
				detail: customerOperations.integrations.list,
				permit: "CUSTOMER:READ",
				params: CustomerPath,
				query: IntegrationListQuery,
				response: listOf(CustomerIntegration),
			},
		)
		.post(
			"",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewIntegration(linkIntegration(work, id, body)) })),
			{
				detail: customerOperations.integrations.link,
				permit: "CUSTOMER:WRITE",
				params: CustomerPath,
				body: IntegrationLink,
				response,
			},
		)
		.get(
			"/:integrationId",
			({ read, params: { id, integrationId } }) =>
				read((work) => ({ data: viewIntegration(getIntegration(work, id, integrationId)) })),
			{ detail: customerOperations.integrations.retrieve, permit: "CUSTOMER:READ", params, response },
		)
		.patch(
			"/:integrationId",
			({ write, params: { id, integrationId }, body }) =>
				write((work) => ({ data: viewIntegration(updateIntegration(work, id, integrationId, body)) })),
			{
				detail: customerOperations.integrations.update,
				permit: "CUSTOMER:WRITE",
				params,
				body: IntegrationUpdate,
				response,
			},
		)
		.delete(
			"/:integrationId",
			({ write, params: { id, integrationId } }) =>
				write((work) => ({ data: viewIntegration(unlinkIntegration(work, id, integrationId)) })),
			{ detail: customerOperations.integrations.unlink, permit: "CUSTOMER:WRITE", params, response },
		);
