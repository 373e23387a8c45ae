import type { Instant } from "../../kernel/clock";
import { dayMs, type Period, periodContaining } from "../../kernel/period";

/** A length on the clock, or on the calendar; or no end. */
type Cadence = { readonly ms: number } | { readonly months: number } | { readonly isLifetime: true };

/** The cadence of a limit without a reset. */
const lifetime = "LIFETIME";

/** The last instant of the clock. A window that ends here never resets. */
const never = 8_640_000_000_000_000 as Instant;

/** Returns when the usage of a window resets to zero; null if it never does. */
export const resetOf = ({ end }: Pick<Period, "end">): Instant | null => (end === never ? null : end);

const minuteMs = 60_000;

const dateUnits: Readonly<Record<string, (count: number) => Cadence>> = {
	D: (count) => ({ ms: count * dayMs }),
	W: (count) => ({ ms: count * 7 * dayMs }),
	M: (count) => ({ months: count }),
	Y: (count) => ({ months: count * 12 }),
};
const timeUnits: Readonly<Record<string, (count: number) => Cadence>> = {
	M: (count) => ({ ms: count * minuteMs }),
	H: (count) => ({ ms: count * 60 * minuteMs }),
};

/** One unit, from a minute to 999 years. */
const duration = /^P(?:([1-9]\d{0,2})([DWMY])|T([1-9]\d{0,3})([MH]))$/;

const parsed = new Map<string, Cadence | undefined>();

/** The number of cached cadences: clients use a few. */
const parsedMax = 1_000;

/** Reads an ISO 8601 duration of one unit (P1M, P30D, PT1H) or LIFETIME. Returns undefined for anything else. */
export function parseCadence(text: string): Cadence | undefined {
	if (parsed.has(text)) return parsed.get(text);
	const [, dateCount, dateUnit = "", timeCount, timeUnit = ""] = duration.exec(text) ?? [];
	const of = dateUnits[dateUnit] ?? timeUnits[timeUnit];
	const cadence = text === lifetime ? ({ isLifetime: true } as const) : of?.(Number(dateCount ?? timeCount));
	if (parsed.size >= parsedMax) parsed.clear();
	parsed.set(text, cadence);
	return cadence;
}

/** The beginning and the length of windows. */
interface Windowed {
	readonly cadence: string;
	readonly anchorAt: Instant;
}

/** The last window of each budget that is in memory: nearly all uses of a budget are in one window. */
const lastWindows = new WeakMap<Windowed, Period>();

/** Returns the window that contains an instant. Windows count from the anchor, in UTC. */
export function windowAt(budget: Windowed, at: Instant): Period {
	const last = lastWindows.get(budget);
	if (last && last.start <= at && at < last.end) return last;
	const window = calculateWindow(budget, at);
	lastWindows.set(budget, window);
	return window;
}

function calculateWindow({ cadence: text, anchorAt }: Windowed, at: Instant): Period {
	const cadence = parseCadence(text);
	if (!cadence) throw new Error(`'${text}' was stored as a cadence`);
	if ("isLifetime" in cadence) return { start: anchorAt, end: never };
	if ("months" in cadence)
		return periodContaining({ anchorAt, interval: { unit: "MONTH", count: cadence.months } }, at);
	const start = anchorAt + Math.floor((at - anchorAt) / cadence.ms) * cadence.ms;
	return { start: start as Instant, end: (start + cadence.ms) as Instant };
}
