import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import { insertRows, saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { creditPricedUnits, creditReportDraws } from "./table";

const { placeholder } = sql;

/** Row ids, and the caller's id of the resource; empty for none. */
export interface PricedOf {
	readonly customerId: string;
	readonly featureId: string;
	readonly resourceRef: string;
	readonly periodStart: Instant;
}

const statements = (tx: Transaction) => ({
	units: tx
		.select({ units: creditPricedUnits.units })
		.from(creditPricedUnits)
		.where(
			and(
				eq(creditPricedUnits.customerId, placeholder("customerId")),
				eq(creditPricedUnits.featureId, placeholder("featureId")),
				eq(creditPricedUnits.resourceRef, placeholder("resourceRef")),
				eq(creditPricedUnits.periodStart, placeholder("periodStart")),
			),
		)
		.prepare(),
	ofReport: tx
		.select()
		.from(creditReportDraws)
		.where(eq(creditReportDraws.reportId, placeholder("reportId")))
		.prepare(),
});

export const selectPricedUnits = (work: Work, of: PricedOf): Decimal =>
	work.prepared(statements).units.get({ ...of })?.units ?? zero;

export const savePricedUnits = (work: Work, of: PricedOf, units: Decimal): void =>
	saveRow(work, creditPricedUnits, { ...of, units });

export const selectReportDraw = (work: Work, reportId: string): typeof creditReportDraws.$inferSelect | undefined =>
	work.prepared(statements).ofReport.get({ reportId });

export const insertReportDraw = (work: Work, row: typeof creditReportDraws.$inferSelect): void =>
	insertRows(work, creditReportDraws, [row]);
