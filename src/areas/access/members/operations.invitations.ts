import { HttpRefusal } from "../../../http/refusal";
import { type Instant, instantOf, toIso } from "../../../kernel/clock";
import { assert, fail } from "../../../kernel/errors";
import type { Page, PageQuery } from "../../../kernel/page";
import { type Work, workIn } from "../../../kernel/work";
import { findAccount } from "../operations";
import { systemActor } from "../rules.actors";
import { hashSecret } from "../rules.secrets";
import { newSecret } from "../secrets";
import { findUserByEmail } from "../store";
import type { AccountRow, UserRow } from "../table";
import { addMember, assertMayBeChanged, assertMayBeGiven, findMemberOfUser } from "./operations";
import type { InvitationCreate } from "./schema";
import {
	deleteInvitationRow,
	deleteInvitationsBefore,
	deleteInvitationsOf,
	findInvitation,
	findInvitationByHash,
	findInvitationOf,
	type Invited,
	insertInvitation,
	pageInvitations,
} from "./store.invitations";
import type { InvitationRow } from "./table";

export type { Invited };

const dayMs = 24 * 60 * 60 * 1000;

/** The default and the maximum lifetime of a link, and how long expired invitations stay listed. */
const lifetimeMs = 7 * dayMs;
const lifetimeMaxMs = 31 * dayMs;
const shownMs = 31 * dayMs;

export const listInvitations = (work: Work, page: PageQuery): Page<Invited> => pageInvitations(work, page);

export const isExpired = (work: Work, { expiresAt }: Pick<InvitationRow, "expiresAt">): boolean =>
	expiresAt <= work.machineNow;

export interface InvitationWithToken {
	readonly invitation: Invited;
	/** Present only in this response and in the email. */
	readonly token: string;
}

/**
 * Creates an invitation link and deletes a former invitation of the address. Throws MemberInvitationError if the person is already
 * a member.
 */
export function createInvitation(work: Work, input: InvitationCreate): InvitationWithToken {
	const { role, environmentRoles = [], expireAt } = input;
	assertMayBeGiven(work, { role, environmentRoles });
	const email = input.email.toLowerCase();
	const user = findUserByEmail(work, email);
	if (user && findMemberOfUser(work, user.id))
		throw fail("MemberInvitationError", `'${email}' is already a member of this account.`);
	const expiresAt = expireAt === undefined ? ((work.machineNow + lifetimeMs) as Instant) : instantOf(expireAt);
	assertEnd(expiresAt, work.machineNow);
	const former = findInvitationOf(work, email);
	if (former) assertMayBeChanged(work, former);
	deleteInvitationsOf(work, email);
	const token = newSecret("invitation");
	work.secrets.push(token);
	const { actor } = work;
	const { id } = insertInvitation(work, {
		...{ email, role, environmentRoles, expiresAt, tokenHash: hashSecret(token) },
		invitedById: actor.kind === "USER" ? actor.id : null,
	});
	const invitation = findInvitation(work, id);
	assert(invitation, "an invitation that was just made is there");
	return { invitation, token };
}

function assertEnd(at: Instant, now: Instant): void {
	if (at <= now) throw fail("BadUserInput", `/expireAt: ${toIso(at)} is in the past.`);
	if (at > now + lifetimeMaxMs) throw fail("BadUserInput", "/expireAt: must be within 31 days.");
}

/** Deletes the invitation. Throws 404 if it is unknown; AccessDeniedError if it grants more than the caller has. */
export function deleteInvitation(work: Work, id: string): Invited {
	const invitation = findInvitation(work, id);
	if (!invitation) throw new HttpRefusal(404, `There is no invitation '${id}' in this account.`);
	assertMayBeChanged(work, invitation);
	deleteInvitationRow(work, id);
	return invitation;
}

/** Returns the invitation behind a link, and its user if one exists. Throws BadUserInput for an invalid or expired link. */
export function invitationOf(work: Work, token: string): { invitation: InvitationRow; user: UserRow | undefined } {
	const invitation = findInvitationByHash(work, hashSecret(token));
	if (!invitation || isExpired(work, invitation))
		throw fail("MemberInvitationError", "This invitation has expired or was used; request another one.");
	return { invitation, user: findUserByEmail(work, invitation.email) };
}

/**
 * Makes the holder of the link a member, with the invitation's roles that still exist. `passwordHash` is for a new
 * user; an existing one has already proved the password.
 */
export function acceptInvitation(
	work: Work,
	token: string,
	{ name, passwordHash }: Pick<UserRow, "name" | "passwordHash">,
): { account: AccountRow; email: string } {
	const { invitation } = invitationOf(work, token);
	const { accountId, email, role, environmentRoles } = invitation;
	const account = findAccount(work, accountId);
	assert(account, "an invitation has its account");
	deleteInvitationRow(work, invitation.id);
	// The roles were checked against the inviter's rights when the invitation was created.
	addMember(workIn(work, systemActor("", accountId)), { email, name, passwordHash, role, environmentRoles });
	return { account, email };
}

/** Deletes up to `rowsMax` invitations that expired more than a month ago. Returns the number of deleted rows. */
export const purgeInvitations = (work: Work, rowsMax: number): number =>
	deleteInvitationsBefore(work, (work.machineNow - shownMs) as Instant, rowsMax);
