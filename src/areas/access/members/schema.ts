import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { DisplayName, Email, literals, nullable, Timestamp } from "../../../kernel/schema";
import { accountResources, scopeResources } from "../rules.actors";
import { passwordLengthMin } from "../rules.sessions";
import { builtInRoleNames, environmentRolesMax, roleScopes } from "./rules";

/** As the scopes of API keys are written; roles have those of the account, too. */
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
	{ maxItems: environmentRolesMax, description: "Where there is another role than in the account" },
);

const standing = {
	/** Null: let in nowhere but in the environments that are named. */
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
		/** In a week when left out. */
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
	/** The email address of who has invited; null: the command line. */
	invitedBy: nullable(Type.String()),
	expireAt: Type.String(),
	createdAt: Type.String(),
};

export const Invitation = Type.Object(invitation, { $id: "Invitation" });
export type Invitation = Static<typeof Invitation>;

/** The token and the link that carries it are shown this once. */
export const InvitationWithLink = Type.Object(
	{ ...invitation, token: Type.String(), link: Type.String() },
	{ $id: "InvitationWithLink" },
);

/** The longest passphrase is no attack on the hash. */
export const NewPassword = Type.String({ minLength: passwordLengthMin, maxLength: 1024 });

/** What stands in a link. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 255 });

export const InvitationAccept = Type.Object(
	{
		token: LinkToken,
		/** Of who is new here; who has signed in here before sends the password of then. */
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
		/** Of a built-in one, its name. */
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
