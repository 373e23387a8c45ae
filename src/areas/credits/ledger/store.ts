import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { assert } from "../../../kernel/errors";
import { isOneOf } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import type { LedgerEventType } from "../schema.values";
import { type CreditEntryRow, creditEntries, creditWallets } from "../table";

/** Returns the position of a customer's entry in the ledger; undefined where the customer has no such entry. */
export const sequenceOf = (work: Work, customerId: string, id: string): number | undefined =>
	work.tx
		.select({ sequence: creditEntries.sequence })
		.from(creditEntries)
		.where(and(eq(creditEntries.id, id), eq(creditEntries.customerId, customerId)))
		.get()?.sequence;

/** The start, direction and size of a page of the ledger. */
export interface PageStart {
	/** Exclusive; undefined: the beginning of the list. */
	readonly sequence: number | undefined;
	/** Whether the page goes towards newer entries, the beginning of the list. */
	readonly isBackward: boolean;
	readonly rowsMax: number;
}

export interface EntryFilter {
	readonly customerId: string;
	/** Undefined: all wallets of the customer. */
	readonly walletIds: readonly string[] | undefined;
	/** Undefined: all types. */
	readonly eventTypes: readonly LedgerEventType[] | undefined;
}

/**
 * Returns the positions of a customer's entries in the ledger, the newest first. The cost does not grow with the ledger: it reads
 * the index of the customer or of each wallet. Without consumptions, it merges the entries of the rare types.
 */
export function selectSequences(work: Work, asked: EntryFilter & PageStart): number[] {
	const { customerId, walletIds, eventTypes, isBackward, rowsMax } = asked;
	const parts = eventTypes && !eventTypes.includes("CREDITS_CONSUMED") ? rareParts(asked, eventTypes) : undefined;
	const ofTypes = eventTypes && inArray(creditEntries.eventType, [...eventTypes]);
	const found = (
		parts ??
		(walletIds === undefined
			? [and(eq(creditEntries.customerId, customerId), ofTypes)]
			: newestWallets(work, asked, walletIds, ofTypes).map((id) => and(eq(creditEntries.walletId, id), ofTypes)))
	).flatMap((part) => sequencesOf(work, part, asked));
	const direction = isBackward ? 1 : -1;
	return found.sort((one, other) => direction * (one - other)).slice(0, rowsMax);
}

/** Returns the entries at these positions, in this order. */
export function selectEntries(work: Work, sequences: readonly number[]): CreditEntryRow[] {
	if (sequences.length === 0) return [];
	const found = new Map(
		work.tx
			.select()
			.from(creditEntries)
			.where(inArray(creditEntries.sequence, [...sequences]))
			.all()
			.map((entry) => [entry.sequence, entry]),
	);
	return sequences.map((sequence) => {
		const entry = found.get(sequence);
		assert(entry, "entries are never deleted");
		return entry;
	});
}

/** Sums the stored entry counts of at most `walletsMax` wallets. */
export function storedEntryCount(work: Work, { customerId, walletIds }: EntryFilter, walletsMax: number) {
	const of = and(eq(creditWallets.customerId, customerId), walletIds && isOneOf(creditWallets.id, walletIds));
	const counted = sql`select count(*), coalesce(sum(entry_count), 0)
		from (select entry_count from ${creditWallets} where ${of} limit ${walletsMax})`;
	const [wallets, entries] = work.tx.values<[number, number]>(counted)[0] ?? [0, 0];
	return { wallets, entries };
}

/** Counts the entries of rare types, at most `rowsMax`. */
export function countRare(
	work: Work,
	asked: EntryFilter,
	eventTypes: readonly LedgerEventType[],
	rowsMax: number,
): number {
	const parts = or(...rareParts(asked, eventTypes));
	const counted = sql`select count(*) from (select 1 from ${creditEntries} where ${parts} limit ${rowsMax})`;
	return eventTypes.length === 0 ? 0 : (work.tx.values<[number]>(counted)[0]?.[0] ?? 0);
}

const rareParts = (
	{ customerId, walletIds }: EntryFilter,
	eventTypes: readonly LedgerEventType[],
): Array<SQL | undefined> =>
	[...new Set(eventTypes)].map((eventType) =>
		and(
			eq(creditEntries.customerId, customerId),
			eq(creditEntries.eventType, eventType),
			// The condition of the index.
			sql`event_type <> 'CREDITS_CONSUMED'`,
			// The plus excludes the index of wallets.
			walletIds && sql`+${creditEntries.walletId} in (select value from json_each(${JSON.stringify(walletIds)}))`,
		),
	);

const sequencesOf = (work: Work, part: SQL | undefined, place: PageStart): number[] =>
	work.tx
		.select({ sequence: creditEntries.sequence })
		.from(creditEntries)
		.where(and(part, beyond(place)))
		.orderBy(place.isBackward ? sql`${creditEntries.sequence} asc` : sql`${creditEntries.sequence} desc`)
		.limit(place.rowsMax)
		.all()
		.map(({ sequence }) => sequence);

const beyond = ({ sequence, isBackward }: PageStart): SQL | undefined =>
	sequence === undefined
		? undefined
		: isBackward
			? sql`${creditEntries.sequence} > ${sequence}`
			: sql`${creditEntries.sequence} < ${sequence}`;

/** Returns the wallets whose entries can be on the page: at most one for each row, those with the first entries. */
function newestWallets(
	work: Work,
	place: PageStart,
	walletIds: readonly string[],
	ofTypes: SQL | undefined,
): readonly string[] {
	if (walletIds.length <= place.rowsMax) return walletIds;
	const order = place.isBackward ? sql`asc` : sql`desc`;
	const ofWallet = and(sql`${creditEntries.walletId} = wallets.value`, beyond(place), ofTypes);
	const first = sql`(select ${creditEntries.sequence} from ${creditEntries} where ${ofWallet}
		order by ${creditEntries.sequence} ${order} limit 1)`;
	return work.tx
		.values<[string]>(
			sql`select id from (select wallets.value as id, ${first} as first
				from json_each(${JSON.stringify(walletIds)}) as wallets)
				where first is not null order by first ${order} limit ${place.rowsMax}`,
		)
		.map(([id]) => id);
}
