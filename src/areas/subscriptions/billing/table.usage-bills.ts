import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { features } from "../../features/table";
import type { ChargeItem } from "../../pricing/rate";
import { subscriptions } from "../table";

/**
 * The billed on-demand usage of each price and window. The next bill charges the price of the whole window, minus the
 * price of this quantity.
 */
export const subscriptionUsageBills = sqliteTable(
	"subscription_usage_bills",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** "usage" for pay-as-you-go, "overage" for usage beyond a limit. */
		kind: text().notNull().$type<"usage" | "overage">(),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		windowStart: integer("window_start").notNull().$type<Instant>(),
		/**
		 * The end of the counted part. Null in rows of releases that did not store it; those rows are never checked again.
		 */
		windowEnd: integer("window_end").$type<Instant>(),
		/** In reported units, before any unit transformation. */
		quantity: text().notNull().$type<Decimal>(),
		/** The number of events in the window when it was counted. The same number later means no late usage. */
		events: integer(),
		/** For time-weighted usage, the length of the price's whole period, of which the window may be a part. */
		averagedOverMs: integer("averaged_over_ms"),
		/** The prices, in `subscription_usage_prices`; null: not billed here, only counted against the limit. */
		pricesId: text("prices_id"),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.kind, table.featureId, table.windowStart] })],
);

export type SubscriptionUsageBillRow = typeof subscriptionUsageBills.$inferSelect;

/** A price of usage in a bill, without the quantity. */
export type UsagePrice = Omit<ChargeItem, "quantity" | "billed" | "period">;

/**
 * The price sets that usage was billed at, each stored once. Late usage is billed at the prices of its own window. Rows
 * are never changed or deleted.
 */
export const subscriptionUsagePrices = sqliteTable(
	"subscription_usage_prices",
	{
		environmentId: text("environment_id").notNull(),
		/** SHA-256 of the prices as JSON. */
		id: text().notNull(),
		prices: text({ mode: "json" }).notNull().$type<readonly UsagePrice[]>(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.id] })],
);

/**
 * The number of events before the open windows at the last bill. If it has grown by the next bill, some events were
 * late, and only then closed windows are checked.
 */
export const subscriptionUsageMarks = sqliteTable(
	"subscription_usage_marks",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		kind: text().notNull().$type<SubscriptionUsageBillRow["kind"]>(),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		/** Windows that start before this are closed. */
		closedUntil: integer("closed_until").notNull().$type<Instant>(),
		/** Events before `closedUntil`. */
		events: integer().notNull(),
		/** The meter that counted them; null: none. Counts of another meter are not comparable. */
		meterId: text("meter_id"),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.kind, table.featureId] })],
);

export type SubscriptionUsageMarkRow = typeof subscriptionUsageMarks.$inferSelect;

/**
 * The unused minimum spend of a charged period, which late usage of that period can use. The start of the charge
 * identifies the period: two billing periods may start at the same instant (a month that became a year, both counted
 * from the first of the month), two charges cannot. The columns keep the names of the first release, which stored whole
 * periods.
 */
export const subscriptionUnspentMinimums = sqliteTable(
	"subscription_unspent_minimums",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		chargedFrom: integer("period_start").notNull().$type<Instant>(),
		chargedUntil: integer("period_end").notNull().$type<Instant>(),
		currency: text().notNull(),
		/** In whole minor units of the currency, before discount and tax. */
		amount: text().notNull().$type<Decimal>(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.chargedFrom] })],
);

export type SubscriptionUnspentMinimumRow = typeof subscriptionUnspentMinimums.$inferSelect;
