import type { Instant } from "../../kernel/clock";
import { boundary, type Interval, indexAt, type Period, type Recurrence } from "../../kernel/period";
import { type Share, shareOf, wholePeriod } from "../pricing/proration";
import type { ChargeTiming } from "./rules.charge";

/** A period that is billed at once. */
export interface Stretch extends Period {
	/** The charged part of the whole period. */
	readonly share: Share;
}

/** Yields the periods that are not billed and are due by an instant, in order. */
export function* periodsDue(charge: ChargeTiming, until: Instant): Generator<Stretch> {
	const { count, at } = unbilledPeriods(charge);
	for (let place = 0; place < count; place += 1) {
		const stretch = at(place);
		if (dueAt(charge, stretch) > until) return;
		yield stretch;
	}
}

/** When a period is due. */
export const dueAt = ({ paymentTime }: Pick<ChargeTiming, "paymentTime">, { start, end }: Period): Instant =>
	paymentTime === "IN_ADVANCE" ? start : end;

/**
 * Returns the number of periods that are not billed, and access to each by its place from 0. Only the first and the
 * last can be cut short.
 */
export function unbilledPeriods(charge: ChargeTiming): {
	readonly count: number;
	readonly at: (place: number) => Stretch;
} {
	const { startsAt, endsAt, billedUntil, interval, anchorAt } = charge;
	if (interval === null) {
		const once = { start: startsAt, end: endsAt, share: wholePeriod };
		return { count: billedUntil === null ? 1 : 0, at: () => once };
	}
	const from = billedUntil !== null && billedUntil > startsAt ? billedUntil : startsAt;
	const recurrence = { anchorAt, interval };
	const first = indexAt(recurrence, from);
	return {
		count: from < endsAt ? indexAt(recurrence, (endsAt - 1) as Instant) + 1 - first : 0,
		at: (place) => {
			const whole = { start: boundary(recurrence, first + place), end: boundary(recurrence, first + place + 1) };
			return within(charge, interval.unit, whole, { start: from, end: endsAt });
		},
	};
}

/** Returns the number of all periods, cut ones included. */
export const countPeriods = (charge: ChargeTiming): number => unbilledPeriods({ ...charge, billedUntil: null }).count;

/** Returns the end of the paid time: a last period that was cut short and charged in full is paid to its own end. */
export function paidUntil(charge: ChargeTiming): Instant | null {
	const { interval, anchorAt, prorationMode, endsAt, billedUntil } = charge;
	if (billedUntil === null || billedUntil !== endsAt || interval === null || prorationMode !== "NONE")
		return billedUntil;
	return periodEnd({ anchorAt, interval }, (billedUntil - 1) as Instant);
}

/** Returns the end of the whole period that contains an instant. */
export const periodEnd = (recurrence: Recurrence, at: Instant): Instant =>
	boundary(recurrence, indexAt(recurrence, at) + 1);

/** The part of a whole period in a window. With NONE it costs the whole, but time that is billed never counts again. */
function within(
	{ prorationMode, billedUntil }: ChargeTiming,
	unit: Interval["unit"],
	whole: Period,
	window: Period,
): Stretch {
	const start = Math.max(window.start, whole.start) as Instant;
	const end = Math.min(window.end, whole.end) as Instant;
	const isPartlyBilled = billedUntil !== null && billedUntil > whole.start;
	const mode = prorationMode === "NONE" && isPartlyBilled ? "BY_TIME" : prorationMode;
	const isEnd = end === window.end;
	return { start, end, share: shareOf(whole, { start, end, isEnd }, { mode, unit }) };
}
