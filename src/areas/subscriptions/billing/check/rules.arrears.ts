import { type Instant, toIsoOrNull } from "../../../../kernel/clock";
import { exact, sum } from "../../../../kernel/decimal";
import { type Period, periodContaining, utc } from "../../../../kernel/period";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { type Share, shareOf, wholePeriod } from "../../../pricing/proration";
import type { SubscriptionRow } from "../../table";
import { type RunningCharge, unbilledFrom } from "../arrears";
import { formatPeriod } from "./rules";
import { formatShare, isSameShare } from "./rules.charges";

type Row = Pick<SubscriptionRow, "billedUntil" | "timeZone">;

/**
 * Yields the differences between the charges in arrears of a subscription, its row and the invoices: charges that begin outside the
 * running period, time of a charge that is billed twice or left out, and amounts or parts other than those of the lines.
 */
export function* arrearsDifferences(
	named: string,
	{ billedUntil, timeZone }: Row,
	running: readonly RunningCharge[],
	periodAt: (at: Instant) => Period | null,
): Generator<string> {
	if (billedUntil === null) return;
	const period = periodAt((billedUntil - 1) as Instant);
	for (const one of running) {
		const { charge } = one;
		const of = `${named}, ${charge.key}`;
		const from = unbilledFrom(one);
		// A free first period, or one that another system charges, is not billed.
		if (period && (from < period.start || from > period.end))
			yield `${of}: is billed until ${toIsoOrNull(from)}, expected a time in ${formatPeriod(period)}`;
		if (charge.timeZone !== (timeZone ?? utc))
			yield `${of}: counts in the zone ${charge.timeZone}, expected ${timeZone ?? utc}`;
	}
}

/** Yields the differences between billed stretches and their lines, and gaps within a charge. */
export function* stretchDifferences(
	named: string,
	periods: readonly PeriodOfCharge[],
	lines: readonly IssuedLine[],
): Generator<string> {
	for (const of of Map.groupBy(periods, ({ charge }) => charge.id).values()) {
		let until = of[0]?.charge.startsAt;
		for (const one of of) {
			const { charge, period } = one;
			const stretch = { start: period.startsAt, end: period.endsAt };
			const place = `${named}, ${charge.key} for ${formatPeriod(stretch)}`;
			if (period.startsAt !== until) yield `${place}: the charge is billed until ${toIsoOrNull(until ?? null)}`;
			until = period.endsAt;
			yield* lineDifferences(place, one, lines);
		}
		const billedUntil = of[0]?.charge.billedUntil ?? null;
		if (until !== billedUntil)
			yield `${named}, ${of[0]?.charge.key}: counts as billed until ${toIsoOrNull(billedUntil)}, its periods end at ${toIsoOrNull(until ?? null)}`;
	}
}

function* lineDifferences(place: string, { charge, period }: PeriodOfCharge, lines: readonly IssuedLine[]) {
	const own = lines.filter(({ line: { chargeId, basis } }) => chargeId === period.lineChargeId && !basis?.isCredit);
	for (const [what, counted, found] of [
		["amount", period.rated.subTotal, own.map(({ line }) => line.amount)],
		["tax", period.rated.tax, own.map(({ line }) => line.tax)],
	] as const) {
		const made = sum(found.map(exact));
		if (!made.eq(counted)) yield `${place}: its ${what} counts as ${counted}, its lines make ${made.toFixed()}`;
	}
	for (const { named: line, line: stated } of own) {
		const { periodStart, periodEnd, basis } = stated;
		if (periodStart !== period.startsAt || periodEnd !== period.endsAt)
			yield `${line}: charges another time than its charge (${place})`;
		const expected = sharesOf({ charge, period });
		const share = basis?.share ?? wholePeriod;
		if (!expected.some((one) => isSameShare(one, share)))
			yield `${line}: charges ${formatShare(share)}, expected ${expected.map(formatShare).join(" or ")} (${place})`;
	}
}

/** Returns the parts that a stretch can be of its whole period: the date on which a charge ends can count as used. */
function sharesOf({ charge, period: { startsAt, endsAt, wholeStartsAt } }: PeriodOfCharge): Share[] {
	const { anchorAt, interval, prorationMode: mode, timeZone } = charge;
	if (interval === null) return [wholePeriod];
	const start = wholeStartsAt ?? startsAt;
	const { end } = periodContaining({ anchorAt, interval, timeZone }, start);
	const proration = { mode, unit: interval.unit, timeZone };
	return [false, true].map((isEnd) => shareOf({ start, end }, { start: startsAt, end: endsAt, isEnd }, proration));
}
