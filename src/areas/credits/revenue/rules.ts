import { type Decimal, minus, plus, zero } from "../../../kernel/decimal";
import type { GrantType } from "../schema.values";
import type { CreditRevenueRow } from "../table";

/** What became of the cost of grants of one type, in one currency of credits and one of cost. */
export interface RevenueFigures {
	/** Row id. */
	readonly currencyId: string;
	readonly grantType: GrantType;
	readonly costCurrency: string;
	readonly granted: Decimal;
	readonly recognised: Decimal;
	readonly breakage: Decimal;
	readonly voided: Decimal;
	/** At the end of the time. */
	readonly deferred: Decimal;
}

type Totals = Pick<RevenueFigures, "granted" | "recognised" | "breakage" | "voided">;

const none: Totals = { granted: zero, recognised: zero, breakage: zero, voided: zero };

/**
 * The figures of a time, of all rows up to its beginning and of all rows up to its end. What was granted is recognised, breakage,
 * voided, or deferred; so granted = recognised + breakage + voided + what deferred has changed by.
 */
export function revenueBetween(
	untilFrom: readonly CreditRevenueRow[],
	untilTo: readonly CreditRevenueRow[],
): RevenueFigures[] {
	const before = totalled(untilFrom);
	return [...totalled(untilTo)].map(([key, { currencyId, grantType, costCurrency, ...total }]) => {
		const former = before.get(key) ?? none;
		return {
			currencyId,
			grantType,
			costCurrency,
			granted: minus(total.granted, former.granted),
			recognised: minus(total.recognised, former.recognised),
			breakage: minus(total.breakage, former.breakage),
			voided: minus(total.voided, former.voided),
			deferred: minus(total.granted, plus(plus(total.recognised, total.breakage), total.voided)),
		};
	});
}

function totalled(rows: readonly CreditRevenueRow[]) {
	const totals = new Map<string, Omit<RevenueFigures, "deferred">>();
	for (const { currencyId, grantType, costCurrency, ...row } of rows) {
		const key = `${currencyId} ${grantType} ${costCurrency}`;
		totals.set(key, { currencyId, grantType, costCurrency, ...added(totals.get(key) ?? none, row) });
	}
	return totals;
}

/** A sum for each currency of cost: money of two is not added. */
export function sumsOf(figures: readonly RevenueFigures[]): Array<Omit<RevenueFigures, "currencyId" | "grantType">> {
	return [...Map.groupBy(figures, ({ costCurrency }) => costCurrency)].map(([costCurrency, those]) => ({
		costCurrency,
		...those.reduce<Totals>(added, none),
		deferred: those.reduce((total, { deferred }) => plus(total, deferred), zero),
	}));
}

const added = (one: Totals, other: Totals): Totals => ({
	granted: plus(one.granted, other.granted),
	recognised: plus(one.recognised, other.recognised),
	breakage: plus(one.breakage, other.breakage),
	voided: plus(one.voided, other.voided),
});
