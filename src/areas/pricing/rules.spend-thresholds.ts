import { type Decimal, exact, toDecimal, toWire } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Money } from "../../kernel/money";
import type { SpendThresholds } from "./schema.spend-thresholds";

/** Throws BadUserInput for two thresholds in one currency, naming both places. */
export function assertThresholds(thresholds: SpendThresholds, where: string): void {
	const first = new Map<string, number>();
	for (const [at, { currency }] of thresholds.entries()) {
		const former = first.get(currency);
		if (former !== undefined)
			throw fail(
				"BadUserInput",
				`${where}/${at}: '${currency}' is the currency of ${where}/${former} too; send one threshold for each currency.`,
			);
		first.set(currency, at);
	}
}

/** Returns the thresholds to store, in the order of their currencies. */
export const storedThresholds = (thresholds: SpendThresholds): Money[] =>
	thresholds
		.map(({ currency, amount }) => ({ currency, amount: toDecimal(amount) }))
		.sort((one, other) => (one.currency < other.currency ? -1 : 1));

export const viewThresholds = (thresholds: readonly Money[]) =>
	thresholds.map(({ currency, amount }) => ({ currency, amount: toWire(amount) }));

/** Whether a cost that is not invoiced reaches the threshold in its currency. */
export const reachesThreshold = (thresholds: readonly Money[], currency: string, cost: Decimal): boolean =>
	thresholds.some((one) => one.currency === currency && exact(cost).gte(exact(one.amount)));
