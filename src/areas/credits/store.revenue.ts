import { and, eq, sql } from "drizzle-orm";
import { plus } from "../../kernel/decimal";
import { saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { nothing, type RevenueDay, revenueStart } from "./rules.revenue";
import { type CreditWalletRow, creditRevenue } from "./table";

/** Adds what became of the cost of a wallet's grants to the days and months of its environment. */
export function addRevenue(
	work: Work,
	{ environmentId, currencyId }: Pick<CreditWalletRow, "environmentId" | "currencyId">,
	days: readonly RevenueDay[],
): void {
	for (const { grantType, costCurrency, day, granted, recognised, breakage, voided } of days)
		for (const span of ["day", "month"] as const) {
			const of = { environmentId, currencyId, grantType, costCurrency, span, at: revenueStart(span, day) };
			const before = work.prepared(revenueOf).get(of) ?? nothing;
			saveRow(work, creditRevenue, {
				...of,
				granted: plus(before.granted, granted),
				recognised: plus(before.recognised, recognised),
				breakage: plus(before.breakage, breakage),
				voided: plus(before.voided, voided),
			});
		}
}

const revenueOf = (tx: Transaction) =>
	tx
		.select()
		.from(creditRevenue)
		.where(
			and(
				eq(creditRevenue.environmentId, sql.placeholder("environmentId")),
				eq(creditRevenue.span, sql.placeholder("span")),
				eq(creditRevenue.at, sql.placeholder("at")),
				eq(creditRevenue.currencyId, sql.placeholder("currencyId")),
				eq(creditRevenue.grantType, sql.placeholder("grantType")),
				eq(creditRevenue.costCurrency, sql.placeholder("costCurrency")),
			),
		)
		.prepare();
