import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Dimensions } from "../../pricing/models/formula";
import type { TimeRange } from "./schema";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Past months and years have a fixed number of days. */
const daysOf: Readonly<Record<TimeRange, number>> = { LAST_DAY: 1, LAST_WEEK: 7, LAST_MONTH: 30, LAST_YEAR: 365 };

export interface RequestedRange {
	readonly startDate: Instant | undefined;
	readonly endDate: Instant | undefined;
	readonly timeRange: TimeRange | undefined;
}

/**
 * Returns the hours that a range of up to a day touches, or the days of a longer one. A `startDate` takes precedence over the
 * `timeRange` (docs/interface/credits.md). Throws BadUserInput for an empty range.
 */
export function spansOf({ startDate, endDate, timeRange = "LAST_MONTH" }: RequestedRange, now: Instant) {
	const end = endDate ?? now;
	const start = startDate ?? end - daysOf[timeRange] * dayMs;
	if (start >= end) throw fail("BadUserInput", "query/startDate: must be before 'endDate', whose default is now.");
	const isShort = end - start <= dayMs;
	const ms = isShort ? hourMs : dayMs;
	return {
		span: isShort ? ("hour" as const) : ("day" as const),
		from: (Math.floor(start / ms) * ms) as Instant,
		// Includes consumption at this instant, also where now is the first instant of an hour.
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
	/** Unique among the series. */
	readonly name: string;
	/** Row id; empty for no feature. */
	readonly featureId: string;
	/** Undefined for series by feature. */
	readonly tags: readonly Tag[] | undefined;
	readonly points: Map<Instant, Point>;
}

interface Consumed {
	readonly featureId: string;
	readonly at: Instant;
	readonly amount: Decimal;
	readonly events: number;
}

/** Returns one series for each feature, and one for consumption without a feature. */
export function byFeature(used: readonly Consumed[]): Series[] {
	const series = new Map<string, Series>();
	for (const { featureId, at, amount, events } of used)
		add(seriesOf(series, featureId, { featureId, tags: undefined }), at, exact(amount), events);
	return [...series.values()];
}

interface Tagged {
	readonly featureId: string;
	readonly eventId: string | null;
	readonly at: Instant;
	/** Less than zero for reversals, and so are their events. */
	readonly amount: Decimal;
	readonly events: number;
	readonly dimensions: Dimensions;
}

/**
 * Returns one series for each combination of values of the keys, from entries with dimensions. `used` are the totals of the same
 * range, from which the consumption without dimensions follows. Each series counts an event once, even if it made several entries.
 */
export function byDimensions(keys: readonly string[], used: readonly Consumed[], entries: readonly Tagged[]): Series[] {
	const series = new Map<string, Series>();
	const seen = new Set<string>();
	const rest = new Map<Instant, Point>();
	for (const { at, amount, events } of used) addTo(rest, at, exact(amount), events);
	for (const [index, { featureId, eventId, at, amount, events, dimensions }] of entries.entries()) {
		const tags = tagsOf(keys, dimensions);
		const name = JSON.stringify(tags.map(({ key, value }) => [key, value]));
		const event = `${events < 0 ? "reversed" : ""} ${eventId ?? `entry ${index}`}`;
		const value = exact(amount);
		add(seriesOf(series, name, { featureId: "", tags }), at, value, events * once(seen, `${name} ${at} ${event}`));
		// The totals count an event once for each feature.
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

function once(seen: Set<string>, key: string): number {
	if (seen.has(key)) return 0;
	seen.add(key);
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
