import { HttpRefusal } from "../../../http/refusal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { Scope } from "../rules.actors";
import { myStanding, rightsOfRole } from "./operations.rights";
import { assertMayShape, isBuiltInRole } from "./rules";
import { countHolders, deleteRoleRow, findRole, findRoleByName, insertRole, listCustomRoles, saveRole } from "./store";
import type { RoleRow } from "./table";

export { listCustomRoles };

/** Our choice: an account that needs more has a role for each member. */
const rolesMax = 100;

export interface RoleInput {
	readonly name: string;
	readonly scopes: readonly Scope[];
}

/** 404 for an unknown one. The built-in ones are not rows, and cannot be changed: BadUserInput. */
export function getCustomRole(work: Work, id: string): RoleRow {
	if (isBuiltInRole(id)) throw fail("BadUserInput", `The role '${id}' is built in; make one of your own instead.`);
	const role = findRole(work, work.actor.accountId, id);
	if (!role) throw new HttpRefusal(404, `There is no role '${id}' in this account.`);
	return role;
}

/** A role by its id or name, as the command line and identity providers name them; undefined when there is none. */
export const findRoleNamed = (work: Work, idOrName: string): string | undefined =>
	isBuiltInRole(idOrName)
		? idOrName
		: (findRole(work, work.actor.accountId, idOrName) ?? findRoleByName(work, idOrName))?.id;

/** BadUserInput for a role that the account does not have. */
export function assertRole(work: Work, role: string): void {
	if (!isBuiltInRole(role) && !findRole(work, work.actor.accountId, role))
		throw fail("BadUserInput", `There is no role '${role}' in this account; see GET /api/v1/roles.`);
}

/** A role that is a set of scopes, none of which the caller lacks. */
export function createRole(work: Work, { name, scopes }: RoleInput): RoleRow {
	assertMine(work, scopes);
	assertNameIsFree(work, name);
	if (listCustomRoles(work).length >= rolesMax)
		throw fail("BadUserInput", `This account has ${rolesMax} roles of its own already; delete one that nobody has.`);
	return insertRole(work, { name, scopes: distinct(scopes) });
}

/** Whoever has the role may from now on what it says; who changes it has all that it held and will hold. */
export function updateRole(work: Work, id: string, { name, scopes }: Partial<RoleInput>): RoleRow {
	const role = getCustomRole(work, id);
	assertMine(work, [...role.scopes, ...(scopes ?? [])]);
	if (name !== undefined && name !== role.name) assertNameIsFree(work, name);
	if (name === undefined && scopes === undefined) return role;
	return saveRole(work, id, { ...(name !== undefined && { name }), ...(scopes && { scopes: distinct(scopes) }) });
}

/** InvalidArgumentError while a member has it, or is invited with it. */
export function deleteRole(work: Work, id: string): RoleRow {
	const role = getCustomRole(work, id);
	assertMine(work, role.scopes);
	if (countHolders(work, id) > 0)
		throw fail("InvalidArgumentError", `The role '${role.name}' is in use; give its members another one first.`);
	deleteRoleRow(work, id);
	return role;
}

const assertMine = (work: Work, scopes: readonly Scope[]): void =>
	assertMayShape(myStanding(work), scopes, (role) => rightsOfRole(work, work.actor.accountId, role));

const distinct = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

function assertNameIsFree(work: Work, name: string): void {
	if (isBuiltInRole(name.toUpperCase()) || findRoleByName(work, name))
		throw fail("DuplicatedEntityNotAllowed", `There is a role '${name}' already; choose another name.`);
}
