import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { AppliedTax } from "../../pricing/tax";
import { subscriptions } from "../table";

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
		/** The taxes that were charged on it; null: none, or a percentage of the subscription. */
		taxes: text({ mode: "json" }).$type<readonly AppliedTax[]>(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.chargedFrom] })],
);

export type SubscriptionUnspentMinimumRow = typeof subscriptionUnspentMinimums.$inferSelect;
