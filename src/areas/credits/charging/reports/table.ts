import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Decimal } from "../../../../kernel/decimal";

/** The credits that each report of usage consumed: a repeated report returns the same answer. */
export const creditReportDraws = sqliteTable("credit_report_draws", {
	reportId: text("report_id").primaryKey(),
	walletId: text("wallet_id").notNull(),
	consumed: text().notNull().$type<Decimal>(),
});

export type ReportChargeRow = typeof creditReportDraws.$inferSelect;
