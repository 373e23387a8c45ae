import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { identityProviderOperations as operations } from "./openapi";
import {
	createProvider,
	deleteProvider,
	listProviders,
	makeScimToken,
	type ProviderSettings,
	revokeScimToken,
	updateProvider,
} from "./operations";
import { scimPath } from "./rules";
import {
	IdentityProvider,
	IdentityProviderCreate,
	IdentityProviderListQuery,
	IdentityProviderPath,
	IdentityProviderUpdate,
	ScimToken,
} from "./schema";
import { viewProvider } from "./view";

const [read, write] = ["MEMBER:READ", "MEMBER:WRITE"] as const;

/** Routes for the identity providers of an account. They are for people, like members. */
export const identityProviderRoutes = (services: Services) => {
	const { folderSecret, allowPrivateWebhooks: allowPrivate } = services.outgoing;
	const settings: ProviderSettings = { folderSecret, allowPrivate };
	const params = IdentityProviderPath;
	return new Elysia({ prefix: "/api/v1/identity-providers", tags: ["Identity providers"], normalize: false })
		.use(identity(services, "account"))
		.get("", ({ read, query }) => read((work) => viewPage(listProviders(work, query), viewProvider)), {
			detail: operations.list,
			permit: read,
			query: IdentityProviderListQuery,
			response: listOf(IdentityProvider),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewProvider(createProvider(work, body, settings)) })), {
			detail: operations.create,
			permit: write,
			body: IdentityProviderCreate,
			response: { 201: single(IdentityProvider) },
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewProvider(updateProvider(work, id, body, settings)) })),
			{
				detail: operations.update,
				permit: write,
				params,
				body: IdentityProviderUpdate,
				response: single(IdentityProvider),
			},
		)
		.delete(
			"/:id",
			({ write, params: { id } }) => write((work) => ({ data: viewProvider(deleteProvider(work, id)) })),
			{ detail: operations.delete, permit: write, params, response: single(IdentityProvider) },
		)
		.post(
			"/:id/scim-token",
			({ create, params: { id } }) =>
				create((work) => ({ data: { token: makeScimToken(work, id), basePath: scimPath } })),
			{ detail: operations.makeScimToken, permit: write, params, response: { 201: single(ScimToken) } },
		)
		.delete(
			"/:id/scim-token",
			({ write, params: { id } }) => write((work) => ({ data: viewProvider(revokeScimToken(work, id)) })),
			{ detail: operations.revokeScimToken, permit: write, params, response: single(IdentityProvider) },
		);
};
