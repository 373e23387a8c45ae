import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../../kernel/clock";
import type { Decimal } from "../../../../kernel/decimal";
import type { EventPricing } from "./rules";

/**
 * Up to which event of the log credits were taken. One row: id 1. Written in the transaction that takes them, so that each
 * event takes its credits once, whatever becomes of the process.
 */
export const creditEventCursor = sqliteTable("credit_event_cursor", {
	id: integer().primaryKey(),
	/** All events up to this position have taken what they cost. */
	takenTo: integer("taken_to").notNull(),
	/** The events after it, up to this position, are being worked through, customer by customer. */
	stepTo: integer("step_to").notNull(),
	/** The last customer (`event_customers.id`) whose events of the step have taken what they cost; 0 for none. */
	customerTo: integer("customer_to").notNull(),
	/** The last cancellation that was followed. The step passes over events that were canceled up to it. */
	canceledTo: integer("canceled_to").notNull(),
});

/** By what events were priced: the meter and the rate as they were then. What is canceled later is worth what it was then. */
export const creditEventPricings = sqliteTable("credit_event_pricings", {
	/** A hash of the content. */
	id: text().primaryKey(),
	pricing: text({ mode: "json" }).notNull().$type<EventPricing>(),
});

/** What events took: one of them, or many of one customer, feature and hour that came close together. */
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
		/** In which hour (since the epoch, UTC) the events lie. */
		hour: integer().notNull(),
		/** The earliest and the latest of their times. */
		firstAt: integer("first_at").notNull().$type<Instant>(),
		lastAt: integer("last_at").notNull().$type<Instant>(),
		/** They lie in the log after the one position, up to the other. */
		after: integer().notNull(),
		upTo: integer("up_to").notNull(),
		pricingId: text("pricing_id").notNull(),
		/** Of the usage period, where units are priced by whole ones (`credit_priced_units`). */
		periodStart: integer("period_start").$type<Instant>(),
		/** How many events cost anything, and what they came to in the units that are counted; null where a formula prices each. */
		events: integer().notNull(),
		units: text().$type<Decimal>(),
		amount: text().notNull().$type<Decimal>(),
	},
	(table) => [index("credit_event_draws_of").on(table.customerId, table.hour, table.upTo)],
);

export type CreditEventDrawRow = typeof creditEventDraws.$inferSelect;

/** Events of customers whose turn failed: they are tried again at growing pauses, and hold up nobody else. */
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

export type CreditEventsLeftRow = typeof creditEventsLeft.$inferSelect;
