import { toIso } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { Scope, ScopeResource } from "../rules.actors";
import type { Member } from "./operations";
import { type Invited, isExpired } from "./operations.invitations";
import { type BuiltInRole, builtInRoleNames, builtInRoles, rightsOfBuiltIn, roleScopes } from "./rules";
import type { Invitation, MemberView, RoleView } from "./schema";
import type { RoleRow } from "./table";

export const viewMember = ({ id, user, role, environmentRoles, deactivatedAt, createdAt }: Member): MemberView => ({
	...{ id, userId: user.id, email: user.email, name: user.name, role, environmentRoles: [...environmentRoles] },
	status: deactivatedAt === null ? "ACTIVE" : "DEACTIVATED",
	createdAt: toIso(createdAt),
});

export const viewInvitation = (work: Work, invited: Invited): Invitation => ({
	id: invited.id,
	email: invited.email,
	role: invited.role,
	environmentRoles: invited.environmentRoles,
	status: isExpired(work, invited) ? "EXPIRED" : "PENDING",
	invitedBy: invited.invitedBy,
	expireAt: toIso(invited.expiresAt),
	createdAt: toIso(invited.createdAt),
});

const viewScope = (scope: Scope) => {
	const [resource, action] = scope.split(":") as [ScopeResource, "READ" | "WRITE"];
	return { resource, action };
};

export const viewRole = ({ id, name, scopes }: RoleRow): RoleView => ({
	...{ id, name, description: null, isBuiltIn: false, scopes: scopes.map(viewScope) },
});

const viewBuiltIn = (name: BuiltInRole): RoleView => {
	const rights = rightsOfBuiltIn(name);
	const scopes = rights === "everything" ? roleScopes.filter((scope) => scope.endsWith(":WRITE")) : [...rights];
	const { description } = builtInRoles[name];
	return { id: name, name, description, isBuiltIn: true, scopes: scopes.map(viewScope) };
};

/** Lists the built-in roles first. */
export const viewRoles = (custom: readonly RoleRow[]): RoleView[] => [
	...builtInRoleNames.map(viewBuiltIn),
	...custom.map(viewRole),
];
