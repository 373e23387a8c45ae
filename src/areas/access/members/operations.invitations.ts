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

/** Our choices: how long a link is good for, how long it may be made to be, and how long what has expired is shown. */
const lifetimeMs = 7 * dayMs;
const lifetimeMaxMs = 31 * dayMs;
const shownMs = 31 * dayMs;

export const listInvitations = (work: Work, page: PageQuery): Page<Invited> => pageInvitations(work, page);

export const isExpired = (work: Work, { expiresAt }: Pick<InvitationRow, "expiresAt">): boolean =>
	expiresAt <= work.machineNow;

export interface InvitationWithToken {
	readonly invitation: Invited;
	/** In this answer and in the mail, and nowhere else: it cannot be shown again. */
	readonly token: string;
}

/** Invites by a link; a former invitation of the address ends. MemberInvitationError for who is a member already. */
export function createInvitation(work: Work, input: InvitationCreate): InvitationWithToken {
	const { role, environmentRoles = [], expireAt } = input;
	assertMayBeGiven(work, { role, environmentRoles });
	const email = input.email.toLowerCase();
	const user = findUserByEmail(work, email);
	if (user && findMemberOfUser(work, user.id))
		throw fail("MemberInvitationError", `'${email}' is a member of this account already.`);
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
	if (at <= now) throw fail("BadUserInput", `/expireAt: ${toIso(at)} is past.`);
	if (at > now + lifetimeMaxMs) throw fail("BadUserInput", "/expireAt: must lie within 31 days.");
}

/** Ends the link. 404 for an unknown invitation; AccessDeniedError for one that gives more than the caller has. */
export function deleteInvitation(work: Work, id: string): Invited {
	const invitation = findInvitation(work, id);
	if (!invitation) throw new HttpRefusal(404, `There is no invitation '${id}' in this account.`);
	assertMayBeChanged(work, invitation);
	deleteInvitationRow(work, id);
	return invitation;
}

/** The invitation behind a link, and its user where there is one already. BadUserInput for a link that is not good any more. */
export function invitationOf(work: Work, token: string): { invitation: InvitationRow; user: UserRow | undefined } {
	const invitation = findInvitationByHash(work, hashSecret(token));
	if (!invitation || isExpired(work, invitation))
		throw fail("MemberInvitationError", "This invitation is not good any more; ask for another one.");
	return { invitation, user: findUserByEmail(work, invitation.email) };
}

/**
 * Whoever has the link becomes a member, with what the invitation says as long as its roles and environments are there.
 * `passwordHash` is a new user's; who is one already has proved the password before.
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
	// What it gives was held against who has invited, when that was.
	addMember(workIn(work, systemActor("", accountId)), { email, name, passwordHash, role, environmentRoles });
	return { account, email };
}

/** Forgets at most so many invitations that have expired a month ago; answers how many that were. */
export const purgeInvitations = (work: Work, rowsMax: number): number =>
	deleteInvitationsBefore(work, (work.machineNow - shownMs) as Instant, rowsMax);
