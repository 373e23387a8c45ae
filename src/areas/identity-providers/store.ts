import { and, asc, count, eq, inArray, lte, sql } from "drizzle-orm";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { changeRow, insertRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type IdentityProviderRow, type IdentityRow, identities, identityProviders, usedStates } from "./table";

// A provider belongs to an account, but sign-in and SCIM find it by its id or token before the account is known.

const providerById = (tx: Transaction) =>
	tx
		.select()
		.from(identityProviders)
		.where(eq(identityProviders.id, sql.placeholder("id")))
		.prepare();

export const findAnyProvider = (work: Work, id: string): IdentityProviderRow | undefined =>
	work.remembered(providerById).get({ id });

export const findProvider = (work: Work, id: string): IdentityProviderRow | undefined => {
	const provider = findAnyProvider(work, id);
	return provider?.accountId === work.actor.accountId ? provider : undefined;
};

const providerByToken = (tx: Transaction) =>
	tx
		.select()
		.from(identityProviders)
		.where(eq(identityProviders.scimTokenHash, sql.placeholder("hash")))
		.prepare();

export const findProviderByToken = (work: Work, hash: string): IdentityProviderRow | undefined =>
	work.remembered(providerByToken).get({ hash });

const providersOfAccount = (tx: Transaction) =>
	tx
		.select()
		.from(identityProviders)
		.where(eq(identityProviders.accountId, sql.placeholder("accountId")))
		.orderBy(asc(identityProviders.id))
		.prepare();

/** Returns up to `providersMax` providers, in the order of creation. */
export const listProvidersOf = (work: Work, accountId: string): IdentityProviderRow[] =>
	work.remembered(providersOfAccount).all({ accountId });

/** Covers all accounts, which have few providers. */
export const listAllProviders = (work: Work): IdentityProviderRow[] =>
	work.tx.select().from(identityProviders).orderBy(asc(identityProviders.id)).all();

const providersOfDomain = (tx: Transaction) =>
	tx
		.select()
		.from(identityProviders)
		.where(sql`${sql.placeholder("domain")} in (select value from json_each(${identityProviders.domains}))`)
		.orderBy(asc(identityProviders.id))
		.limit(100)
		.prepare();

/** Covers all accounts, which have few providers. */
export const listProvidersOfDomain = (work: Work, domain: string): IdentityProviderRow[] =>
	work.prepared(providersOfDomain).all({ domain });

export const pageProviders = (work: Work, query: PageQuery): Page<IdentityProviderRow> =>
	readTablePage(work, query, identityProviders, eq(identityProviders.accountId, work.actor.accountId));

export type NewProvider = Omit<IdentityProviderRow, "accountId" | "createdAt" | "updatedAt">;

export const insertProvider = (work: Work, provider: NewProvider): IdentityProviderRow =>
	insertRow(work, identityProviders, {
		...provider,
		accountId: work.actor.accountId,
		createdAt: work.machineNow,
		updatedAt: work.machineNow,
	});

export const saveProvider = (
	work: Work,
	{ id }: IdentityProviderRow,
	changes: Partial<NewProvider>,
): IdentityProviderRow => changeRow(work, identityProviders, id, { ...changes, updatedAt: work.machineNow });

/** Deletes the provider and its identities. */
export const deleteProviderRow = (work: Work, { id }: IdentityProviderRow): void => {
	work.tx.delete(identityProviders).where(eq(identityProviders.id, id)).run();
};

/** The next sign-in finds these people by their email address. */
export const clearSubjects = (work: Work, { id }: IdentityProviderRow): void => {
	work.tx.update(identities).set({ subject: null }).where(eq(identities.providerId, id)).run();
};

export type IdentityKey = "id" | "subject" | "userNameKey" | "externalId" | "email" | "userId";

/** Returns one of the provider's people. Several may share an email address; the first one is returned. */
export const findIdentity = (work: Work, providerId: string, by: IdentityKey, value: string): IdentityRow | undefined =>
	work.tx
		.select()
		.from(identities)
		.where(and(eq(identities.providerId, providerId), eq(identities[by], value)))
		.orderBy(asc(identities.id))
		.limit(1)
		.get();

export type NewIdentity = Omit<IdentityRow, "id" | "createdAt" | "updatedAt">;

export const insertIdentity = (work: Work, identity: NewIdentity): IdentityRow =>
	insertRow(work, identities, {
		...identity,
		id: work.newId(),
		createdAt: work.machineNow,
		updatedAt: work.machineNow,
	});

export const saveIdentity = (work: Work, { id }: IdentityRow, changes: Partial<NewIdentity>): IdentityRow =>
	changeRow(work, identities, id, { ...changes, updatedAt: work.machineNow });

export const deleteIdentity = (work: Work, { id }: IdentityRow): void => {
	work.tx.delete(identities).where(eq(identities.id, id)).run();
};

export const countIdentities = (work: Work, providerId: string): number =>
	work.tx.select({ rows: count() }).from(identities).where(eq(identities.providerId, providerId)).get()?.rows ?? 0;

/** Oldest first, from the one at `offset`. */
export const listIdentities = (work: Work, providerId: string, offset: number, rowsMax: number): IdentityRow[] =>
	work.tx
		.select()
		.from(identities)
		.where(eq(identities.providerId, providerId))
		.orderBy(asc(identities.id))
		.limit(rowsMax)
		.offset(offset)
		.all();

export const isUsed = (work: Work, hash: string): boolean =>
	work.tx.select().from(usedStates).where(eq(usedStates.hash, hash)).get() !== undefined;

export const insertUsed = (work: Work, state: typeof usedStates.$inferInsert): void => {
	insertRow(work, usedStates, state);
};

/** Returns the number of deleted rows. */
export function deleteExpiredStates(work: Work, rowsMax: number): number {
	const piece = work.tx
		.select({ hash: usedStates.hash })
		.from(usedStates)
		.where(lte(usedStates.expiresAt, work.machineNow))
		.limit(rowsMax);
	return work.tx.delete(usedStates).where(inArray(usedStates.hash, piece)).returning({ hash: usedStates.hash }).all()
		.length;
}
