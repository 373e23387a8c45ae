import { scimPath } from "../identity-providers/rules";
import { countMax } from "./rules.filter";
import { groupMembersMax, groupSchema, userSchema } from "./schema";

// Discovery: the capabilities and resource types (RFC 7643, sections 5 to 7).

export const serviceProviderConfig = {
	schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
	patch: { supported: true },
	bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
	filter: { supported: true, maxResults: countMax },
	changePassword: { supported: false },
	sort: { supported: false },
	etag: { supported: false },
	authenticationSchemes: [
		{
			type: "oauthbearertoken",
			name: "Bearer token",
			description: "The token of POST /api/v1/identity-providers/{id}/scim-token",
			primary: true,
		},
	],
	meta: { resourceType: "ServiceProviderConfig", location: `${scimPath}/ServiceProviderConfig` },
};

const resourceType = (name: "User" | "Group", schema: string) => ({
	schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
	id: name,
	name,
	endpoint: `/${name}s`,
	description: name === "User" ? "Who signs in" : "What people get their roles by",
	schema,
	meta: { resourceType: "ResourceType", location: `${scimPath}/ResourceTypes/${name}` },
});

export const resourceTypes = [resourceType("User", userSchema), resourceType("Group", groupSchema)];

interface AttributeNotes {
	readonly type?: "string" | "boolean" | "complex" | "reference";
	readonly required?: boolean;
	readonly multiValued?: boolean;
	readonly isReadOnly?: boolean;
	readonly isUnique?: boolean;
	readonly subAttributes?: readonly unknown[];
}

const attribute = (name: string, notes: AttributeNotes = {}) => ({
	name,
	type: notes.type ?? "string",
	multiValued: notes.multiValued ?? false,
	description: name,
	required: notes.required ?? false,
	caseExact: false,
	mutability: notes.isReadOnly ? "readOnly" : "readWrite",
	returned: "default",
	uniqueness: notes.isUnique ? "server" : "none",
	...(notes.subAttributes && { subAttributes: notes.subAttributes }),
});

const reference = [
	attribute("value"),
	attribute("display", { isReadOnly: true }),
	attribute("$ref", { type: "reference", isReadOnly: true }),
];

const schema = (id: string, name: string, description: string, attributes: readonly unknown[]) => ({
	schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
	id,
	name,
	description,
	attributes,
	meta: { resourceType: "Schema", location: `${scimPath}/Schemas/${id}` },
});

export const schemas = [
	schema(userSchema, "User", "Who signs in. What is not named here is left aside.", [
		attribute("userName", { required: true, isUnique: true }),
		attribute("displayName"),
		attribute("active", { type: "boolean" }),
		attribute("name", {
			type: "complex",
			subAttributes: [attribute("givenName"), attribute("familyName"), attribute("formatted")],
		}),
		attribute("emails", {
			type: "complex",
			multiValued: true,
			subAttributes: [attribute("value"), attribute("type"), attribute("primary", { type: "boolean" })],
		}),
		attribute("groups", { type: "complex", multiValued: true, isReadOnly: true, subAttributes: reference }),
	]),
	schema(groupSchema, "Group", `At most ${groupMembersMax} users; the role mapping says what a group gives.`, [
		attribute("displayName", { required: true, isUnique: true }),
		attribute("members", { type: "complex", multiValued: true, subAttributes: reference }),
	]),
];
