import { type Decimal, minus, plus, zero } from "../../../kernel/decimal";
import type { GrantType } from "../schema.values";
import type { CreditRevenueRow } from "../table";

/** Revenue from grants of one type, in one currency of credits and one of cost. */
export interface RevenueFigures {
	/** Row id. */
	readonly currencyId: string;
	readonly grantType: GrantType;
	readonly costCurrency: string;
	readonly granted: Decimal;
	readonly recognised: Decimal;
	readonly breakage: Decimal;
	readonly voided: Decimal;
	/** At the end of the range. */
	readonly deferred: Decimal;
}

type Totals = Pick<RevenueFigures, "granted" | "recognised" | "breakage" | "voided">;

const noTotals: Totals = { granted: zero, recognised: zero, breakage: zero, voided: zero };

/**
 * Returns the revenue of a range, from all rows before its beginning and all rows before its end. The cost of granted credits is
 * recognised, breakage, voided or deferred. So granted = recognised + breakage + voided + the change of deferred.
 */
export function revenueBetween(
	untilFrom: readonly CreditRevenueRow[],
	untilTo: readonly CreditRevenueRow[],
): RevenueFigures[] {
	const before = totalsByKey(untilFrom);
	return [...totalsByKey(untilTo)].map(([key, { currencyId, grantType, costCurrency, ...total }]) => {
		const earlier = before.get(key) ?? noTotals;
		return {
			currencyId,
			grantType,
			costCurrency,
			granted: minus(total.granted, earlier.granted),
			recognised: minus(total.recognised, earlier.recognised),
			breakage: minus(total.breakage, earlier.breakage),
			voided: minus(total.voided, earlier.voided),
			deferred: minus(total.granted, plus(plus(total.recognised, total.breakage), total.voided)),
		};
	});
}

function totalsByKey(rows: readonly CreditRevenueRow[]) {
	const totals = new Map<string, Omit<RevenueFigures, "deferred">>();
	for (const { currencyId, grantType, costCurrency, ...row } of rows) {
		const key = `${currencyId} ${grantType} ${costCurrency}`;
		totals.set(key, { currencyId, grantType, costCurrency, ...sumOf(totals.get(key) ?? noTotals, row) });
	}
	return totals;
}

/** Returns one sum for each currency of cost. */
export function sumsOf(figures: readonly RevenueFigures[]): Array<Omit<RevenueFigures, "currencyId" | "grantType">> {
	return [...Map.groupBy(figures, ({ costCurrency }) => costCurrency)].map(([costCurrency, those]) => ({
		costCurrency,
		...those.reduce<Totals>(sumOf, noTotals),
		deferred: those.reduce((total, { deferred }) => plus(total, deferred), zero),
	}));
}

const sumOf = (one: Totals, other: Totals): Totals => ({
	granted: plus(one.granted, other.granted),
	recognised: plus(one.recognised, other.recognised),
	breakage: plus(one.breakage, other.breakage),
	voided: plus(one.voided, other.voided),
});
