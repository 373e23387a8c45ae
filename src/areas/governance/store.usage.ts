import { and, eq, lte, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import { type BudgetCounterRow, type BudgetHoldRow, budgetCounters, budgetEntries, budgetHolds } from "./table";

const { placeholder } = sql;

// Each use with budgets runs these at each level, so each connection prepares them once.
const statements = (tx: Transaction) => ({
	counter: tx
		.select()
		.from(budgetCounters)
		.where(
			and(
				eq(budgetCounters.assignmentId, placeholder("assignmentId")),
				eq(budgetCounters.windowStart, placeholder("windowStart")),
				eq(budgetCounters.cadence, placeholder("cadence")),
			),
		)
		.prepare(),
	counterById: tx
		.select()
		.from(budgetCounters)
		.where(eq(budgetCounters.id, placeholder("id")))
		.prepare(),
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

const writes = (tx: Transaction) => ({
	insertCounter: tx
		.insert(budgetCounters)
		.values({
			customerId: placeholder("customerId"),
			assignmentId: placeholder("assignmentId"),
			cadence: placeholder("cadence"),
			windowStart: placeholder("windowStart"),
			windowEnd: placeholder("windowEnd"),
			used: zero,
			reserved: zero,
		})
		.returning()
		.prepare(),
	saveUsed: tx
		.update(budgetCounters)
		.set({ used: sql`${placeholder("used")}` })
		.where(eq(budgetCounters.id, placeholder("id")))
		.prepare(),
	saveRaised: tx
		.update(budgetCounters)
		.set({ raised: sql`${placeholder("raised")}` })
		.where(eq(budgetCounters.id, placeholder("id")))
		.prepare(),
	saveExceeded: tx
		.update(budgetCounters)
		.set({ exceededAt: sql`${placeholder("exceededAt")}` })
		.where(eq(budgetCounters.id, placeholder("id")))
		.prepare(),
	saveReserved: tx
		.update(budgetCounters)
		.set({ reserved: sql`${placeholder("reserved")}` })
		.where(eq(budgetCounters.id, placeholder("id")))
		.prepare(),
	saveEntryAmount: tx
		.update(budgetEntries)
		.set({ amount: sql`${placeholder("amount")}` })
		.where(eq(budgetEntries.sequence, placeholder("sequence")))
		.prepare(),
	addEntry: tx
		.insert(budgetEntries)
		.values({
			customerId: placeholder("customerId"),
			capabilityId: placeholder("capabilityId"),
			sourceId: placeholder("sourceId"),
			amount: placeholder("amount"),
			counters: placeholder("counters"),
		})
		.returning({ sequence: budgetEntries.sequence })
		.prepare(),
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

/** A budget, by its row id and the cadence that its windows have now. */
interface Counting {
	readonly id: string;
	readonly cadence: string;
}

/** Returns the counter of a window; undefined before its first usage. */
export const findCounter = (
	work: Work,
	{ id: assignmentId, cadence }: Counting,
	{ start: windowStart }: Period,
): BudgetCounterRow | undefined => work.prepared(statements).counter.get({ assignmentId, cadence, windowStart });

/** Returns the counter of a window of a customer (row id), and creates it at its first usage. */
export const openCounter = (work: Work, customerId: string, budget: Counting, window: Period): BudgetCounterRow =>
	findCounter(work, budget, window) ??
	work.prepared(writes).insertCounter.get({
		...{ customerId, assignmentId: budget.id, cadence: budget.cadence },
		...{ windowStart: window.start, windowEnd: window.end },
	});

export const selectCounter = (work: Work, id: number): BudgetCounterRow | undefined =>
	work.prepared(statements).counterById.get({ id });

export const saveUsed = (work: Work, id: number, used: Decimal): void => {
	work.prepared(writes).saveUsed.run({ id, used });
};

export const saveReserved = (work: Work, id: number, reserved: Decimal): void => {
	work.prepared(writes).saveReserved.run({ id, reserved });
};

export const saveRaised = (work: Work, id: number, raised: Decimal): void => {
	work.prepared(writes).saveRaised.run({ id, raised });
};

export const saveExceeded = (work: Work, id: number, exceededAt: Instant): void => {
	work.prepared(writes).saveExceeded.run({ id, exceededAt });
};

/** For repairs: entries do not change otherwise. */
export const saveEntryAmount = (work: Work, sequence: number, amount: Decimal): void => {
	work.prepared(writes).saveEntryAmount.run({ sequence, amount });
};

type NewEntry = Omit<typeof budgetEntries.$inferSelect, "sequence">;

/** Returns the sequence of the new entry. */
export const addEntry = (work: Work, entry: NewEntry): number =>
	work.prepared(writes).addEntry.get({ ...entry }).sequence;

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
