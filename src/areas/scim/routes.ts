import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { causedBy } from "../../http/causes";
import { checker } from "../../http/validation";
import { textOf } from "../../kernel/schema";
import { type Work, writeDurably } from "../../kernel/work";
import type { Services } from "../../server/context";
import { systemActor } from "../access/rules.actors";
import { providerOfToken } from "../identity-providers/operations";
import { actingFor } from "../identity-providers/operations.people";
import { scimPath } from "../identity-providers/rules";
import type { IdentityProviderRow, IdentityRow } from "../identity-providers/table";
import { answerScim, readScimBody, refusingAsScim } from "./answers";
import { scimOperations as operations } from "./openapi";
import {
	createGroup,
	deleteGroup,
	fieldsOfGroup,
	getGroup,
	listGroupsOf,
	patchGroup,
	replaceGroup,
} from "./operations.groups";
import { createPerson, deletePerson, getPerson, listPeople, patchPerson, replacePerson } from "./operations.users";
import { resourceTypes, schemas, serviceProviderConfig } from "./rules.discovery";
import { missing } from "./rules.refusals";
import { fieldsOf } from "./rules.users";
import { listSchema, ScimGroupBody, ScimListQuery, ScimPatchBody, ScimPath, ScimUserBody } from "./schema";
import type { ScimGroupRow } from "./table";
import { viewGroups, viewList, viewUsers } from "./view";

/** The caller has no account until its token is verified; the machine's time applies. */
const nobody = systemActor("");

const bearerOf = ({ headers }: Request): string | undefined =>
	/^Bearer (\S{1,255})$/i.exec(headers.get("authorization") ?? "")?.[1];

const checked = {
	user: checker("body", ScimUserBody),
	group: checker("body", ScimGroupBody),
	patch: checker("body", ScimPatchBody),
};

/** Returns the resource to show, if any. */
type Use = (work: Work, provider: IdentityProviderRow) => object | undefined;

/** SCIM 2.0 for users and groups (RFC 7643, RFC 7644). */
export const scimRoutes = (services: Services) => {
	const { transactions, bodies } = services;
	const using = (request: Request, use: Use) => (work: Work) => {
		const provider = providerOfToken(work, bearerOf(request));
		work.cause.actor = { kind: "SCIM", id: provider.id };
		return use(actingFor(work, provider), provider);
	};
	const reading = (request: Request, use: Use): Promise<Response> =>
		refusingAsScim(async () => answerScim(transactions.read(nobody, using(request, use))));
	/** The token is verified before the body is read. */
	const writing = (request: Request, status: number, readUse: () => Promise<Use>): Promise<Response> =>
		refusingAsScim(async () => {
			transactions.read(nobody, (work) => void providerOfToken(work, bearerOf(request)));
			const use = await readUse();
			return answerScim(
				await writeDurably(transactions, nobody, causedBy(services, request, undefined, using(request, use))),
				status,
			);
		});
	const bodyOf = async <T>(request: Request, route: string, check: (value: unknown) => T): Promise<T> =>
		check(await readScimBody(bodies, request, route));

	/** Settings of routes with a body, which they read themselves after authentication. */
	const takes = (body: TSchema) => ({ parse: "none", body: textOf(body) }) as const;
	const oneUser = (work: Work, row: IdentityRow) => viewUsers(work, [row])[0];
	const oneGroup = (work: Work, row: ScimGroupRow, query: ScimListQuery = {}) =>
		viewGroups(work, [row], query.excludedAttributes)[0];

	const people = new Elysia({ normalize: false })
		.get(
			"/Users",
			({ request, query }) =>
				reading(request, (work, provider) => {
					const listed = listPeople(work, provider, query);
					return viewList(listed, viewUsers(work, listed.rows));
				}),
			{ detail: operations.users.list, query: ScimListQuery },
		)
		.post(
			"/Users",
			({ request, route }) =>
				writing(request, 201, async () => {
					const user = fieldsOf(await bodyOf(request, route, checked.user));
					return (work, provider) => oneUser(work, createPerson(work, provider, user));
				}),
			{ detail: operations.users.create, ...takes(ScimUserBody) },
		)
		.get(
			"/Users/:id",
			({ request, params: { id } }) =>
				reading(request, (work, provider) => oneUser(work, getPerson(work, provider, id))),
			{ detail: operations.users.retrieve, params: ScimPath, query: ScimListQuery },
		)
		.put(
			"/Users/:id",
			({ request, route, params: { id } }) =>
				writing(request, 200, async () => {
					const user = fieldsOf(await bodyOf(request, route, checked.user));
					return (work, provider) => oneUser(work, replacePerson(work, provider, id, user));
				}),
			{ detail: operations.users.replace, params: ScimPath, ...takes(ScimUserBody) },
		)
		.patch(
			"/Users/:id",
			({ request, route, params: { id } }) =>
				writing(request, 200, async () => {
					const changes = await bodyOf(request, route, checked.patch);
					return (work, provider) => oneUser(work, patchPerson(work, provider, id, changes));
				}),
			{ detail: operations.users.patch, params: ScimPath, ...takes(ScimPatchBody) },
		)
		.delete(
			"/Users/:id",
			({ request, params: { id } }) =>
				writing(request, 204, async () => (work, provider) => void deletePerson(work, provider, id)),
			{ detail: operations.users.delete, params: ScimPath, parse: "none" },
		);

	const groups = new Elysia({ normalize: false })
		.get(
			"/Groups",
			({ request, query }) =>
				reading(request, (work, provider) => {
					const listed = listGroupsOf(work, provider, query);
					return viewList(listed, viewGroups(work, listed.rows, query.excludedAttributes));
				}),
			{ detail: operations.groups.list, query: ScimListQuery },
		)
		.post(
			"/Groups",
			({ request, route }) =>
				writing(request, 201, async () => {
					const group = fieldsOfGroup(await bodyOf(request, route, checked.group));
					return (work, provider) => oneGroup(work, createGroup(work, provider, group));
				}),
			{ detail: operations.groups.create, ...takes(ScimGroupBody) },
		)
		.get(
			"/Groups/:id",
			({ request, params: { id }, query }) =>
				reading(request, (work, provider) => oneGroup(work, getGroup(work, provider, id), query)),
			{ detail: operations.groups.retrieve, params: ScimPath, query: ScimListQuery },
		)
		.put(
			"/Groups/:id",
			({ request, route, params: { id } }) =>
				writing(request, 200, async () => {
					const group = fieldsOfGroup(await bodyOf(request, route, checked.group));
					return (work, provider) => oneGroup(work, replaceGroup(work, provider, id, group));
				}),
			{ detail: operations.groups.replace, params: ScimPath, ...takes(ScimGroupBody) },
		)
		.patch(
			"/Groups/:id",
			({ request, route, params: { id } }) =>
				writing(request, 200, async () => {
					const changes = await bodyOf(request, route, checked.patch);
					return (work, provider) => oneGroup(work, patchGroup(work, provider, id, changes));
				}),
			{ detail: operations.groups.patch, params: ScimPath, ...takes(ScimPatchBody) },
		)
		.delete(
			"/Groups/:id",
			({ request, params: { id } }) =>
				writing(request, 204, async () => (work, provider) => void deleteGroup(work, provider, id)),
			{ detail: operations.groups.delete, params: ScimPath, parse: "none" },
		);

	const described = (resources: readonly { readonly id: string }[]) => ({
		all: () => ({
			schemas: [listSchema],
			totalResults: resources.length,
			startIndex: 1,
			itemsPerPage: resources.length,
			Resources: resources,
		}),
		one: (id: string) => {
			const found = resources.find((one) => one.id === id);
			if (!found) throw missing("resource", id);
			return found;
		},
	});
	const [types, kept] = [described(resourceTypes), described(schemas)];
	const discovery = new Elysia({ normalize: false })
		.get("/ServiceProviderConfig", ({ request }) => reading(request, () => serviceProviderConfig), {
			detail: operations.serviceProviderConfig,
		})
		.get("/ResourceTypes", ({ request }) => reading(request, types.all), { detail: operations.resourceTypes })
		.get("/ResourceTypes/:id", ({ request, params: { id } }) => reading(request, () => types.one(id)), {
			detail: operations.resourceType,
			params: ScimPath,
		})
		.get("/Schemas", ({ request }) => reading(request, kept.all), { detail: operations.schemas })
		.get("/Schemas/:id", ({ request, params: { id } }) => reading(request, () => kept.one(id)), {
			detail: operations.schema,
			params: ScimPath,
		});

	return new Elysia({ prefix: scimPath, tags: ["SCIM"], normalize: false }).use(people).use(groups).use(discovery);
};
