import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/**
 * The customers that events name, by a small number: a row of the log carries it in place of two ids. A row whose
 * `customerId` is null stands for a customer that did not exist when its first event came.
 */
export const eventCustomers = sqliteTable(
	"event_customers",
	{
		id: integer().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerRef: text("customer_ref").notNull(),
		customerId: text("customer_id"),
	},
	(table) => [index("event_customers_ref").on(table.environmentId, table.customerRef)],
);

/**
 * The log of raw events: rows are added at the end and never changed. It has no index but its row id: an index over the
 * events' random keys would be what ingest waits for (docs/interface/running.md). Duplicates are found by `event_commits`.
 */
export const events = sqliteTable("events", {
	id: integer().primaryKey(),
	/** `event_customers.id` */
	customer: integer().notNull(),
	resourceRef: text("resource_ref"),
	eventName: text("event_name").notNull(),
	idempotencyKey: text("idempotency_key").notNull(),
	at: integer().notNull().$type<Instant>(),
	/** JSON, string to string, number or boolean; null when the event has none. */
	dimensions: text(),
});

/** One row for each commit of the log: the fingerprints of its events, in the order of their row ids, 8 bytes each. */
export const eventCommits = sqliteTable("event_commits", {
	/** Row id of the commit's first event; the others follow without a gap. */
	firstEvent: integer("first_event").primaryKey(),
	fingerprints: blob({ mode: "buffer" }).notNull(),
});
