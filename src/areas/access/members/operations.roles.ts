import { HttpRefusal } from "../../../http/refusal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { Scope } from "../rules.actors";
import { myStanding, rightsOfRole } from "./operations.rights";
import { assertMayShape, isBuiltInRole } from "./rules";
import { countHolders, deleteRoleRow, findRole, findRoleByName, insertRole, listCustomRoles, saveRole } from "./store";
import type { RoleRow } from "./table";

export { listCustomRoles };

/** The maximum number of custom roles of an account. */
const rolesMax = 100;

export interface RoleInput {
	readonly name: string;
	readonly scopes: readonly Scope[];
}

/** Throws 404 for an unknown role, and BadUserInput for a built-in one, which cannot be changed. */
export function getCustomRole(work: Work, id: string): RoleRow {
	if (isBuiltInRole(id)) throw fail("BadUserInput", `The role '${id}' is built in; create one of your own instead.`);
	const role = findRole(work, work.actor.accountId, id);
	if (!role) throw new HttpRefusal(404, `There is no role '${id}' in this account.`);
	return role;
}

/** Returns the role with this id or name, as the command line and identity providers name it; undefined if there is none. */
export const findRoleNamed = (work: Work, idOrName: string): string | undefined =>
	isBuiltInRole(idOrName)
		? idOrName
		: (findRole(work, work.actor.accountId, idOrName) ?? findRoleByName(work, idOrName))?.id;

/** Throws BadUserInput for a role that the account does not have. */
export function assertRole(work: Work, role: string): void {
	if (!isBuiltInRole(role) && !findRole(work, work.actor.accountId, role))
		throw fail("BadUserInput", `There is no role '${role}' in this account; see GET /api/v1/roles.`);
}

/** Creates a role with scopes that the caller has. */
export function createRole(work: Work, { name, scopes }: RoleInput): RoleRow {
	assertMine(work, scopes);
	assertNameIsFree(work, name);
	if (listCustomRoles(work).length >= rolesMax)
		throw fail("BadUserInput", `This account already has ${rolesMax} roles of its own; delete an unused one.`);
	return insertRole(work, { name, scopes: distinct(scopes) });
}

/** Changes a role for all its holders. The caller must have all scopes of the role, before and after. */
export function updateRole(work: Work, id: string, { name, scopes }: Partial<RoleInput>): RoleRow {
	const role = getCustomRole(work, id);
	assertMine(work, [...role.scopes, ...(scopes ?? [])]);
	if (name !== undefined && name !== role.name) assertNameIsFree(work, name);
	if (name === undefined && scopes === undefined) return role;
	return saveRole(work, id, { ...(name !== undefined && { name }), ...(scopes && { scopes: distinct(scopes) }) });
}

/** Deletes a role. Throws InvalidArgumentError while a member or an invitation has it. */
export function deleteRole(work: Work, id: string): RoleRow {
	const role = getCustomRole(work, id);
	assertMine(work, role.scopes);
	if (countHolders(work, id) > 0)
		throw fail("InvalidArgumentError", `The role '${role.name}' is in use; assign another one to its members first.`);
	deleteRoleRow(work, id);
	return role;
}

const assertMine = (work: Work, scopes: readonly Scope[]): void =>
	assertMayShape(myStanding(work), scopes, (role) => rightsOfRole(work, work.actor.accountId, role));

const distinct = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

function assertNameIsFree(work: Work, name: string): void {
	if (isBuiltInRole(name.toUpperCase()) || findRoleByName(work, name))
		throw fail("DuplicatedEntityNotAllowed", `There is already a role '${name}'; choose another name.`);
}
