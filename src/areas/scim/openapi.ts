import type { TObject } from "@sinclair/typebox";
import { operation } from "../../openapi/operation";
import {
	groupSchema,
	patchSchema,
	ScimGroup,
	ScimGroupBody,
	ScimPatchBody,
	ScimUser,
	ScimUserBody,
	scimList,
	userSchema,
} from "./schema";
import { answerSchemas } from "./schema.discovery";

const path = { id: "Its id, as the answer that made it says" } as const;
const query = {
	filter: 'What to look for, such as `userName eq "ada@example.com"`',
	startIndex: "The first one of the page, from 1",
	count: "How many at most; 100 when left out",
	attributes: "Is read and left aside: everything is answered",
	excludedAttributes: "`members` leaves out the members of groups",
} as const;
const refusals = ["Unauthenticated"] as const;
const notThere = { 404: "There is none of this id." } as const;
const taken = { 409: "The name is taken (`uniqueness`)." } as const;

const user = {
	schemas: [userSchema],
	userName: "ada@example.com",
	externalId: "00u1",
	name: { givenName: "Ada", familyName: "Lovelace" },
	emails: [{ value: "ada@example.com", type: "work", primary: true }],
	active: true,
};
const group = { schemas: [groupSchema], displayName: "billing-admins", members: [] };

const notes = (operationId: string, summary: string, more: Partial<Parameters<typeof operation>[0]> = {}) =>
	operation({ operationId: `scim.${operationId}`, summary, callers: "scim", refusals, ...more });

interface Kept {
	readonly resource: TObject;
	readonly body: TObject;
	readonly example: object;
	/** An example of a PATCH, with its description. */
	readonly change: { readonly op: object; readonly summary?: string; readonly description?: string };
	readonly onCreate: string;
	readonly onDelete?: string;
}

/** Documents the operations of a kind of resource; `one` is its name in a sentence. */
const operationsOf = (kind: string, one: string, { resource, body, example, change, onCreate, onDelete }: Kept) => ({
	list: notes(`${kind}.list`, `List ${kind}`, { query, response: scimList(resource) }),
	create: notes(`${kind}.create`, `Create ${one}`, {
		description: onCreate,
		...{ example, body },
		response: { 201: resource },
		uncoded: taken,
	}),
	retrieve: notes(`${kind}.retrieve`, `Show ${one}`, { path, query, response: resource, uncoded: notThere }),
	replace: notes(`${kind}.replace`, `Replace ${one}`, {
		...{ path, example, body },
		response: resource,
		uncoded: { ...notThere, ...taken },
	}),
	patch: notes(`${kind}.patch`, change.summary ?? `Change ${one}`, {
		...(change.description !== undefined && { description: change.description }),
		path,
		example: { schemas: [patchSchema], Operations: [change.op] },
		body: ScimPatchBody,
		response: resource,
		uncoded: { ...notThere, ...taken },
	}),
	delete: notes(`${kind}.delete`, `Remove ${one}`, {
		...(onDelete !== undefined && { description: onDelete }),
		path,
		uncoded: notThere,
		answer: { description: "Nothing (204)", contentType: "application/scim+json" },
	}),
});

/** Errors have SCIM's own format (RFC 7644, section 3.12). */
export const scimOperations = {
	users: operationsOf("users", "a user", {
		resource: ScimUser,
		body: ScimUserBody,
		example: user,
		change: {
			op: { op: "replace", path: "active", value: false },
			description: "Who becomes inactive is signed out at once, and does not come in until active again.",
		},
		onCreate: "Makes the person a member of the account, with the role of the provider's role mapping.",
		onDelete: "The person is signed out, and no member of the account any more.",
	}),
	groups: operationsOf("groups", "a group", {
		resource: ScimGroup,
		body: ScimGroupBody,
		example: group,
		change: {
			op: { op: "replace", path: "displayName", value: "billing" },
			summary: "Change a group and its members",
		},
		onCreate: "What it gives its members is said by the provider's role mapping.",
	}),
	serviceProviderConfig: notes("serviceProviderConfig", "Show what this service can do", {
		response: answerSchemas.config,
	}),
	resourceTypes: notes("resourceTypes.list", "List the kinds of resources", { response: answerSchemas.list }),
	resourceType: notes("resourceTypes.retrieve", "Show a kind of resource", {
		path: { id: ["User or Group", "User"] },
		response: answerSchemas.one,
		uncoded: notThere,
	}),
	schemas: notes("schemas.list", "List the schemas", { response: answerSchemas.list }),
	schema: notes("schemas.retrieve", "Show a schema", {
		path: { id: ["The schema's URN", userSchema] },
		response: answerSchemas.one,
		uncoded: notThere,
	}),
};
