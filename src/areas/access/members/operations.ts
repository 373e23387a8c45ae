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
import { assertMayGive, assertOwnerRemains, assertStanding, type Standing } from "./rules";
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
	/** argon2id; null for who signs in by an identity provider. Left aside where there is a user of this address already. */
	readonly passwordHash: string | null;
	/** Whether an identity provider makes the member; no password enters then. */
	readonly isProvided?: boolean;
}

/**
 * Makes the user of this address a member of the caller's account, and the user too where there is none.
 * DuplicatedEntityNotAllowed for a member; AccessDeniedError for a role that may more than the caller.
 */
export function addMember(
	work: Work,
	{ email, name, passwordHash, isProvided = false, ...standing }: NewMember,
): Member {
	assertMayBeGiven(work, standing);
	const address = email.toLowerCase();
	const user = findUserByEmail(work, address) ?? insertUser(work, { email: address, name, passwordHash });
	if (findMemberOfUser(work, user.id))
		throw fail("DuplicatedEntityNotAllowed", `'${address}' is a member of this account already.`);
	const { role, environmentRoles } = standing;
	const membership = insertMembership(work, { userId: user.id, accountId: work.actor.accountId, role, isProvided });
	// Else who is removed later would come back by a link of before.
	deleteInvitationsOf(work, address);
	replaceEnvironmentRoles(work, membership.id, environmentRoles);
	return getMember(work, membership.id);
}

export type MemberChanges = Partial<Standing> & { readonly isActive?: boolean | undefined };

/** Changes what is given; who is deactivated is signed out, and not let in until active again. */
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
	// What was given by who may less from now on is not given any more.
	if (deactivates || role !== member.role || changes.environmentRoles) deleteInvitationsBy(work, member.userId);
	return getMember(work, id);
}

/** The membership ends, and with it the sessions that were of this account and the invitations of the user. InvalidMemberDelete for the last owner. */
export function removeMember(work: Work, id: string): Member {
	const member = getMember(work, id);
	assertMayBeChanged(work, member);
	if (member.role === "OWNER") assertOwnerRemains(countOtherOwners(work, id), "remove");
	deleteMembership(work, id);
	deleteInvitationsBy(work, member.userId);
	signOut(work, member);
	return member;
}

/** Who is let into other accounts too stays signed in there: what was entered by a provider ends, and asks it again. */
function signOut(work: Work, { userId }: Member): void {
	if (listMembershipsOf(work, userId).length === 0) endSessionsOf(work, userId);
	else endProvidersSessionsOf(work, userId);
}

const standing = ({ role, environmentRoles }: Standing): Standing => ({ role, environmentRoles });

/** That the caller may as much: of a member, or of who is invited. AccessDeniedError. */
export const assertMayBeChanged = (work: Work, member: Standing): void =>
	assertMayGive(myStanding(work), member, (role) => rightsOfRole(work, work.actor.accountId, role));

/** That these are roles and environments of the account, and none of them more than the caller may. */
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
