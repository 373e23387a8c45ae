import { csvResponse } from "../../../http/responses/csv";
import { toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { RevenueReport } from "./operations";
import { type RevenueFigures, sumsOf } from "./rules";
import type { Revenue } from "./schema";

export const viewRevenue = ({ from, to, figures }: RevenueReport): Revenue => ({
	from: toIsoOrNull(from),
	to: toIsoOrNull(to),
	data: figures.map((row) => ({ currencyId: row.currencyId, grantType: row.grantType, ...viewWorth(row) })),
	sums: sumsOf(figures).map(viewWorth),
});

const amounts = ["granted", "deferred", "recognised", "breakage", "voided"] as const;

type Worth = Pick<RevenueFigures, "costCurrency" | (typeof amounts)[number]>;

const viewWorth = ({ costCurrency, granted, deferred, recognised, breakage, voided }: Worth) => ({
	costCurrency,
	granted: toWire(granted),
	deferred: toWire(deferred),
	recognised: toWire(recognised),
	breakage: toWire(breakage),
	voided: toWire(voided),
});

/** Returns exact decimals. The sums come last, without a currency of credits and a type of grant. */
export function revenueCsv({ figures }: RevenueReport): Response {
	const lines = [
		["currencyId", "grantType", "costCurrency", ...amounts],
		...figures.map((row) => [row.currencyId, row.grantType, ...csvWorth(row)]),
		...sumsOf(figures).map((sum) => ["", "", ...csvWorth(sum)]),
	];
	return csvResponse("credit-revenue.csv", lines);
}

const csvWorth = (worth: Worth): string[] => [worth.costCurrency, ...amounts.map((name) => worth[name])];
