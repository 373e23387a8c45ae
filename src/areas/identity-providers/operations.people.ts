import { fail } from "../../kernel/errors";
import { type Work, workIn } from "../../kernel/work";
import { addMember, findMemberOfUser, type Member, updateMember } from "../access/members/operations";
import { findRoleNamed } from "../access/members/operations.roles";
import { systemActor } from "../access/rules.actors";
import { roleOf } from "./rules";
import type { IdentityProviderRow } from "./table";

/** A provider acts in its account as whoever set it up, an owner: what it gives was theirs to give. */
export const actingFor = (work: Work, { accountId }: Pick<IdentityProviderRow, "accountId">): Work =>
	workIn(work, systemActor("", accountId));

export interface Person {
	/** Lower case. */
	readonly email: string;
	readonly name: string | null;
	/** Null: the provider does not say. */
	readonly groups: readonly string[] | null;
}

/** The role that a person gets who is no member yet; undefined: none. A role of one's own may be gone since it was mapped. */
export function roleFor(work: Work, { roleMapping }: IdentityProviderRow, person: Person): string | undefined {
	const role = roleOf(roleMapping, person.email, person.groups ?? []);
	return role === undefined ? undefined : findRoleNamed(work, role);
}

/**
 * The member that a person is, made where there is none, with the role that its groups give. `work` acts for the provider.
 * IdentityForbidden for who is deactivated, or is given no role.
 */
export function admitMember(
	work: Work,
	provider: IdentityProviderRow,
	userId: string | undefined,
	person: Person,
): Member {
	const member = userId === undefined ? undefined : findMemberOfUser(work, userId);
	if (member && member.deactivatedAt !== null)
		throw fail("IdentityForbidden", `'${person.email}' is deactivated here; ask an owner of the account.`);
	if (member && (person.groups === null || !provider.roleMapping.groups?.length)) return member;
	const role = roleFor(work, provider, person);
	if (role === undefined)
		throw fail(
			"IdentityForbidden",
			`'${provider.name}' gives '${person.email}' no role here; have the role mapping or the person's groups changed.`,
		);
	if (member) return giveRole(work, member, role);
	const { email, name } = person;
	return addMember(work, { email, name, passwordHash: null, role, environmentRoles: [] });
}

/** Owners stay owners: what a provider says of groups never takes the account from them. */
export function giveRole(work: Work, member: Member, role: string): Member {
	if (member.role === role || member.role === "OWNER") return member;
	return updateMember(work, member.id, { role, ...(role === "OWNER" && { environmentRoles: [] }) });
}
