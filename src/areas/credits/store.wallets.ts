import { and, asc, eq, inArray, lte, min, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { insertRow, newRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { burnDownOrder } from "./burn-down";
import { type CreditGrantRow, type CreditWalletRow, creditGrants, creditWallets } from "./table";

/** Row ids, and the caller's id of the resource; empty for none. */
export interface WalletOf {
	readonly customerId: string;
	readonly currencyId: string;
	readonly resourceRef: string;
}

// Each consumption uses these, so each connection prepares them once. A customer (its row id) belongs to one environment.
const statements = (tx: Transaction) => ({
	wallet: tx
		.select()
		.from(creditWallets)
		.where(
			and(
				eq(creditWallets.customerId, sql.placeholder("customerId")),
				eq(creditWallets.currencyId, sql.placeholder("currencyId")),
				eq(creditWallets.resourceRef, sql.placeholder("resourceRef")),
			),
		)
		.prepare(),
	walletById: tx
		.select()
		.from(creditWallets)
		.where(eq(creditWallets.id, sql.placeholder("id")))
		.prepare(),
	ofResource: tx
		.select()
		.from(creditWallets)
		.where(
			and(
				eq(creditWallets.customerId, sql.placeholder("customerId")),
				eq(creditWallets.resourceRef, sql.placeholder("resourceRef")),
			),
		)
		.prepare(),
	open: tx
		.select()
		.from(creditGrants)
		.where(and(eq(creditGrants.walletId, sql.placeholder("walletId")), sql`is_open = 1`))
		.orderBy(...burnDownOrder.map((column) => asc(creditGrants[column])))
		.limit(sql.placeholder("rowsMax"))
		.offset(sql.placeholder("skipped"))
		.prepare(),
	grant: tx
		.select()
		.from(creditGrants)
		.where(eq(creditGrants.id, sql.placeholder("id")))
		.prepare(),
	nextDue: tx
		.select({ at: min(creditGrants.nextDueAt) })
		.from(creditGrants)
		.where(and(eq(creditGrants.walletId, sql.placeholder("walletId")), sql`next_due_at is not null`))
		.prepare(),
	periodEnd: tx
		.select({ at: min(creditGrants.expireAt) })
		.from(creditGrants)
		.where(
			and(
				eq(creditGrants.walletId, sql.placeholder("walletId")),
				sql`status = 'ACTIVE' and grant_type = 'RECURRING' and expire_at is not null`,
			),
		)
		.prepare(),
	due: tx
		.select()
		.from(creditGrants)
		.where(
			and(
				eq(creditGrants.walletId, sql.placeholder("walletId")),
				sql`next_due_at is not null`,
				lte(creditGrants.nextDueAt, sql.placeholder("until")),
			),
		)
		.orderBy(asc(creditGrants.nextDueAt), asc(creditGrants.id))
		.limit(sql.placeholder("rowsMax"))
		.prepare(),
});

export const findWallet = (
	work: Work,
	{ customerId, currencyId, resourceRef }: WalletOf,
): CreditWalletRow | undefined => work.prepared(statements).wallet.get({ customerId, currencyId, resourceRef });

export const selectWallet = (work: Work, id: string): CreditWalletRow | undefined =>
	work.prepared(statements).walletById.get({ id });

/** Returns the wallet of a grant or of a consumption. Wallets are never deleted. */
export function getWallet(work: Work, { walletId }: { readonly walletId: string }): CreditWalletRow {
	const wallet = selectWallet(work, walletId);
	assert(wallet, "grants and consumptions have a wallet");
	return wallet;
}

/** Returns the wallets of one resource (the caller's id), one for each currency. The empty id means: of no resource. */
export const walletsOfResource = (work: Work, customerId: string, resourceRef: string): CreditWalletRow[] =>
	work.prepared(statements).ofResource.all({ customerId, resourceRef });

/** Returns the wallet. Creates it if necessary. */
export const openWallet = (work: Work, of: WalletOf): CreditWalletRow =>
	findWallet(work, of) ?? insertRow(work, creditWallets, { ...newRow(work), ...of });

export type WalletChanges = Partial<Omit<CreditWalletRow, "id" | "environmentId" | keyof WalletOf | "createdAt">>;

/** Writes changes of a wallet, and invalidates cached answers about its customer. */
export function saveWallet(work: Work, wallet: CreditWalletRow, changes: WalletChanges): CreditWalletRow {
	const changed = { ...changes, updatedAt: work.now };
	writeColumns(work, creditWallets, wallet.id, changed);
	work.usageChanged(wallet.customerId);
	return { ...wallet, ...changed };
}

/** The first query reads this many grants, and each further query twice as many: most consumptions need one or two grants. */
const grantsAtFirst = 4;

/** Yields the active grants with a remaining amount, in `burnDownOrder`. Queries the next ones only when the caller needs them. */
export function* openGrants(work: Work, walletId: string): Generator<CreditGrantRow, undefined> {
	let skipped = 0;
	for (let rowsMax = grantsAtFirst; ; rowsMax *= 2) {
		const rows = work.prepared(statements).open.all({ walletId, rowsMax, skipped });
		yield* rows;
		if (rows.length < rowsMax) return;
		skipped += rowsMax;
	}
}

export const selectGrant = (work: Work, id: string): CreditGrantRow | undefined =>
	work.prepared(statements).grant.get({ id });

export const selectGrants = (work: Work, ids: readonly string[]): CreditGrantRow[] =>
	ids.length === 0
		? []
		: work.tx
				.select()
				.from(creditGrants)
				.where(and(eq(creditGrants.environmentId, work.actor.environmentId), inArray(creditGrants.id, [...ids])))
				.all();

/** Returns when the next grant of the wallet becomes active or expires, past or future; null if none does. */
export const nextDueOfWallet = (work: Work, walletId: string): Instant | null =>
	work.prepared(statements).nextDue.get({ walletId })?.at ?? null;

/** Returns the earliest expiry of the wallet's active recurring grants. */
export const periodEndOfWallet = (work: Work, walletId: string): Instant | null =>
	work.prepared(statements).periodEnd.get({ walletId })?.at ?? null;

/** Returns the first grant of the wallet that is due by a time. */
export const firstDueOfWallet = (work: Work, walletId: string, until: Instant): CreditGrantRow | undefined =>
	dueOfWallet(work, walletId, until, 1)[0];

/** Returns the first grants of the wallet that are due by a time, in order of time. */
export const dueOfWallet = (work: Work, walletId: string, until: Instant, rowsMax: number): CreditGrantRow[] =>
	work.prepared(statements).due.all({ walletId, until, rowsMax });

export type GrantChanges = Partial<
	Omit<CreditGrantRow, "id" | "environmentId" | "walletId" | "customerId" | "createdAt">
>;

export function saveGrant(work: Work, grant: CreditGrantRow, changes: GrantChanges): CreditGrantRow {
	const changed = { ...changes, updatedAt: work.now };
	writeColumns(work, creditGrants, grant.id, changed);
	return { ...grant, ...changed };
}

export const insertGrant = (work: Work, row: Omit<CreditGrantRow, keyof ReturnType<typeof newRow>>): CreditGrantRow =>
	insertRow(work, creditGrants, { ...newRow(work), ...row });
