import type { Instant } from "../../../../kernel/clock";
import { type Decimal, exact, sum, zero } from "../../../../kernel/decimal";
import { roundToMinor } from "../../../../kernel/money";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { costOfWindow } from "../../../pricing/window-cost";

/**
 * A window whose prices depend on the whole of it costs what its terms say, whatever number of bills charged it; and its
 * minimum is paid at its end. `amount` includes the taxes that the prices include.
 */
export function* costDifferences(
	named: string,
	{ charge: { terms }, period: { startsAt, usageQuantity, usageState } }: PeriodOfCharge,
	amount: Decimal,
	closedUntil: Instant | null,
): Generator<string> {
	if (!terms || !("prices" in terms) || terms.prices.every(({ charge }) => !charge.priceTerms)) return;
	const { base, minimums } = usageState ?? {};
	if (closedUntil !== null && startsAt < closedUntil && !minimums)
		yield `${named}: it has ended, and its minimum is not settled`;
	// Bills on other terms are part of the amount.
	if (base) return;
	const costs = terms.prices.map((price, at) => {
		const currency = currencyOfCharge(price.charge);
		if (currency === undefined) return exact(0);
		const minimum = minimums?.[at] ?? null;
		const window = { ...(minimums && { ended: "BEFORE" as const }), ...(minimum !== null && { minimum }) };
		return roundToMinor(
			costOfWindow({ ...price, window }, usageQuantity ?? zero, minimums !== undefined).amount,
			currency,
		);
	});
	if (!sum(costs).eq(amount)) yield `${named}: ${amount} counts as charged, its terms make ${sum(costs).toFixed()}`;
}
