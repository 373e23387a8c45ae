import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../../kernel/clock";
import type { Decimal } from "../../../../kernel/decimal";
import type { EventPricing } from "./rules";

/**
 * The position in the event log up to which events are charged. One row: id 1. The transaction that consumes the credits writes it,
 * so each event is charged once, even if the process crashes.
 */
export const creditEventCursor = sqliteTable("credit_event_cursor", {
	id: integer().primaryKey(),
	/** All events up to this position are charged. */
	takenTo: integer("taken_to").notNull(),
	/** The end of the current step, whose events are charged customer by customer. */
	stepTo: integer("step_to").notNull(),
	/** The last customer (`event_customers.id`) whose events of the step are charged; 0 for none. */
	customerTo: integer("customer_to").notNull(),
	/** The last processed cancellation. The step skips events that were canceled up to it. */
	canceledTo: integer("canceled_to").notNull(),
});

/** The meter and the rate that priced events. A later cancellation releases credits by the same pricing. */
export const creditEventPricings = sqliteTable("credit_event_pricings", {
	/** A hash of the content. */
	id: text().primaryKey(),
	pricing: text({ mode: "json" }).notNull().$type<EventPricing>(),
});

/** Charges for events: for one event, or for many events of one customer, feature and hour in one step. */
export const creditEventDraws = sqliteTable(
	"credit_event_draws",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		walletId: text("wallet_id").notNull(),
		featureId: text("feature_id").notNull(),
		/** The caller's id of the resource that the events name; empty for none. */
		resourceRef: text("resource_ref").notNull(),
		/** The hour of the events, counted since the epoch, UTC. */
		hour: integer().notNull(),
		/** The earliest and the latest of their times. */
		firstAt: integer("first_at").notNull().$type<Instant>(),
		lastAt: integer("last_at").notNull().$type<Instant>(),
		/** The positions of the events in the log; `after` is exclusive, `upTo` inclusive. */
		after: integer().notNull(),
		upTo: integer("up_to").notNull(),
		pricingId: text("pricing_id").notNull(),
		/** The start of the usage period, where whole units are priced (`credit_priced_units`). */
		periodStart: integer("period_start").$type<Instant>(),
		/** The number of priced events, and their total in counted units; null where a formula prices each event. */
		events: integer().notNull(),
		units: text().$type<Decimal>(),
		amount: text().notNull().$type<Decimal>(),
	},
	(table) => [index("credit_event_draws_of").on(table.customerId, table.hour, table.upTo)],
);

export type EventChargeRow = typeof creditEventDraws.$inferSelect;

/** Events of customers whose charging failed. They are retried at growing pauses, and delay no other customer. */
export const creditEventsLeft = sqliteTable(
	"credit_events_left",
	{
		id: text().primaryKey(),
		/** `event_customers.id` */
		customer: integer().notNull(),
		after: integer().notNull(),
		upTo: integer("up_to").notNull(),
		attempts: integer().notNull(),
		/** By the machine's clock. */
		retryAt: integer("retry_at").notNull().$type<Instant>(),
	},
	(table) => [index("credit_events_left_due").on(table.retryAt)],
);

export type EventRetryRow = typeof creditEventsLeft.$inferSelect;
