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
const patch = (op: object) => ({ schemas: [patchSchema], Operations: [op] });

const notes = (operationId: string, summary: string, more: Partial<Parameters<typeof operation>[0]> = {}) =>
	operation({ operationId: `scim.${operationId}`, summary, callers: "scim", refusals, ...more });

/** Refusals have SCIM's own shape (RFC 7644, section 3.12). */
export const scimOperations = {
	listUsers: notes("users.list", "List users", { query, response: scimList(ScimUser) }),
	createUser: notes("users.create", "Create a user", {
		description: "Makes the person a member of the account, with the role of the provider's role mapping.",
		example: user,
		body: ScimUserBody,
		response: { 201: ScimUser },
		uncoded: taken,
	}),
	retrieveUser: notes("users.retrieve", "Show a user", { path, query, response: ScimUser, uncoded: notThere }),
	replaceUser: notes("users.replace", "Replace a user", {
		path,
		example: user,
		body: ScimUserBody,
		response: ScimUser,
		uncoded: { ...notThere, ...taken },
	}),
	patchUser: notes("users.patch", "Change a user", {
		description: "Who becomes inactive is signed out at once, and does not come in until active again.",
		path,
		example: patch({ op: "replace", path: "active", value: false }),
		body: ScimPatchBody,
		response: ScimUser,
		uncoded: { ...notThere, ...taken },
	}),
	deleteUser: notes("users.delete", "Remove a user", {
		description: "The person is signed out, and no member of the account any more.",
		path,
		uncoded: notThere,
		answer: { description: "Nothing (204)", contentType: "application/scim+json" },
	}),
	listGroups: notes("groups.list", "List groups", { query, response: scimList(ScimGroup) }),
	createGroup: notes("groups.create", "Create a group", {
		description: "What it gives its members is said by the provider's role mapping.",
		example: group,
		body: ScimGroupBody,
		response: { 201: ScimGroup },
		uncoded: taken,
	}),
	retrieveGroup: notes("groups.retrieve", "Show a group", { path, query, response: ScimGroup, uncoded: notThere }),
	replaceGroup: notes("groups.replace", "Replace a group", {
		path,
		example: group,
		body: ScimGroupBody,
		response: ScimGroup,
		uncoded: { ...notThere, ...taken },
	}),
	patchGroup: notes("groups.patch", "Change a group and its members", {
		path,
		example: patch({ op: "replace", path: "displayName", value: "billing" }),
		body: ScimPatchBody,
		response: ScimGroup,
		uncoded: { ...notThere, ...taken },
	}),
	deleteGroup: notes("groups.delete", "Remove a group", {
		path,
		uncoded: notThere,
		answer: { description: "Nothing (204)", contentType: "application/scim+json" },
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
