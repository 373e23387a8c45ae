import { differenceOf, sumTotals } from "../pricing/totals";
import type { ChargeCreditRow, ChargePeriodRow } from "./table";

/** Returns the credit that reverses all that earlier credits have left of a period. */
export const creditFor = (
	{ startsAt, endsAt, rated }: Pick<ChargePeriodRow, "startsAt" | "endsAt" | "rated">,
	credits: readonly Pick<ChargeCreditRow, "rated">[],
): Pick<ChargeCreditRow, "fromAt" | "toAt" | "rated"> => ({
	fromAt: startsAt,
	toAt: endsAt,
	rated: differenceOf(rated, sumTotals(credits.map((credit) => credit.rated))),
});
