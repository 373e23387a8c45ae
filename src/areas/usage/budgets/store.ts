import { and, asc, eq, gt, gte, or, sql } from "drizzle-orm";
import { insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { meters } from "../../features/table";
import { budgetEntries, budgetNodes, entityTypes } from "../../governance/table";
import type { MeterDefinition } from "../rules";
import { budgetEventCounts, budgetEventCursor, budgetEventMeters, type EventCountRow } from "./table";

const { placeholder } = sql;

const cursorId = 1;

const statements = (tx: Transaction) => ({
	cursor: tx.select().from(budgetEventCursor).where(eq(budgetEventCursor.id, cursorId)).prepare(),
	meter: tx
		.select({ definition: budgetEventMeters.definition })
		.from(budgetEventMeters)
		.where(eq(budgetEventMeters.id, placeholder("id")))
		.prepare(),
	insertCount: tx
		.insert(budgetEventCounts)
		.values({
			entry: placeholder("entry"),
			environmentId: placeholder("environmentId"),
			customerId: placeholder("customerId"),
			meterId: placeholder("meterId"),
			after: placeholder("after"),
			upTo: placeholder("upTo"),
			canceledTo: placeholder("canceledTo"),
			isReversal: placeholder("isReversal"),
			start: placeholder("start"),
			end: placeholder("end"),
			attribution: placeholder("attribution"),
		})
		.prepare(),
	countsFrom: tx
		.select(counted)
		.from(budgetEventCounts)
		.innerJoin(budgetEntries, eq(budgetEntries.sequence, budgetEventCounts.entry))
		.where(
			and(
				eq(budgetEventCounts.customerId, placeholder("customerId")),
				gte(budgetEventCounts.upTo, placeholder("position")),
				eq(budgetEventCounts.isReversal, false),
			),
		)
		.orderBy(asc(budgetEventCounts.upTo), asc(budgetEventCounts.entry))
		.limit(placeholder("rowsMax"))
		.prepare(),
	countsAfter: tx
		.select(counted)
		.from(budgetEventCounts)
		.innerJoin(budgetEntries, eq(budgetEntries.sequence, budgetEventCounts.entry))
		.where(
			and(
				gt(budgetEventCounts.entry, placeholder("after")),
				eq(budgetEventCounts.environmentId, placeholder("environmentId")),
			),
		)
		.orderBy(asc(budgetEventCounts.entry))
		.limit(placeholder("rowsMax"))
		.prepare(),
});

const counted = { count: budgetEventCounts, entry: budgetEntries };

/** An entry of events with its place in the log. */
export interface CountedEntry {
	readonly count: EventCountRow;
	readonly entry: typeof budgetEntries.$inferSelect;
}

export type BudgetCursor = Omit<typeof budgetEventCursor.$inferSelect, "id">;

/** Undefined before the first start. */
export function readCursor(work: Work): BudgetCursor | undefined {
	const row = work.prepared(statements).cursor.get();
	return row && { countedTo: row.countedTo, canceledTo: row.canceledTo };
}

export function writeCursor(work: Work, cursor: BudgetCursor): void {
	work.tx
		.insert(budgetEventCursor)
		.values({ id: cursorId, ...cursor })
		.onConflictDoUpdate({ target: budgetEventCursor.id, set: { ...cursor } })
		.run();
}

const governedEnvironments = (tx: Transaction) =>
	tx
		.selectDistinct({ id: meters.environmentId })
		.from(meters)
		.where(
			or(
				sql`exists (select 1 from ${budgetNodes} where ${budgetNodes.capabilityId} = ${meters.featureId})`,
				sql`exists (select 1 from ${entityTypes} where ${entityTypes.environmentId} = ${meters.environmentId} and ${entityTypes.createsEntities})`,
			),
		)
		.prepare();

/**
 * Returns the environments with budgets for features that a meter counts, or with templates of budgets. Cached until meters, entity types or
 * places of budgets change.
 */
export const selectGovernedEnvironments = (work: Work): string[] =>
	work
		.remembered(governedEnvironments)
		.all()
		.map(({ id }) => id);

export const findMeter = (work: Work, id: string): MeterDefinition | undefined =>
	work.prepared(statements).meter.get({ id })?.definition;

export function storeMeter(work: Work, id: string, definition: MeterDefinition): void {
	if (!findMeter(work, id)) insertRow(work, budgetEventMeters, { id, definition });
}

export const insertCount = (work: Work, row: EventCountRow): void => {
	work.prepared(statements).insertCount.run({ ...row });
};

/** Returns entries that may count an event of a customer, from the first step that ends at its position or later. */
export const countsFrom = (work: Work, customerId: string, position: number, rowsMax: number): CountedEntry[] =>
	work.prepared(statements).countsFrom.all({ customerId, position, rowsMax });

/** Returns the entries of the environment after one, in their order. */
export const countsAfter = (work: Work, after: number, rowsMax: number): CountedEntry[] =>
	work.prepared(statements).countsAfter.all({ after, environmentId: work.actor.environmentId, rowsMax });
