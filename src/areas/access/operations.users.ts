import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findUserByEmail, findUserById, insertUser, listMembershipsOf, saveUser } from "./store";
import type { UserRow } from "./table";

export function getUser(work: Work, id: string): UserRow {
	const user = findUserById(work, id);
	assert(user, "who is named by a row is there");
	return user;
}

/** Returns the user with this address; creates one without a password if necessary. */
export const ensureUser = (work: Work, email: string, name: string | null): UserRow =>
	findUserByEmail(work, email.toLowerCase()) ??
	insertUser(work, { email: email.toLowerCase(), name, passwordHash: null });

/** Changes the name of a user who has no password and belongs to the caller's account only. */
export function renameUser(work: Work, id: string, name: string | null): void {
	const user = getUser(work, id);
	const isOurs = listMembershipsOf(work, id).every(({ accountId }) => accountId === work.actor.accountId);
	if (user.name !== name && user.passwordHash === null && isOurs) saveUser(work, id, { name });
}
