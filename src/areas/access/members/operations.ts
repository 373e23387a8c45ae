import { fail } from "../../../kernel/errors";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import {
	endProvidersSessionsOf,
	endSessionsOf,
	findUserByEmail,
	insertMembership,
	insertUser,
	listEnvironmentsOf,
	listMembershipsOf,
} from "../store";
import { myStanding, rightsOfRole } from "./operations.rights";
import { assertRole } from "./operations.roles";
import { assertMayGrantRole, assertOwnerRemains, assertStanding, type Standing } from "./rules";
import {
	countOtherOwners,
	deleteMembership,
	findMember,
	findMemberOfUser,
	type Member,
	pageMembers,
	replaceEnvironmentRoles,
	saveMembership,
} from "./store";
import { deleteInvitationsBy, deleteInvitationsOf } from "./store.invitations";

export type { Member };
export { findMemberOfUser };

/** Throws MemberNotFound. */
export function getMember(work: Work, id: string): Member {
	const member = findMember(work, id);
	if (!member) throw fail("MemberNotFound", `There is no member '${id}' in this account.`);
	return member;
}

export const listMembers = (work: Work, page: PageQuery): Page<Member> => pageMembers(work, page);

export interface NewMember extends Standing {
	readonly email: string;
	readonly name: string | null;
	/** argon2id; null for a person who signs in by an identity provider. Ignored if the user exists. */
	readonly passwordHash: string | null;
	/** Whether an identity provider creates the member. Such a member cannot use a password for this account. */
	readonly isProvided?: boolean;
}

/**
 * Makes the user with this address a member of the caller's account, and creates the user if necessary. Throws
 * DuplicatedEntityNotAllowed for an existing member; AccessDeniedError if the role exceeds the caller's rights.
 */
export function addMember(
	work: Work,
	{ email, name, passwordHash, isProvided = false, ...standing }: NewMember,
): Member {
	assertMayBeGiven(work, standing);
	const address = email.toLowerCase();
	const user = findUserByEmail(work, address) ?? insertUser(work, { email: address, name, passwordHash });
	if (findMemberOfUser(work, user.id))
		throw fail("DuplicatedEntityNotAllowed", `'${address}' is already a member of this account.`);
	const { role, environmentRoles } = standing;
	const membership = insertMembership(work, { userId: user.id, accountId: work.actor.accountId, role, isProvided });
	// Otherwise a removed member could return by an old link.
	deleteInvitationsOf(work, address);
	replaceEnvironmentRoles(work, membership.id, environmentRoles);
	return getMember(work, membership.id);
}

export type MemberChanges = Partial<Standing> & { readonly isActive?: boolean | undefined };

/** Changes a member. A deactivated member is signed out and cannot sign in until it is active again. */
export function updateMember(work: Work, id: string, { isActive, ...changes }: MemberChanges): Member {
	const member = getMember(work, id);
	assertMayBeChanged(work, member);
	const { role, environmentRoles } = { ...standing(member), ...changes };
	assertMayBeGiven(work, { role, environmentRoles });
	const deactivates = isActive === false && member.deactivatedAt === null;
	if (member.role === "OWNER" && role !== "OWNER") assertOwnerRemains(countOtherOwners(work, id), "demote");
	if (member.role === "OWNER" && deactivates) assertOwnerRemains(countOtherOwners(work, id), "remove");
	saveMembership(work, id, {
		role,
		deactivatedAt: deactivates ? work.machineNow : isActive ? null : member.deactivatedAt,
	});
	if (changes.environmentRoles) replaceEnvironmentRoles(work, id, environmentRoles);
	if (deactivates) signOut(work, member);
	// Invitations by this member may now exceed its rights, so they end.
	if (deactivates || role !== member.role || changes.environmentRoles) deleteInvitationsBy(work, member.userId);
	return getMember(work, id);
}

/** Ends the membership, the user's sessions in this account and its invitations. Throws InvalidMemberDelete for the last owner. */
export function removeMember(work: Work, id: string): Member {
	const member = getMember(work, id);
	assertMayBeChanged(work, member);
	if (member.role === "OWNER") assertOwnerRemains(countOtherOwners(work, id), "remove");
	deleteMembership(work, id);
	deleteInvitationsBy(work, member.userId);
	signOut(work, member);
	return member;
}

/** Users of other accounts stay signed in there. Sessions by identity providers end, and require a new sign-in. */
function signOut(work: Work, { userId }: Member): void {
	if (listMembershipsOf(work, userId).length === 0) endSessionsOf(work, userId);
	else endProvidersSessionsOf(work, userId);
}

const standing = ({ role, environmentRoles }: Standing): Standing => ({ role, environmentRoles });

/** Throws AccessDeniedError if the rights of the member or invitation exceed the caller's. */
export const assertMayBeChanged = (work: Work, member: Standing): void =>
	assertMayGrantRole(myStanding(work), member, (role) => rightsOfRole(work, work.actor.accountId, role));

/** Throws if these roles and environments do not belong to the account, or exceed the caller's rights. */
export function assertMayBeGiven(work: Work, given: Standing): void {
	assertStanding(given);
	const { role, environmentRoles } = given;
	for (const one of [role, ...environmentRoles.map((other) => other.role)]) if (one !== null) assertRole(work, one);
	const environments = new Set(listEnvironmentsOf(work, work.actor.accountId).map(({ id }) => id));
	for (const { environmentId } of environmentRoles)
		if (!environments.has(environmentId))
			throw fail("EnvironmentMissing", `There is no environment '${environmentId}' in this account.`);
	assertMayBeChanged(work, given);
}
