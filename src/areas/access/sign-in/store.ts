import { and, eq, gt, inArray, lte, ne } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import { changeRow, insertRow, insertRows, saveRow } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { type SessionRow, sessions, type UserRow, users } from "../table";
import { type PasswordResetRow, passwordResets, recoveryCodes, type SecondFactorRow, secondFactors } from "./table";

const ofUser = (userId: string) => eq(sessions.userId, userId);

/** The sessions of a user, or only those by one provider. */
export interface SessionsOf {
	readonly userId: string;
	readonly providerId?: string;
}

const among = ({ userId, providerId }: SessionsOf) =>
	and(ofUser(userId), providerId === undefined ? undefined : eq(sessions.providerId, providerId));

export const findSession = (work: Work, whose: SessionsOf, id: string): SessionRow | undefined =>
	work.tx
		.select()
		.from(sessions)
		.where(and(among(whose), eq(sessions.id, id)))
		.get();

/** Returns active sessions; `seenAfter` applies the idle timeout. */
export const pageSessions = (
	work: Work,
	whose: SessionsOf,
	page: PageQuery,
	seenAfter: Instant | undefined,
): Page<SessionRow> =>
	readPage(
		page,
		sessions.id,
		(cursor) => findSession(work, whose, cursor) !== undefined,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(sessions)
				.where(
					and(
						among(whose),
						gt(sessions.expiresAt, work.machineNow),
						seenAfter === undefined ? undefined : gt(sessions.lastSeenAt, seenAfter),
						beyondCursor,
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

export const endSessionsBut = (work: Work, userId: string, sessionId: string): void =>
	void work.tx
		.update(sessions)
		.set({ expiresAt: work.machineNow })
		.where(and(ofUser(userId), ne(sessions.id, sessionId), gt(sessions.expiresAt, work.machineNow)))
		.run();

export const endSessionsOfProvider = (work: Work, userId: string, providerId: string): void =>
	void work.tx
		.update(sessions)
		.set({ expiresAt: work.machineNow })
		.where(and(among({ userId, providerId }), gt(sessions.expiresAt, work.machineNow)))
		.run();

export const saveSeen = (work: Work, ids: readonly string[]): void =>
	void work.tx
		.update(sessions)
		.set({ lastSeenAt: work.machineNow })
		.where(inArray(sessions.id, [...ids]))
		.run();

export const savePassword = (work: Work, userId: string, passwordHash: string): UserRow =>
	changeRow(work, users, userId, { passwordHash });

export const saveReset = (work: Work, reset: PasswordResetRow): void => saveRow(work, passwordResets, reset);

export const findResetByHash = (work: Work, tokenHash: string) =>
	work.tx
		.select({ reset: passwordResets, user: users })
		.from(passwordResets)
		.innerJoin(users, eq(users.id, passwordResets.userId))
		.where(eq(passwordResets.tokenHash, tokenHash))
		.get();

export const deleteResetOf = (work: Work, userId: string): void =>
	void work.tx.delete(passwordResets).where(eq(passwordResets.userId, userId)).run();

/** Returns the number of deleted rows. */
export function deleteExpiredResets(work: Work, rowsMax: number): number {
	const piece = work.tx
		.select({ userId: passwordResets.userId })
		.from(passwordResets)
		.where(lte(passwordResets.expiresAt, work.machineNow))
		.limit(rowsMax);
	return work.tx
		.delete(passwordResets)
		.where(inArray(passwordResets.userId, piece))
		.returning({ userId: passwordResets.userId })
		.all().length;
}

export const findSecondFactor = (work: Work, userId: string): SecondFactorRow | undefined =>
	work.tx.select().from(secondFactors).where(eq(secondFactors.userId, userId)).get();

export const insertSecondFactor = (work: Work, userId: string): SecondFactorRow =>
	insertRow(work, secondFactors, { id: work.newId(), userId, createdAt: work.machineNow });

export const saveSecondFactor = (
	work: Work,
	id: string,
	changes: Partial<Pick<SecondFactorRow, "confirmedAt" | "lastStep">>,
): SecondFactorRow => changeRow(work, secondFactors, id, changes);

export function deleteSecondFactor(work: Work, userId: string): void {
	work.tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run();
	work.tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).run();
}

export const insertRecoveryCodes = (work: Work, userId: string, hashes: readonly string[]): void =>
	insertRows(
		work,
		recoveryCodes,
		hashes.map((hash) => ({ hash, userId })),
	);

const recoveryCode = (userId: string, hash: string) =>
	and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash));

export const hasRecoveryCode = (work: Work, userId: string, hash: string): boolean =>
	work.tx.select().from(recoveryCodes).where(recoveryCode(userId, hash)).get() !== undefined;

export const deleteRecoveryCode = (work: Work, userId: string, hash: string): void =>
	void work.tx.delete(recoveryCodes).where(recoveryCode(userId, hash)).run();
