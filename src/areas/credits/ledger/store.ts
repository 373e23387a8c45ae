import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { assert } from "../../../kernel/errors";
import { isOneOf } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import type { LedgerEventType } from "../schema.values";
import { type CreditEntryRow, creditEntries, creditWallets } from "../table";

/** The place of a customer's entry in the ledger; undefined where the customer has none of that id. */
export const sequenceOf = (work: Work, customerId: string, id: string): number | undefined =>
	work.tx
		.select({ sequence: creditEntries.sequence })
		.from(creditEntries)
		.where(and(eq(creditEntries.id, id), eq(creditEntries.customerId, customerId)))
		.get()?.sequence;

/** Where in the ledger a page begins, and how far it goes. */
export interface Place {
	/** Exclusive; undefined: from the beginning of the list. */
	readonly sequence: number | undefined;
	/** From there back to the beginning of the list, to newer entries. */
	readonly isBackward: boolean;
	readonly rowsMax: number;
}

export interface EntriesAsked {
	readonly customerId: string;
	/** Undefined: all of the customer's. */
	readonly walletIds: readonly string[] | undefined;
	/** Undefined: all types. */
	readonly eventTypes: readonly LedgerEventType[] | undefined;
}

/**
 * Where entries of a customer stand in the ledger, the newest first, in steps along indexes that do not grow with it: those of
 * the customer or of each of its wallets, and where consumption is not asked for those of the types that are rare, merged.
 */
export function selectSequences(work: Work, asked: EntriesAsked & Place): number[] {
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

/** Entries at their places in the ledger, in that order. */
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
		assert(entry, "an entry that was found in this transaction is there");
		return entry;
	});
}

/** What is kept of how many entries wallets have; of the first so many wallets. */
export function keptCount(work: Work, { customerId, walletIds }: EntriesAsked, walletsMax: number) {
	const of = and(eq(creditWallets.customerId, customerId), walletIds && isOneOf(creditWallets.id, walletIds));
	const counted = sql`select count(*), coalesce(sum(entry_count), 0)
		from (select entry_count from ${creditWallets} where ${of} limit ${walletsMax})`;
	const [wallets, entries] = work.tx.values<[number, number]>(counted)[0] ?? [0, 0];
	return { wallets, entries };
}

/** How many entries are of types that are rare, up to so many. */
export function countRare(
	work: Work,
	asked: EntriesAsked,
	eventTypes: readonly LedgerEventType[],
	rowsMax: number,
): number {
	const parts = or(...rareParts(asked, eventTypes));
	const counted = sql`select count(*) from (select 1 from ${creditEntries} where ${parts} limit ${rowsMax})`;
	return eventTypes.length === 0 ? 0 : (work.tx.values<[number]>(counted)[0]?.[0] ?? 0);
}

const rareParts = (
	{ customerId, walletIds }: EntriesAsked,
	eventTypes: readonly LedgerEventType[],
): Array<SQL | undefined> =>
	[...new Set(eventTypes)].map((eventType) =>
		and(
			eq(creditEntries.customerId, customerId),
			eq(creditEntries.eventType, eventType),
			// As the index says it, which holds no other.
			sql`event_type <> 'CREDITS_CONSUMED'`,
			// The plus keeps the wallets' index out of it.
			walletIds && sql`+${creditEntries.walletId} in (select value from json_each(${JSON.stringify(walletIds)}))`,
		),
	);

const sequencesOf = (work: Work, part: SQL | undefined, place: Place): number[] =>
	work.tx
		.select({ sequence: creditEntries.sequence })
		.from(creditEntries)
		.where(and(part, beyond(place)))
		.orderBy(place.isBackward ? sql`${creditEntries.sequence} asc` : sql`${creditEntries.sequence} desc`)
		.limit(place.rowsMax)
		.all()
		.map(({ sequence }) => sequence);

const beyond = ({ sequence, isBackward }: Place): SQL | undefined =>
	sequence === undefined
		? undefined
		: isBackward
			? sql`${creditEntries.sequence} > ${sequence}`
			: sql`${creditEntries.sequence} < ${sequence}`;

/** A page of so many rows has no entry of more wallets than that: of those whose first entry comes first. */
function newestWallets(
	work: Work,
	place: Place,
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
