import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { type Page, type PageQuery, readPage } from "../../kernel/page";
import { changeRow, insertRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import {
	type AccountRow,
	accounts,
	type EnvironmentRow,
	environments,
	type MembershipRow,
	memberships,
	type SessionRow,
	sessions,
	type UserRow,
	users,
} from "./table";

// Access decides the environment of all other queries, so its own queries are not scoped by it.

export const findAccount = (work: Work, id: string): AccountRow | undefined => work.remembered(accountById).get({ id });

const accountById = (tx: Transaction) =>
	tx
		.select()
		.from(accounts)
		.where(eq(accounts.id, sql.placeholder("id")))
		.prepare();

export const findFirstEnvironment = (work: Work): EnvironmentRow | undefined =>
	work.tx
		.select()
		.from(environments)
		.where(isNull(environments.archivedAt))
		.orderBy(asc(environments.id))
		.limit(1)
		.get();

const environmentById = (tx: Transaction) =>
	tx
		.select()
		.from(environments)
		.where(eq(environments.id, sql.placeholder("id")))
		.prepare();

export const findEnvironment = (work: Work, id: string): EnvironmentRow | undefined =>
	work.remembered(environmentById).get({ id });

export const findEnvironmentByName = (work: Work, name: string): EnvironmentRow | undefined =>
	work.tx.select().from(environments).where(eq(environments.name, name)).orderBy(asc(environments.id)).limit(1).get();

export const listEnvironmentsOf = (work: Work, accountId: string): EnvironmentRow[] =>
	work.tx.select().from(environments).where(eq(environments.accountId, accountId)).orderBy(asc(environments.id)).all();

export const listAllEnvironments = (work: Work): EnvironmentRow[] =>
	work.tx.select().from(environments).orderBy(asc(environments.id)).all();

/** Returns a page of the caller's environments. */
export const pageEnvironments = (
	work: Work,
	page: PageQuery,
	{ ids, isArchived }: { readonly ids: readonly string[]; readonly isArchived: boolean | undefined },
): Page<EnvironmentRow> => {
	const { accountId } = work.actor;
	return readPage(
		page,
		environments.id,
		(cursor) => ids.includes(cursor),
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(environments)
				.where(
					and(
						eq(environments.accountId, accountId),
						inArray(environments.id, [...ids]),
						isArchived === undefined ? undefined : (isArchived ? isNotNull : isNull)(environments.archivedAt),
						beyondCursor,
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);
};

export const listAllowedOrigins = (work: Work): string[][] =>
	work.tx
		.selectDistinct({ origins: environments.allowedOrigins })
		.from(environments)
		.all()
		.map(({ origins }) => origins);

export const insertAccount = (work: Work, name: string): AccountRow =>
	insertRow(work, accounts, { id: work.newId(), name, createdAt: work.machineNow });

export const insertEnvironment = (
	work: Work,
	environment: Pick<EnvironmentRow, "accountId" | "name" | "kind">,
): EnvironmentRow => insertRow(work, environments, { ...environment, id: work.newId(), createdAt: work.machineNow });

export const updateEnvironment = (
	work: Work,
	id: string,
	changes: Partial<
		Pick<
			EnvironmentRow,
			| "name"
			| "unknownCustomers"
			| "clientHardening"
			| "allowedOrigins"
			| "billingAnchor"
			| "prorationMode"
			| "timeZone"
			| "timeZoneSource"
			| "taxes"
			| "taxRounding"
			| "discountStacking"
			| "booksClosedUntil"
			| "defaultCurrency"
			| "clockAt"
			| "archivedAt"
		>
	>,
): EnvironmentRow => changeRow(work, environments, id, changes);

export const findUserByEmail = (work: Work, email: string): UserRow | undefined =>
	work.tx.select().from(users).where(eq(users.email, email)).get();

export const insertUser = (work: Work, user: Pick<UserRow, "email" | "name" | "passwordHash">): UserRow =>
	insertRow(work, users, { ...user, id: work.newId(), createdAt: work.machineNow });

/** Returns active memberships in the order of creation. The first one is used if no account is named. */
export const listMembershipsOf = (work: Work, userId: string): MembershipRow[] =>
	work.tx
		.select()
		.from(memberships)
		.where(and(eq(memberships.userId, userId), isNull(memberships.deactivatedAt)))
		.orderBy(asc(memberships.id))
		.all();

export const insertMembership = (
	work: Work,
	membership: Pick<MembershipRow, "userId" | "accountId" | "role"> & Partial<Pick<MembershipRow, "isProvided">>,
): MembershipRow => insertRow(work, memberships, { ...membership, id: work.newId(), createdAt: work.machineNow });

/** Applies to all accounts of the user. */
export const letPasswordIn = (work: Work, userId: string): void => {
	work.tx.update(memberships).set({ isProvided: false }).where(eq(memberships.userId, userId)).run();
};

const sessionByHash = (tx: Transaction) =>
	tx
		.select({ session: sessions, user: users })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(eq(sessions.tokenHash, sql.placeholder("hash")))
		.prepare();

export const findSessionByHash = (work: Work, hash: string) => work.prepared(sessionByHash).get({ hash });

type NewSessionRow = Omit<SessionRow, "id" | "lastSeenAt" | "createdAt" | "providerId"> &
	Partial<Pick<SessionRow, "providerId">>;

export const insertSession = (work: Work, session: NewSessionRow): SessionRow =>
	insertRow(work, sessions, {
		...{ ...session, id: work.newId(), lastSeenAt: work.machineNow, createdAt: work.machineNow },
	});

/** Ends all sessions of a user. */
export const endSessionsOf = (work: Work, userId: string): void => {
	work.tx
		.update(sessions)
		.set({ expiresAt: work.machineNow })
		.where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, work.machineNow)))
		.run();
};

export const endSession = (work: Work, { id, userId }: SessionRow): void => {
	work.tx
		.update(sessions)
		.set({ expiresAt: work.machineNow })
		.where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
		.run();
};

/** Ends the sessions that identity providers created. */
export const endProvidersSessionsOf = (work: Work, userId: string): void => {
	work.tx
		.update(sessions)
		.set({ expiresAt: work.machineNow })
		.where(and(eq(sessions.userId, userId), isNotNull(sessions.providerId), gt(sessions.expiresAt, work.machineNow)))
		.run();
};

/** Returns the number of deleted rows. */
export function deleteExpiredSessions(work: Work, rowsMax: number): number {
	const piece = work.tx
		.select({ id: sessions.id })
		.from(sessions)
		.where(lte(sessions.expiresAt, work.machineNow))
		.limit(rowsMax);
	return work.tx.delete(sessions).where(inArray(sessions.id, piece)).returning({ id: sessions.id }).all().length;
}

export const findUserById = (work: Work, id: string): UserRow | undefined =>
	work.tx.select().from(users).where(eq(users.id, id)).get();

export const saveUser = (work: Work, id: string, changes: Partial<Pick<UserRow, "name">>): UserRow =>
	changeRow(work, users, id, changes);
