import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { Login } from "../operations";
import { hashSecret } from "../rules.secrets";
import { newSecret } from "../secrets";
import { endSessionsOf, findUserByEmail, letPasswordIn } from "../store";
import type { UserRow } from "../table";
import { deleteExpiredResets, deleteResetOf, endSessionsBut, findResetByHash, savePassword, saveReset } from "./store";

/** An hour: long enough to find the email, and short enough to limit the damage of a leaked link. */
const resetLifetimeMs = 60 * 60 * 1000;

/**
 * Returns the token of a reset link and invalidates a former one. Undefined if no user has this address. A user without
 * a password can choose one, which does not give access to accounts of identity providers.
 */
export function startPasswordReset(work: Work, email: string): { token: string; user: UserRow } | undefined {
	const user = findUserByEmail(work, email.toLowerCase());
	if (!user) return undefined;
	const token = newSecret("reset");
	const expiresAt = (work.machineNow + resetLifetimeMs) as Instant;
	saveReset(work, { userId: user.id, tokenHash: hashSecret(token), expiresAt });
	return { token, user };
}

/** Returns the user of a reset link. Throws BadUserInput if the link is invalid or expired. */
export function userOfReset(work: Work, token: string): UserRow {
	const found = findResetByHash(work, hashSecret(token));
	if (!found || found.reset.expiresAt <= work.machineNow)
		throw fail("BadUserInput", "This link has expired or was used; request another one.");
	return found.user;
}

/** Changes the password, invalidates the link and ends all sessions of the user. */
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

/**
 * Sets a password at the command line. The operator vouches for the person, so the password is valid for all of its
 * accounts.
 */
export function vouchForPassword(work: Work, user: UserRow, passwordHash: string): void {
	setPassword(work, user, passwordHash);
	letPasswordIn(work, user.id);
}

/** Changes the password of a user who has proved the former one, and ends all other sessions. */
export function changePassword(work: Work, { user, session }: Login, passwordHash: string): void {
	savePassword(work, user.id, passwordHash);
	deleteResetOf(work, user.id);
	endSessionsBut(work, user.id, session.id);
}

/** Deletes up to `rowsMax` expired links. Returns the number of deleted rows. */
export const purgeResets = deleteExpiredResets;
