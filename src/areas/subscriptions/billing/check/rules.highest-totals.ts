import { type Decimal, exact } from "../../../../kernel/decimal";
import type { ChargePeriodRow } from "../../../billing/table";

/**
 * Yields the differences of usage that each event charges. Without cancellations, the changes of a window only become more, and its bills
 * charge exactly its highest total. `highestNow` returns undefined if events were canceled.
 */
export function* highestDifferences(
	named: string,
	{ usageQuantity, usageEvents }: Pick<ChargePeriodRow, "usageQuantity" | "usageEvents">,
	changesNow: number,
	highestNow: () => Decimal | undefined,
): Generator<string> {
	if (usageQuantity === null || usageEvents === null || changesNow > usageEvents) return;
	const highest = highestNow();
	if (highest === undefined) return;
	if (changesNow < usageEvents) yield `${named}: its bill counts ${usageEvents} changes, and there are ${changesNow}`;
	else if (exact(highest).lt(usageQuantity))
		yield `${named}: ${usageQuantity} counts as billed, and its highest total is ${highest}`;
}
