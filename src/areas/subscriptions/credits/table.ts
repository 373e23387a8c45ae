import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { grantSources } from "../../credits/schema.values";
import { customCurrencies } from "../../currencies/table";
import { subscriptions } from "../table";
import type { CreditCycle } from "./rules";

/**
 * The recurring credits of a subscription, and the amount granted for the current period: so that each period is
 * granted once, and an increase adds the difference. Credit grants name the row as their source. The subscription that
 * replaces another takes its rows.
 */
export const subscriptionCredits = sqliteTable(
	"subscription_credits",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		currencyId: text("currency_id")
			.notNull()
			.references(() => customCurrencies.id),
		sourceType: text("source_type", { enum: grantSources }).notNull(),
		/** The caller's id of the addon that grants or sells them; empty for the plan and for the subscription itself. */
		addonRef: text("addon_ref").notNull(),
		cycle: text().notNull().$type<CreditCycle>(),
		periodStart: integer("period_start").notNull().$type<Instant>(),
		granted: text().notNull().$type<Decimal>(),
	},
	(table) => [
		uniqueIndex("subscription_credits_of").on(
			table.subscriptionId,
			table.currencyId,
			table.sourceType,
			table.addonRef,
			table.cycle,
		),
	],
);

export type SubscriptionCreditRow = typeof subscriptionCredits.$inferSelect;
