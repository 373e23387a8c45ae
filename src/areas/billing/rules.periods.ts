import type { Instant } from "../../kernel/clock";
import { addUnits, type Period } from "../../kernel/period";
import { type Share, shareOf, wholePeriod } from "../pricing/proration";
import type { ChargeTiming, Interval } from "./rules.charge";

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
	const grid = { anchorAt, interval };
	const first = indexAt(grid, from);
	return {
		count: from < endsAt ? indexAt(grid, (endsAt - 1) as Instant) + 1 - first : 0,
		at: (place) => {
			const whole = { start: boundary(grid, first + place), end: boundary(grid, first + place + 1) };
			return within(charge, whole, { start: from, end: endsAt });
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
export const periodEnd = (grid: Grid, at: Instant): Instant => boundary(grid, indexAt(grid, at) + 1);

/** The part of a whole period in a window. With NONE it costs the whole, but time that is billed never counts again. */
function within({ prorationMode, billedUntil }: ChargeTiming, whole: Period, window: Period): Stretch {
	const start = Math.max(window.start, whole.start) as Instant;
	const end = Math.min(window.end, whole.end) as Instant;
	const isPartlyBilled = billedUntil !== null && billedUntil > whole.start;
	const isProrated = prorationMode === "BY_TIME" || isPartlyBilled;
	return { start, end, share: isProrated ? shareOf(whole, { start, end }) : wholePeriod };
}

interface Grid {
	readonly anchorAt: Instant;
	readonly interval: Interval;
}

const units = { DAY: "days", MONTH: "months" } as const;
const dayMs = 24 * 60 * 60 * 1000;

/** Returns the start of a period by its index. Every step counts from the anchor. */
const boundary = ({ anchorAt, interval: { unit, count } }: Grid, index: number): Instant =>
	addUnits(anchorAt, units[unit], index * count);

/** Returns the index of the period that contains an instant. */
function indexAt(grid: Grid, at: Instant): number {
	const { unit, count } = grid.interval;
	const unitsBetween = unit === "DAY" ? (at - grid.anchorAt) / dayMs : monthOf(at) - monthOf(grid.anchorAt);
	let index = Math.floor(unitsBetween / count);
	// The months of the calendar begin up to a month before those of the anchor.
	while (boundary(grid, index) > at) index -= 1;
	while (boundary(grid, index + 1) <= at) index += 1;
	return index;
}

function monthOf(at: Instant): number {
	const date = new Date(at);
	return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
