import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Dimensions } from "../../pricing/models/formula";
import type { TimeRange } from "./schema";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Our choice: months and years of the past are so many days, whatever the calendar. */
const daysOf: Readonly<Record<TimeRange, number>> = { LAST_DAY: 1, LAST_WEEK: 7, LAST_MONTH: 30, LAST_YEAR: 365 };

export interface RangeAsked {
	readonly startDate: Instant | undefined;
	readonly endDate: Instant | undefined;
	readonly timeRange: TimeRange | undefined;
}

/**
 * Whole hours for up to a day, whole days beyond: those that the range touches. A `startDate` goes before the `timeRange`
 * (docs/interface/credits.md). BadUserInput for a range without any time.
 */
export function spansOf({ startDate, endDate, timeRange = "LAST_MONTH" }: RangeAsked, now: Instant) {
	const end = endDate ?? now;
	const start = startDate ?? end - daysOf[timeRange] * dayMs;
	if (start >= end)
		throw fail("BadUserInput", "query/startDate: must lie before 'endDate', which is now when left out.");
	const isShort = end - start <= dayMs;
	const ms = isShort ? hourMs : dayMs;
	return {
		span: isShort ? ("hour" as const) : ("day" as const),
		from: (Math.floor(start / ms) * ms) as Instant,
		// What is consumed right now is in it, also where now is the first instant of an hour.
		to: (endDate === undefined ? (Math.floor(end / ms) + 1) * ms : Math.ceil(end / ms) * ms) as Instant,
	};
}

export interface Tag {
	readonly key: string;
	readonly value: string;
}

export interface Point {
	value: Big;
	events: number;
}

export interface Series {
	/** Tells it from the others. */
	readonly name: string;
	/** Row id; empty where it is of no feature. */
	readonly featureId: string;
	/** Undefined where series are those of features. */
	readonly tags: readonly Tag[] | undefined;
	readonly points: Map<Instant, Point>;
}

interface Used {
	readonly featureId: string;
	readonly at: Instant;
	readonly amount: Decimal;
	readonly events: number;
}

/** One series for each feature, and one for what no feature consumed. */
export function byFeature(used: readonly Used[]): Series[] {
	const series = new Map<string, Series>();
	for (const { featureId, at, amount, events } of used)
		add(seriesOf(series, featureId, { featureId, tags: undefined }), at, exact(amount), events);
	return [...series.values()];
}

interface Tagged {
	readonly featureId: string;
	readonly eventId: string | null;
	readonly at: Instant;
	/** Less than zero for what was given back, and so are its events. */
	readonly amount: Decimal;
	readonly events: number;
	readonly dimensions: Dimensions;
}

/**
 * One series for each combination of values of the keys, out of the entries that have dimensions; `used`, of the same time,
 * tells what was consumed without any. Events are counted once in each series, however many entries they made.
 */
export function byDimensions(keys: readonly string[], used: readonly Used[], entries: readonly Tagged[]): Series[] {
	const series = new Map<string, Series>();
	const seen = new Set<string>();
	const rest = new Map<Instant, Point>();
	for (const { at, amount, events } of used) addTo(rest, at, exact(amount), events);
	for (const [index, { featureId, eventId, at, amount, events, dimensions }] of entries.entries()) {
		const tags = tagsOf(keys, dimensions);
		const name = JSON.stringify(tags.map(({ key, value }) => [key, value]));
		const event = `${events < 0 ? "given back" : ""} ${eventId ?? `entry ${index}`}`;
		const value = exact(amount);
		add(seriesOf(series, name, { featureId: "", tags }), at, value, events * once(seen, `${name} ${at} ${event}`));
		// What the totals counted is a time for each feature.
		addTo(rest, at, value.times(-1), -events * once(seen, `${at} ${event} ${featureId}`));
	}
	for (const [at, { value, events }] of rest)
		if (value.gt(0)) add(seriesOf(series, "[]", { featureId: "", tags: [] }), at, value, events);
	return [...series.values()];
}

const tagsOf = (keys: readonly string[], dimensions: Dimensions): Tag[] =>
	keys.flatMap((key) => {
		const value = Object.hasOwn(dimensions, key) ? dimensions[key] : undefined;
		return value === undefined ? [] : [{ key, value: String(value) }];
	});

function once(seen: Set<string>, what: string): number {
	if (seen.has(what)) return 0;
	seen.add(what);
	return 1;
}

function seriesOf(all: Map<string, Series>, name: string, of: Pick<Series, "featureId" | "tags">): Series {
	const known = all.get(name);
	if (known) return known;
	const made: Series = { name, ...of, points: new Map() };
	all.set(name, made);
	return made;
}

const add = ({ points }: Series, at: Instant, value: Big, events: number): void => addTo(points, at, value, events);

function addTo(points: Map<Instant, Point>, at: Instant, value: Big, events: number): void {
	const before = points.get(at);
	points.set(at, before ? { value: before.value.plus(value), events: before.events + events } : { value, events });
}
