import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { budgetEntries } from "../../governance/table";
import type { MeterDefinition } from "../rules";

/**
 * The position in the event log up to which budgets count events. One row: id 1. The transaction that counts writes it, so each event
 * counts once, even if the process crashes.
 */
export const budgetEventCursor = sqliteTable("budget_event_cursor", {
	id: integer().primaryKey(),
	/** All events up to this position are counted. */
	countedTo: integer("counted_to").notNull(),
	/** The last processed cancellation. Counting skips events that were canceled up to it. */
	canceledTo: integer("canceled_to").notNull(),
});

/** The meters that counted events at budgets. A canceled event is reversed by the meter that counted it. */
export const budgetEventMeters = sqliteTable("budget_event_meters", {
	/** The id of the meter, which may not exist any more. */
	id: text().primaryKey(),
	definition: text({ mode: "json" }).notNull().$type<MeterDefinition>(),
});

/** The events that an entry of budgets counts: the events of one attribution in a part of the log and of the clock. */
export const budgetEventCounts = sqliteTable(
	"budget_event_counts",
	{
		entry: integer()
			.primaryKey()
			.references(() => budgetEntries.sequence),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		meterId: text("meter_id").notNull(),
		/** The positions of the events in the log; `after` is exclusive, `upTo` inclusive. A cancellation has the position of its event. */
		after: integer().notNull(),
		upTo: integer("up_to").notNull(),
		/** The last cancellation that the count follows. */
		canceledTo: integer("canceled_to").notNull(),
		/** Whether the entry reverses a canceled event. */
		isReversal: integer("is_reversal", { mode: "boolean" }).notNull(),
		/** The times of the events, half-open. */
		start: integer().notNull().$type<Instant>(),
		end: integer().notNull().$type<Instant>(),
		/** Dimensions and the row ids of the entities that they name; null for an absent dimension. */
		attribution: text({ mode: "json" }).notNull().$type<Array<[key: string, entityId: string | null]>>(),
	},
	(table) => [index("budget_event_counts_of").on(table.customerId, table.upTo)],
);

export type EventCountRow = typeof budgetEventCounts.$inferSelect;
