import { type Instant, toIso } from "../../../../kernel/clock";
import { type Decimal, exact, sum, zero } from "../../../../kernel/decimal";
import { roundToMinor } from "../../../../kernel/money";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { useFreeUnits } from "../../../pricing/free-units";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { periodOf, periodText } from "../../../pricing/rules.billing-period";
import { costOfWindow } from "../../../pricing/window-cost";

/**
 * A window whose prices depend on the whole of it costs what its terms say, whatever number of bills charged it; and its
 * minimum is paid at its end. `amount` includes the taxes that the prices include.
 */
export function* costDifferences(
	named: string,
	{ charge: { terms }, period: { startsAt, usageQuantity, usageState } }: PeriodOfCharge,
	amount: Decimal,
	{ closedUntil, isOnOneCharge }: { readonly closedUntil: Instant | null; readonly isOnOneCharge: boolean },
): Generator<string> {
	if (!terms || !("prices" in terms)) return;
	const { base, minimums, freeUnits } = usageState ?? {};
	const hasTerms = terms.prices.some(({ charge }) => charge.priceTerms);
	if (!hasTerms && !freeUnits) return;
	if (hasTerms && closedUntil !== null && startsAt < closedUntil && !minimums)
		yield `${named}: it has ended, and its minimum is not settled`;
	// Bills on other terms are part of the amount.
	if (base || (!hasTerms && !isOnOneCharge)) return;
	const free = freeUnits && { freeUnits: useFreeUnits([], freeUnits, exact(0)) };
	const costs = terms.prices.map((price, at) => {
		const currency = currencyOfCharge(price.charge);
		if (currency === undefined) return exact(0);
		const minimum = minimums?.[at] ?? null;
		const window = { ...(minimums && { ended: "BEFORE" as const }), ...(minimum !== null && { minimum }) };
		return roundToMinor(
			costOfWindow({ ...price, ...free, window }, usageQuantity ?? zero, minimums !== undefined).amount,
			currency,
		);
	});
	if (!sum(costs).eq(amount)) yield `${named}: ${amount} counts as charged, its terms make ${sum(costs).toFixed()}`;
}

/**
 * A window of usage by an interval of its own counts by the interval of its prices, and ends before the next one of its charge
 * begins. `starts` has the starts of all windows of its charge.
 */
export function* intervalDifferences(
	named: string,
	{ charge: { terms, interval }, period: { startsAt, endsAt } }: PeriodOfCharge,
	starts: readonly Instant[],
): Generator<string> {
	const stated = terms && "prices" in terms ? terms.prices[0]?.charge.priceTerms?.chargeInterval : undefined;
	const counted = interval ? periodText(periodOf(interval)) : "no interval";
	if (stated !== undefined && counted !== periodText(stated))
		yield `${named}: it counts by ${counted}, its price says ${periodText(stated)}`;
	const next = starts.find((start) => start > startsAt && start < endsAt);
	if (next !== undefined) yield `${named}: another window begins at ${toIso(next)}, before it ends`;
}
