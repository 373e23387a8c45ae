import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { grantSources } from "../../credits/schema.values";
import { customCurrencies } from "../../currencies/table";
import { subscriptions } from "../table";
import type { CreditCycle } from "./rules";

/**
 * What a subscription hands out in credits, and how much of it for the period that runs: so that each period is granted once,
 * and an increase adds the difference. Credit grants name it as their source. What takes a subscription's place has its rows
 * from then on.
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
