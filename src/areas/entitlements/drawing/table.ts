import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";

/**
 * How much of a feature has cost credits in one usage period, where it is priced by whole units or blocks: what was begun is
 * paid once. Written with the draw. What takes usage back is not taken off.
 */
export const creditPricedUnits = sqliteTable(
	"credit_priced_units",
	{
		customerId: text("customer_id").notNull(),
		featureId: text("feature_id").notNull(),
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		/** Of the usage period; 0 where usage never starts again. */
		periodStart: integer("period_start").notNull().$type<Instant>(),
		/** In the units that are counted. */
		units: text().notNull().$type<Decimal>(),
	},
	(table) => [primaryKey({ columns: [table.customerId, table.featureId, table.resourceRef, table.periodStart] })],
);

/** What reports of usage have drawn: a report that is repeated answers it again. */
export const creditReportDraws = sqliteTable("credit_report_draws", {
	reportId: text("report_id").primaryKey(),
	walletId: text("wallet_id").notNull(),
	consumed: text().notNull().$type<Decimal>(),
});
