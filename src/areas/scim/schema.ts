import { type Static, Type } from "@sinclair/typebox";

// The schemas of RFC 7643 and RFC 7644. Other attributes are ignored, as the RFCs require.

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";

const nullish = (length: number) => Type.Optional(Type.Union([Type.String({ maxLength: length }), Type.Null()]));

/** Some providers write "True" and "False". */
const Truth = Type.Union([Type.Boolean(), Type.String({ pattern: "^([Tt]rue|[Ff]alse)$" })]);

const Email = Type.Object({
	value: Type.Optional(Type.String({ maxLength: 320 })),
	primary: Type.Optional(Truth),
	type: nullish(255),
});

/** The maximum number of addresses. */
const emailsMax = 20;

const Name = Type.Object({ givenName: nullish(255), familyName: nullish(255), formatted: nullish(255) });

export const ScimUserBody = Type.Object(
	{
		schemas: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 20 })),
		userName: Type.String({ minLength: 1, maxLength: 320 }),
		externalId: nullish(255),
		displayName: nullish(255),
		name: Type.Optional(Type.Union([Name, Type.Null()])),
		emails: Type.Optional(Type.Union([Type.Array(Email, { maxItems: emailsMax }), Type.Null()])),
		active: Type.Optional(Truth),
	},
	{ $id: "ScimUserBody" },
);
export type ScimUserBody = Static<typeof ScimUserBody>;

/** Limits of a group's members and of a PATCH. */
export const groupMembersMax = 5000;
const operationsMax = 1000;

const MemberRef = Type.Object({ value: Type.String({ minLength: 1, maxLength: 255 }) });
export const MemberRefs = Type.Array(MemberRef, { maxItems: groupMembersMax });

export const ScimGroupBody = Type.Object(
	{
		schemas: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 20 })),
		displayName: Type.String({ minLength: 1, maxLength: 255 }),
		externalId: nullish(255),
		members: Type.Optional(Type.Union([MemberRefs, Type.Null()])),
	},
	{ $id: "ScimGroupBody" },
);
export type ScimGroupBody = Static<typeof ScimGroupBody>;

export const ScimPatchBody = Type.Object(
	{
		schemas: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 20 })),
		Operations: Type.Array(
			Type.Object({
				/** Some providers write "Replace". */
				op: Type.String({ pattern: "^([Aa]dd|[Rr]eplace|[Rr]emove)$" }),
				path: Type.Optional(Type.String({ maxLength: 1024 })),
				value: Type.Optional(Type.Unknown()),
			}),
			{ minItems: 1, maxItems: operationsMax },
		),
	},
	{ $id: "ScimPatch" },
);
export type ScimPatchBody = Static<typeof ScimPatchBody>;

const Meta = Type.Object({
	resourceType: Type.String(),
	created: Type.String(),
	lastModified: Type.String(),
	location: Type.String(),
});
const Reference = Type.Object({ value: Type.String(), display: Type.String(), $ref: Type.String() });

export const ScimUser = Type.Object(
	{
		schemas: Type.Array(Type.String()),
		id: Type.String(),
		externalId: Type.Optional(Type.String()),
		userName: Type.String(),
		displayName: Type.Optional(Type.String()),
		name: Type.Object({
			givenName: Type.Optional(Type.String()),
			familyName: Type.Optional(Type.String()),
			formatted: Type.Optional(Type.String()),
		}),
		emails: Type.Array(Type.Object({ value: Type.String(), type: Type.String(), primary: Type.Boolean() })),
		active: Type.Boolean(),
		groups: Type.Array(Reference),
		meta: Meta,
	},
	{ $id: "ScimUser" },
);
export type ScimUser = Static<typeof ScimUser>;

export const ScimGroup = Type.Object(
	{
		schemas: Type.Array(Type.String()),
		id: Type.String(),
		externalId: Type.Optional(Type.String()),
		displayName: Type.String(),
		members: Type.Optional(Type.Array(Reference)),
		meta: Meta,
	},
	{ $id: "ScimGroup" },
);
export type ScimGroup = Static<typeof ScimGroup>;

export const ScimListQuery = Type.Object({
	filter: Type.Optional(Type.String({ maxLength: 2048 })),
	startIndex: Type.Optional(Type.String({ maxLength: 20 })),
	count: Type.Optional(Type.String({ maxLength: 20 })),
	attributes: Type.Optional(Type.String({ maxLength: 2048 })),
	excludedAttributes: Type.Optional(Type.String({ maxLength: 2048 })),
});
export type ScimListQuery = Static<typeof ScimListQuery>;

export const ScimPath = Type.Object({ id: Type.String({ maxLength: 255 }) });

export const scimList = <T extends ReturnType<typeof Type.Object>>(resource: T) =>
	Type.Object({
		schemas: Type.Array(Type.String()),
		totalResults: Type.Integer(),
		startIndex: Type.Integer(),
		itemsPerPage: Type.Integer(),
		Resources: Type.Array(resource),
	});
