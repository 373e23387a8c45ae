import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { Dimensions } from "../../pricing/models/formula";
import { accountsOf, isReversal } from "../rules.accounts";
import type { GrantType, LedgerEventType } from "../schema.values";
import { type CreditEntryRow, type CreditGrantRow, type CreditWalletRow, creditEntries, creditGrants } from "../table";
import { emptyHash, hashOf } from "./rules.chain";

/** A new ledger entry of a wallet. */
export interface NewEntry {
	readonly wallet: Pick<CreditWalletRow, "id" | "customerId">;
	readonly grant: { readonly id: string; readonly grantType: GrantType };
	readonly eventType: LedgerEventType;
	readonly amount: Decimal;
	readonly at: Instant;
	readonly featureId?: string | null;
	readonly eventId?: string | null;
	readonly dimensions?: Dimensions | null;
	/** The number of usage events, where it is more than one. */
	readonly events?: number | null | undefined;
}

/** Appends entries in their order. The hash of each covers the previous one. */
export function appendEntries(work: Work, entries: readonly NewEntry[]): CreditEntryRow[] {
	if (entries.length === 0) return [];
	let { sequence, hash } = work.prepared(lastEntry).get() ?? { sequence: 0, hash: emptyHash };
	const rows = entries.map(({ wallet, grant, eventType, amount, at, ...about }): CreditEntryRow => {
		sequence += 1;
		const entry = {
			sequence,
			id: work.newId(),
			environmentId: work.actor.environmentId,
			walletId: wallet.id,
			customerId: wallet.customerId,
			grantId: grant.id,
			eventType,
			amount,
			...accountsOf(eventType, grant.grantType),
			featureId: about.featureId ?? null,
			eventId: about.eventId ?? null,
			dimensions: about.dimensions ?? null,
			events: about.events ?? null,
			at,
		};
		hash = hashOf(hash, entry);
		return { ...entry, hash };
	});
	insertRows(work, creditEntries, rows);
	return rows;
}

const lastEntry = (tx: Transaction) =>
	tx
		.select({ sequence: creditEntries.sequence, hash: creditEntries.hash })
		.from(creditEntries)
		.orderBy(desc(creditEntries.sequence))
		.limit(1)
		.prepare();

/** The newest entries that are searched: hundreds of consumptions in most wallets. */
const entriesSearchedMax = 1000;

/** Returns the grants of the newest consumptions, the last consumed first. */
export const newestGrantsConsumed = (work: Work, walletId: string): CreditGrantRow[] =>
	work.prepared(newestConsumed).all({ walletId, entries: entriesSearchedMax });

const newestConsumed = (tx: Transaction) => {
	const newest = tx
		.select({ grantId: creditEntries.grantId, sequence: creditEntries.sequence, eventType: creditEntries.eventType })
		.from(creditEntries)
		.where(eq(creditEntries.walletId, sql.placeholder("walletId")))
		.orderBy(desc(creditEntries.sequence))
		.limit(sql.placeholder("entries"))
		.as("newest");
	return tx
		.select(getTableColumns(creditGrants))
		.from(newest)
		.innerJoin(creditGrants, eq(creditGrants.id, newest.grantId))
		.where(sql`${newest.eventType} in ('CREDITS_CONSUMED', 'CREDITS_CONSUMPTION_TRANSFER_TARGET')`)
		.groupBy(creditGrants.id)
		.orderBy(desc(sql`max(${newest.sequence})`))
		.prepare();
};

/** Returns the last consumptions and reversals of a wallet, the newest first. Searches a bounded number of entries. */
export const newestConsumptions = (work: Work, walletId: string, rowsMax: number): CreditEntryRow[] =>
	work
		.prepared(newestEntries)
		.all({ walletId, rowsMax: rowsMax * entriesPerConsumption })
		.filter(({ eventType, featureId }) => eventType === "CREDITS_CONSUMED" || isReversal({ eventType, featureId }))
		.slice(0, rowsMax);

/** Nearly all entries are consumptions. */
const entriesPerConsumption = 10;

const newestEntries = (tx: Transaction) =>
	tx
		.select()
		.from(creditEntries)
		.where(eq(creditEntries.walletId, sql.placeholder("walletId")))
		.orderBy(desc(creditEntries.sequence))
		.limit(sql.placeholder("rowsMax"))
		.prepare();
