import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import {
	costOfTransaction,
	costOfTransactions,
	countedAs,
	type TransactionCount,
	type TransactionPrice,
	type TransactionSums,
} from "../../pricing/models/transaction";
import { sumsOfState, valueOfTransaction } from "../aggregation/transactions";
import { hourMs, hourOf } from "../hours";
import type { UsageReader } from "./reader";
import type { Series } from "./series";
import { eventsOfPart, recentEventsOfPart } from "./store";

export const noTransactions: TransactionCount = {
	...{ counted: 0, ignored: 0, atMinimum: 0, atMaximum: 0, between: 0, valueBetween: zero, value: zero },
	...{ freeCost: zero, cost: zero },
};

/** Counts the transactions of a period, and takes the free ones away: the first by time, then by their place in the log. */
export function countTransactions(
	reader: UsageReader,
	series: Series,
	price: TransactionPrice,
	period: Period,
): TransactionCount {
	const within = (end: Instant) => sumsOfState(reader.within(series, { start: period.start, end }).state);
	const sums = within(period.end);
	return countedAs(price, sums, freeCostOf(reader, series, price, period, sums, within));
}

/** Whether an allowance is used up. */
const isUsedUp = (
	{ freeTransactions, freeAmount }: TransactionPrice,
	{ counted, value }: Pick<TransactionSums, "counted" | "value">,
): boolean =>
	(freeTransactions !== undefined && counted >= freeTransactions) ||
	(freeAmount !== undefined && exact(value).gte(freeAmount));

/** The hour in which an allowance is used up is read event by event; the hours before it are free as a whole. */
function freeCostOf(
	reader: UsageReader,
	series: Series,
	price: TransactionPrice,
	{ start, end }: Period,
	sums: TransactionSums,
	within: (end: Instant) => TransactionSums,
): Big {
	if (price.freeTransactions === undefined && price.freeAmount === undefined) return exact(0);
	if (!isUsedUp(price, sums)) return costOfTransactions(price, sums);
	const endOf = (hour: number) => Math.min((hour + 1) * hourMs, end) as Instant;
	let [from, to] = [hourOf(start), hourOf((end - 1) as Instant)];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		if (isUsedUp(price, within(endOf(middle)))) to = middle;
		else from = middle + 1;
	}
	const part = { start: Math.max(start, from * hourMs) as Instant, end: endOf(from) };
	const before = part.start > start ? within(part.start) : noTransactions;
	return freeCostWithin(price, before, valuesIn(reader, series, part));
}

/** Returns the values of a part of an hour in the order in which the allowances are used. */
function valuesIn({ statements }: UsageReader, series: Series, part: Period): Array<number | Decimal> {
	const found: Array<{ readonly at: Instant; readonly id: number; readonly value: number | Decimal }> = [];
	for (const events of [eventsOfPart, recentEventsOfPart])
		for (const { id, at, facts, isCanceled } of events(statements, series.subjectId, part)) {
			if (isCanceled || !series.takes(facts)) continue;
			const value = valueOfTransaction(series.fieldOf(facts));
			if (value !== undefined) found.push({ at, id, value });
		}
	return found.sort((one, other) => one.at - other.at || one.id - other.id).map(({ value }) => value);
}

/** Takes the cost of free transactions away, after those of `before`. A transaction that exceeds the amount pays for the rest of it. */
function freeCostWithin(price: TransactionPrice, before: TransactionSums, values: readonly (number | Decimal)[]): Big {
	let free = costOfTransactions(price, before);
	let counted = before.counted;
	let used = exact(before.value);
	for (const value of values) {
		if (isUsedUp(price, { counted, value: toDecimal(used) })) break;
		const left = price.freeAmount === undefined ? undefined : exact(price.freeAmount).minus(used);
		const cost = costOfTransaction(price, value);
		const exceeds = left !== undefined && exact(value).gt(left);
		free = free.plus(exceeds ? cost.minus(costOfTransaction(price, toDecimal(exact(value).minus(left)))) : cost);
		counted += 1;
		used = used.plus(value);
	}
	return free;
}
