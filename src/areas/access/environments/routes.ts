import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { getOwnEnvironment } from "../operations";
import { assertOwnEnvironment } from "../rules";
import { environmentOperations as operations } from "./openapi";
import {
	type AssertTaxes,
	archiveOwnEnvironment,
	createOwnEnvironment,
	listOwnEnvironments,
	updateOwnEnvironment,
} from "./operations";
import {
	Environment,
	EnvironmentCreate,
	EnvironmentListQuery,
	EnvironmentPath,
	EnvironmentUpdate,
	EnvironmentWithKeys,
	UpdatedEnvironment,
} from "./schema";
import { viewEnvironment } from "./view";

/** An addition to the interface. Only its own keys and users can read or change an environment. */
export const environmentRoutes = (services: Services, assertTaxes: AssertTaxes) =>
	new Elysia({ prefix: "/api/v1/environments", tags: ["Environments"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listOwnEnvironments(work, query), viewEnvironment)), {
			detail: operations.list,
			permit: "ENVIRONMENT:READ",
			query: EnvironmentListQuery,
			response: listOf(Environment),
		})
		.post(
			"",
			({ create, body }) =>
				create((work) => {
					const { environment, ...keys } = createOwnEnvironment(work, body);
					return { data: { ...viewEnvironment(environment), ...keys } };
				}),
			{
				detail: operations.create,
				permit: "ENVIRONMENT:WRITE",
				body: EnvironmentCreate,
				response: { 201: single(EnvironmentWithKeys) },
			},
		)
		.get(
			"/:id",
			({ read, actor, params: { id } }) => {
				assertOwnEnvironment(actor, id);
				return read((work) => ({ data: viewEnvironment(getOwnEnvironment(work)) }));
			},
			{
				detail: operations.retrieve,
				permit: "ENVIRONMENT:READ",
				params: EnvironmentPath,
				response: single(Environment),
			},
		)
		.patch(
			"/:id",
			({ write, actor, params: { id }, body }) => {
				assertOwnEnvironment(actor, id);
				return write((work) => {
					const environment = viewEnvironment(updateOwnEnvironment(work, body, assertTaxes));
					const signingSecret = body.clientHardening ? services.authenticator.signingSecretOf(environment.id) : null;
					return { data: { ...environment, signingSecret } };
				});
			},
			{
				detail: operations.update,
				permit: "ENVIRONMENT:WRITE",
				params: EnvironmentPath,
				body: EnvironmentUpdate,
				response: single(UpdatedEnvironment),
			},
		)
		.post(
			"/:id/archive",
			({ write, actor, params: { id } }) => {
				assertOwnEnvironment(actor, id);
				return write((work) => ({ data: viewEnvironment(archiveOwnEnvironment(work)) }));
			},
			{
				detail: operations.archive,
				permit: "ENVIRONMENT:WRITE",
				params: EnvironmentPath,
				response: single(Environment),
			},
		);
