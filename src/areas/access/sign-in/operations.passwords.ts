import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { Login } from "../operations";
import { hashSecret } from "../rules.secrets";
import { newSecret } from "../secrets";
import { endSessionsOf, findUserByEmail, letPasswordIn } from "../store";
import type { UserRow } from "../table";
import { deleteExpiredResets, deleteResetOf, endSessionsBut, findResetByHash, savePassword, saveReset } from "./store";

/** Our choice: long enough to find the mail, short enough that an old one is worth nothing. */
const resetLifetimeMs = 60 * 60 * 1000;

/**
 * The token of a link by which a user chooses another password; a former one ends. Undefined where there is no user of this
 * address. Who has none yet may choose one: it enters no account that an identity provider has given.
 */
export function startPasswordReset(work: Work, email: string): { token: string; user: UserRow } | undefined {
	const user = findUserByEmail(work, email.toLowerCase());
	if (!user) return undefined;
	const token = newSecret("reset");
	const expiresAt = (work.machineNow + resetLifetimeMs) as Instant;
	saveReset(work, { userId: user.id, tokenHash: hashSecret(token), expiresAt });
	return { token, user };
}

/** Whose password a link changes. BadUserInput for one that is not good any more. */
export function userOfReset(work: Work, token: string): UserRow {
	const found = findResetByHash(work, hashSecret(token));
	if (!found || found.reset.expiresAt <= work.machineNow)
		throw fail("BadUserInput", "This link is not good any more; ask for another one.");
	return found.user;
}

/** The link counts once; all sessions of the user end. */
export function resetPassword(work: Work, token: string, passwordHash: string): UserRow {
	const user = userOfReset(work, token);
	setPassword(work, user, passwordHash);
	return user;
}

function setPassword(work: Work, { id }: UserRow, passwordHash: string): void {
	savePassword(work, id, passwordHash);
	deleteResetOf(work, id);
	endSessionsOf(work, id);
}

/** By the owner of the folder, who vouches for the person: the password enters all of its accounts from then on. */
export function vouchForPassword(work: Work, user: UserRow, passwordHash: string): void {
	setPassword(work, user, passwordHash);
	letPasswordIn(work, user.id);
}

/** By the user who has proved the former one: all other sessions end. */
export function changePassword(work: Work, { user, session }: Login, passwordHash: string): void {
	savePassword(work, user.id, passwordHash);
	deleteResetOf(work, user.id);
	endSessionsBut(work, user.id, session.id);
}

/** Forgets at most so many links that have expired; answers how many that were. */
export const purgeResets = deleteExpiredResets;
