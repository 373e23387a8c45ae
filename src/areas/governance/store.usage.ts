import { and, eq, lte, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Transaction, Work } from "../../kernel/work";
import { type BudgetHoldRow, budgetEntries, budgetHolds } from "./table";

const { placeholder } = sql;

// Each use with budgets runs these at each level, so each connection prepares them once.
const statements = (tx: Transaction) => ({
	heldUntil: tx
		.select()
		.from(budgetHolds)
		.where(and(eq(budgetHolds.customerId, placeholder("customerId")), lte(budgetHolds.expiresAt, placeholder("until"))))
		.prepare(),
	nextExpiry: tx
		.select({ at: sql<Instant | null>`min(${budgetHolds.expiresAt})` })
		.from(budgetHolds)
		.where(
			and(eq(budgetHolds.customerId, placeholder("customerId")), sql`${budgetHolds.expiresAt} > ${placeholder("now")}`),
		)
		.prepare(),
	holdsOf: tx
		.select()
		.from(budgetHolds)
		.where(eq(budgetHolds.reservationId, placeholder("reservationId")))
		.prepare(),
});

const entryInsert = (tx: Transaction) =>
	tx.insert(budgetEntries).values({
		customerId: placeholder("customerId"),
		capabilityId: placeholder("capabilityId"),
		sourceId: placeholder("sourceId"),
		amount: placeholder("amount"),
		counters: placeholder("counters"),
	});

const writes = (tx: Transaction) => ({
	saveEntryAmount: tx
		.update(budgetEntries)
		.set({ amount: sql`${placeholder("amount")}` })
		.where(eq(budgetEntries.sequence, placeholder("sequence")))
		.prepare(),
	addEntry: entryInsert(tx).prepare(),
	addNumberedEntry: entryInsert(tx).returning({ sequence: budgetEntries.sequence }).prepare(),
	insertHold: tx
		.insert(budgetHolds)
		.values({
			reservationId: placeholder("reservationId"),
			capabilityId: placeholder("capabilityId"),
			customerId: placeholder("customerId"),
			amount: placeholder("amount"),
			expiresAt: placeholder("expiresAt"),
			counters: placeholder("counters"),
		})
		.prepare(),
	deleteHold: tx
		.delete(budgetHolds)
		.where(
			and(
				eq(budgetHolds.reservationId, placeholder("reservationId")),
				eq(budgetHolds.capabilityId, placeholder("capabilityId")),
			),
		)
		.prepare(),
});

/** For repairs: entries do not change otherwise. */
export const saveEntryAmount = (work: Work, sequence: number, amount: Decimal): void => {
	work.prepared(writes).saveEntryAmount.run({ sequence, amount });
};

type NewEntry = Omit<typeof budgetEntries.$inferSelect, "sequence">;

/** Each use with budgets adds one. Without its sequence, it takes half the time. */
export const addEntry = (work: Work, entry: NewEntry): void => {
	work.prepared(writes).addEntry.run({ ...entry });
};

/** Returns the sequence of the new entry. */
export const addNumberedEntry = (work: Work, entry: NewEntry): number =>
	work.prepared(writes).addNumberedEntry.get({ ...entry }).sequence;

/** Returns the holds of a customer that have expired. They do not count, although the counters still include them. */
export const selectExpiredHolds = (work: Work, customerId: string): BudgetHoldRow[] =>
	work.prepared(statements).heldUntil.all({ customerId, until: work.now });

/** Returns when the next hold of a customer expires. */
export const nextExpiryOf = (work: Work, customerId: string): Instant | null =>
	work.prepared(statements).nextExpiry.get({ customerId, now: work.now })?.at ?? null;

export const selectHolds = (work: Work, reservationId: string): BudgetHoldRow[] =>
	work.prepared(statements).holdsOf.all({ reservationId });

export const insertHold = (work: Work, hold: BudgetHoldRow): void => {
	work.prepared(writes).insertHold.run({ ...hold });
};

export const deleteHold = (work: Work, { reservationId, capabilityId }: BudgetHoldRow): void => {
	work.prepared(writes).deleteHold.run({ reservationId, capabilityId });
};
