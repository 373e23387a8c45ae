import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { DisplayName, Email, literals, nullable, Timestamp } from "../../../kernel/schema";
import { accountResources, scopeResources } from "../rules.actors";
import { passwordLengthMin } from "../rules.sessions";
import { builtInRoleNames, environmentRolesMax, roleScopes } from "./rules";

/** The scopes of API keys, and those of the account. */
const ScopeView = Type.Object(
	{ resource: literals(...scopeResources, ...accountResources), action: literals("READ", "WRITE") },
	{ additionalProperties: false },
);

const Role = Type.String({
	minLength: 1,
	maxLength: 255,
	description: `a built-in role (${builtInRoleNames.join(", ")}), or the id of one of the account's own`,
});

const EnvironmentRoles = Type.Array(
	Type.Object(
		{ environmentId: Type.String({ minLength: 1, maxLength: 255 }), role: Role },
		{ additionalProperties: false },
	),
	{ maxItems: environmentRolesMax, description: "Environments with another role than in the account" },
);

const standing = {
	/** Null: access only to the listed environments. */
	role: nullable(Role),
	environmentRoles: EnvironmentRoles,
};

export const MemberUpdate = Type.Object(
	{ ...Type.Partial(Type.Object(standing)).properties, status: Type.Optional(literals("ACTIVE", "DEACTIVATED")) },
	{ additionalProperties: false },
);
export type MemberUpdate = Static<typeof MemberUpdate>;

export const MemberListQuery = Type.Object(pageQuery, { additionalProperties: false });

export const MemberView = Type.Object(
	{
		id: Type.String(),
		userId: Type.String(),
		email: Type.String(),
		name: nullable(Type.String()),
		...standing,
		status: literals("ACTIVE", "DEACTIVATED"),
		createdAt: Type.String(),
	},
	{ $id: "Member" },
);
export type MemberView = Static<typeof MemberView>;

export const InvitationCreate = Type.Object(
	{
		email: Email,
		role: nullable(Role),
		environmentRoles: Type.Optional(EnvironmentRoles),
		/** A week from now by default. */
		expireAt: Type.Optional(Timestamp),
	},
	{ additionalProperties: false },
);
export type InvitationCreate = Static<typeof InvitationCreate>;

const invitation = {
	id: Type.String(),
	email: Type.String(),
	...standing,
	status: literals("PENDING", "EXPIRED"),
	/** The email address of the inviter; null for the command line. */
	invitedBy: nullable(Type.String()),
	expireAt: Type.String(),
	createdAt: Type.String(),
};

export const Invitation = Type.Object(invitation, { $id: "Invitation" });
export type Invitation = Static<typeof Invitation>;

/** Only this response shows the token and its link. */
export const InvitationWithLink = Type.Object(
	{ ...invitation, token: Type.String(), link: Type.String() },
	{ $id: "InvitationWithLink" },
);

/** Bounded, so that hashing cannot be abused. */
export const NewPassword = Type.String({ minLength: passwordLengthMin, maxLength: 1024 });

/** The token of a link. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 255 });

export const InvitationAccept = Type.Object(
	{
		token: LinkToken,
		/** A new user chooses this password; an existing user proves the current one. */
		password: NewPassword,
		name: Type.Optional(nullable(DisplayName)),
	},
	{ additionalProperties: false },
);

export const Accepted = Type.Object({ email: Type.String(), accountId: Type.String(), accountName: Type.String() });

const Scopes = Type.Array(ScopeView, { minItems: 1, maxItems: roleScopes.length });

export const RoleCreate = Type.Object({ name: DisplayName, scopes: Scopes }, { additionalProperties: false });

export const RoleUpdate = Type.Partial(RoleCreate, { additionalProperties: false });
export type RoleUpdate = Static<typeof RoleUpdate>;

export const RoleView = Type.Object(
	{
		/** The name, for a built-in role. */
		id: Type.String(),
		name: Type.String(),
		description: nullable(Type.String()),
		isBuiltIn: Type.Boolean(),
		/** WRITE includes READ. */
		scopes: Type.Array(ScopeView),
	},
	{ $id: "Role" },
);
export type RoleView = Static<typeof RoleView>;
