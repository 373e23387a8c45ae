import { addMonths, dayMs, lengthsAround, monthsAround, type Span } from "../calendar";
import type { Unit } from "./requests";

/** When an item is invoiced, and how far it is. */
export interface Timed {
	readonly unit: Unit;
	readonly count: number;
	readonly inArrears: boolean;
	readonly prorates: boolean;
	readonly start: number;
	readonly end: number;
	/** From where its cycles are counted. */
	readonly anchor: number;
	/** Until when it is invoiced; null: not at all. */
	readonly until: number | null;
}

/** A time that is invoiced once; `whole` where it is charged by its part of that. */
export interface Cycle extends Span {
	readonly whole: Span | null;
}

const months: Record<Exclude<Unit, "weekly">, number> = { monthly: 1, quarterly: 3, yearly: 12, one_time: 1 };

function wholeAround({ unit, count, anchor }: Timed, at: number): Span {
	return unit === "weekly"
		? lengthsAround(anchor, count * 7 * dayMs, at)
		: monthsAround(anchor, count * months[unit], at);
}

/** The first that is not invoiced yet: it counts whole, unless the item says otherwise or a part of it was invoiced. */
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

/** How far what was invoiced is paid for: a last cycle that was cut short and counted whole reaches to its own end. */
export function paidUntil(item: Timed): number | null {
	const { unit, prorates, end, until } = item;
	if (until === null || until !== end || unit === "one_time" || prorates) return until;
	return wholeAround(item, until - 1).end;
}

export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;
export const termAfter = (start: number, count: number): Span => ({ start, end: addMonths(start, count) });
