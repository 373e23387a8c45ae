import { eq, sql } from "drizzle-orm";
import { insertRows } from "../../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../../kernel/work";
import { creditReportDraws, type ReportChargeRow } from "./table";

export const selectReportCharge = (work: Work, reportId: string): ReportChargeRow | undefined =>
	work.prepared(ofReport).get({ reportId });

const ofReport = (tx: Transaction) =>
	tx
		.select()
		.from(creditReportDraws)
		.where(eq(creditReportDraws.reportId, sql.placeholder("reportId")))
		.prepare();

export const insertReportCharge = (work: Work, row: ReportChargeRow): void =>
	insertRows(work, creditReportDraws, [row]);
