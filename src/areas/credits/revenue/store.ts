import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { plus } from "../../../kernel/decimal";
import { saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CreditRevenueRow, type CreditWalletRow, creditRevenue } from "../table";
import { noRevenue, type RevenueDay, type RevenueSpan, revenueStart } from "./rules.tally";

/** Adds the revenue of a wallet's grants to the days and months of its environment. */
export function addRevenue(
	work: Work,
	{ environmentId, currencyId }: Pick<CreditWalletRow, "environmentId" | "currencyId">,
	days: readonly RevenueDay[],
): void {
	for (const { grantType, costCurrency, day, granted, recognised, breakage, voided } of days)
		for (const span of ["day", "month"] as const) {
			const of = { environmentId, currencyId, grantType, costCurrency, span, at: revenueStart(span, day) };
			const before = work.prepared(revenueOf).get(of) ?? noRevenue;
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

export const revenueRows = ({ tx, actor }: Work): CreditRevenueRow[] =>
	tx.select().from(creditRevenue).where(eq(creditRevenue.environmentId, actor.environmentId)).all();

/** Returns the revenue before the beginning of a day: rows of whole months, and of the days of the last month. Null: all revenue. */
export function revenueUntil({ tx, actor }: Work, until: Instant | null): CreditRevenueRow[] {
	const { environmentId, span, at } = creditRevenue;
	const select = (of: RevenueSpan, ...within: SQL[]): CreditRevenueRow[] =>
		tx
			.select()
			.from(creditRevenue)
			.where(and(eq(environmentId, actor.environmentId), eq(span, of), ...within))
			.all();
	if (until === null) return select("month");
	const month = revenueStart("month", until);
	return [...select("month", lt(at, month)), ...select("day", gte(at, month), lt(at, until))];
}
