import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import { sumTotals } from "../pricing/totals";
import type { ChargePeriodRow, ChargeRow } from "./table";

/** A period row with its charge. */
export interface PeriodOfCharge {
	readonly period: ChargePeriodRow;
	readonly charge: ChargeRow;
}

/** A billed period with all its revisions. */
export interface BilledPeriod
	extends Period,
		Pick<ChargePeriodRow, "state" | "rated" | "usageQuantity" | "usageEvents" | "invoiceId" | "createdAt"> {
	readonly charge: ChargeRow;
}

/**
 * Sums the revisions of each period, in the order of the first ones. Usage is that of the last revision, the rest that
 * of the first.
 */
export function sumRevisions(rows: readonly PeriodOfCharge[]): BilledPeriod[] {
	const together = Map.groupBy(rows, ({ period }) => `${period.chargeId} ${period.startsAt}`);
	return [...together.values()].flatMap((revisions) => {
		const ordered = revisions.toSorted((one, other) => one.period.revision - other.period.revision);
		const [first, last] = [ordered[0], ordered.at(-1)];
		if (!first || !last) return [];
		const { charge, period } = first;
		const { startsAt: start, endsAt: end, state, invoiceId, createdAt } = period;
		const { usageQuantity, usageEvents } = last.period;
		const rated = sumTotals(ordered.map((one) => one.period.rated));
		return { charge, start, end, state, rated, usageQuantity, usageEvents, invoiceId, createdAt };
	});
}

/** Returns the span from the first start to the last end. */
export const spanOf = (periods: readonly Period[]): Period => ({
	start: Math.min(...periods.map(({ start }) => start)) as Instant,
	end: Math.max(...periods.map(({ end }) => end)) as Instant,
});
