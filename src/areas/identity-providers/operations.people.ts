import { fail } from "../../kernel/errors";
import { type Work, workIn } from "../../kernel/work";
import { addMember, findMemberOfUser, type Member, removeMember, updateMember } from "../access/members/operations";
import { findRoleNamed } from "../access/members/operations.roles";
import { ensureUser, getUser, renameUser } from "../access/operations.users";
import { systemActor } from "../access/rules.actors";
import { roleOf } from "./rules";
import {
	countIdentities,
	deleteIdentity,
	findIdentity,
	insertIdentity,
	listIdentities,
	type NewIdentity,
	saveIdentity,
} from "./store";
import type { IdentityProviderRow, IdentityRow } from "./table";

export { countIdentities, findIdentity, listIdentities };

/** A provider acts with the rights of an owner, who configured it. */
export const actingFor = (work: Work, { accountId }: Pick<IdentityProviderRow, "accountId">): Work =>
	workIn(work, systemActor("", accountId));

export interface Person {
	/** Lower case. */
	readonly email: string;
	readonly name: string | null;
	/** Null if the provider sends none. */
	readonly groups: readonly string[] | null;
}

/** Returns the role of a new member; undefined for none. A mapped custom role may have been deleted. */
export function roleFor(work: Work, { roleMapping }: IdentityProviderRow, person: Person): string | undefined {
	const role = roleOf(roleMapping, person.email, person.groups ?? []);
	return role === undefined ? undefined : findRoleNamed(work, role);
}

/**
 * Returns the member for a person, and creates it if necessary, with the role of its groups. `work` acts for the provider. Throws
 * IdentityForbidden for a deactivated person, or one without a role.
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
	return addMember(work, { email, name, passwordHash: null, isProvided: true, role, environmentRoles: [] });
}

/** Changes the role of a member. Owners stay owners, whatever groups the provider reports. */
export function giveRole(work: Work, member: Member, role: string): Member {
	if (member.role === role || member.role === "OWNER") return member;
	return updateMember(work, member.id, { role, ...(role === "OWNER" && { environmentRoles: [] }) });
}

/** Provisions a person: the user with this address, created if necessary. */
export function addIdentity(work: Work, identity: Omit<NewIdentity, "userId" | "subject">): IdentityRow {
	const { id } = ensureUser(work, identity.email, identity.displayName);
	if (findIdentity(work, identity.providerId, "userId", id))
		throw fail("DuplicatedEntityNotAllowed", `'${identity.email}' is a person of this provider already.`);
	return insertIdentity(work, { ...identity, userId: id, subject: null });
}

/** Replaces the provider's data about a person; the user's name follows. */
export function changeIdentity(work: Work, identity: IdentityRow, changes: Partial<NewIdentity>): IdentityRow {
	const saved = saveIdentity(work, identity, changes);
	if (saved.displayName !== identity.displayName) renameUser(work, saved.userId, saved.displayName);
	return saved;
}

/**
 * Makes a provisioned person's membership follow the provider: an active person with a role is a member; any other is
 * deactivated and signed out. `work` acts for the provider. Throws rather than remove the last owner.
 */
export function followProvider(
	work: Work,
	provider: IdentityProviderRow,
	{ userId, isActive, displayName, email }: IdentityRow,
	groups: readonly string[],
): void {
	const member = findMemberOfUser(work, userId);
	const role = isActive ? roleFor(work, provider, { email, name: displayName, groups }) : undefined;
	if (!member) {
		if (role === undefined) return;
		const user = getUser(work, userId);
		const member = { email: user.email, name: displayName, passwordHash: null, isProvided: true };
		addMember(work, { ...member, role, environmentRoles: [] });
		return;
	}
	const isIn = isActive && (role !== undefined || member.role === "OWNER");
	if (isIn !== (member.deactivatedAt === null)) updateMember(work, member.id, { isActive: isIn });
	if (role !== undefined && provider.roleMapping.groups?.length) giveRole(work, member, role);
}

/** Removes the membership of a person that the provider has deleted, and signs it out. Throws InvalidMemberDelete for the last owner. */
export function removePerson(work: Work, identity: IdentityRow): void {
	const member = findMemberOfUser(work, identity.userId);
	if (member) removeMember(work, member.id);
	deleteIdentity(work, identity);
}
