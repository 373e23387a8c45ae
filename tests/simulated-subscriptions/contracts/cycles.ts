import { addMonths, dayMs, lengthsAround, monthsAround, type Span } from "../calendar";
import type { Unit } from "./requests";

/** The cycles of an item, and how far it is invoiced. */
export interface Timed {
	readonly unit: Unit;
	readonly count: number;
	readonly inArrears: boolean;
	readonly prorates: boolean;
	readonly start: number;
	readonly end: number;
	/** The anchor of its cycles. */
	readonly anchor: number;
	/** The end of invoiced time; null: nothing is invoiced. */
	readonly until: number | null;
}

/** A period that is invoiced once; `whole` if only a part of it is charged. */
export interface Cycle extends Span {
	readonly whole: Span | null;
}

const months: Record<Exclude<Unit, "weekly">, number> = { monthly: 1, quarterly: 3, yearly: 12, one_time: 1 };

function wholeAround({ unit, count, anchor }: Timed, at: number): Span {
	return unit === "weekly"
		? lengthsAround(anchor, count * 7 * dayMs, at)
		: monthsAround(anchor, count * months[unit], at);
}

/**
 * Returns the first cycle that is not invoiced. It is charged in full, unless the item says otherwise or a part was
 * invoiced.
 */
export function nextCycle(item: Timed): Cycle | undefined {
	const { unit, start, end, until, prorates } = item;
	if (unit === "one_time") return until === null ? { start, end, whole: null } : undefined;
	const from = Math.max(start, until ?? start);
	if (from >= end) return undefined;
	const whole = wholeAround(item, from);
	const isParted = prorates || (until !== null && until > whole.start);
	return { start: from, end: Math.min(whole.end, end), whole: isParted ? whole : null };
}

export const dueOf = ({ inArrears }: Timed, { start, end }: Span): number => (inArrears ? end : start);

/** Returns the end of paid time: a cut last cycle that was charged in full reaches its own end. */
export function paidUntil(item: Timed): number | null {
	const { unit, prorates, end, until } = item;
	if (until === null || until !== end || unit === "one_time" || prorates) return until;
	return wholeAround(item, until - 1).end;
}

export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;
export const termAfter = (start: number, count: number): Span => ({ start, end: addMonths(start, count) });
