import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { features } from "../../features/table";
import type { ChargeItem } from "../../pricing/rate";
import { subscriptions } from "../table";

/**
 * How much on-demand usage has been billed, for each thing that is priced and each window in which it is counted: what is
 * billed next is what the whole window costs, less what this much of it cost.
 */
export const subscriptionUsageBills = sqliteTable(
	"subscription_usage_bills",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** "usage" for pay-as-you-go, "overage" for what lies beyond a limit. */
		kind: text().notNull().$type<"usage" | "overage">(),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		windowStart: integer("window_start").notNull().$type<Instant>(),
		/** As far as it was counted. Null in rows of releases that did not keep it: these are never looked at again. */
		windowEnd: integer("window_end").$type<Instant>(),
		/** As it was reported, before any unit transformation. */
		quantity: text().notNull().$type<Decimal>(),
		/** How many events the window had when it was counted: as long as they are the same, nothing came late. */
		events: integer(),
		/** Of usage that is averaged by time: how long the price's whole period is, of which the window may be a part. */
		averagedOverMs: integer("averaged_over_ms"),
		/** At which prices, in `subscription_usage_prices`; null: it is not billed here, it only counts against the limit. */
		pricesId: text("prices_id"),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.kind, table.featureId, table.windowStart] })],
);

export type SubscriptionUsageBillRow = typeof subscriptionUsageBills.$inferSelect;

/** A price of usage as a bill has it, without the quantity. */
export type UsagePrice = Omit<ChargeItem, "quantity" | "billed" | "period">;

/**
 * The prices that usage was billed at, each set of them once: what is reported late is billed at the prices of its own
 * window, whatever has changed since. Never changed, never deleted.
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
 * How many events lay before the windows that are still open, when usage was billed last: when there are more of them by the
 * next bill, some were reported late, and only then are closed windows looked at.
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
		/** Windows that begin before this are closed. */
		closedUntil: integer("closed_until").notNull().$type<Instant>(),
		/** Events before `closedUntil`. */
		events: integer().notNull(),
		/** The meter that counted them; null: there was none. Another meter's counts cannot be compared. */
		meterId: text("meter_id"),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.kind, table.featureId] })],
);

export type SubscriptionUsageMarkRow = typeof subscriptionUsageMarks.$inferSelect;

/**
 * What the usage of a time that was charged has left of the minimum spend that was paid for it: usage of that time that is
 * reported late draws on it. A time is known by when its charge began: two billing periods may begin at the same instant (a
 * month that became a year, both counted from the first of the month), two charges do not. The columns have the names of the
 * first release, which kept the whole periods.
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
