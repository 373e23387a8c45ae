import { type Static, Type } from "@sinclair/typebox";
import type { Instant } from "../kernel/clock";
import { definitionOf } from "../kernel/metrics/definitions";
import type { Figure } from "../kernel/metrics/meter";

/** The time of one point, and their number: a day. */
const pointMs = 5 * 60_000;
const pointsMax = 288;

const requestMetric = "tollgate_http_request_duration_seconds";
const bounds = definitionOf(requestMetric).bounds ?? [];

const Count = Type.Integer({ minimum: 0 });
const At = Type.Unsafe<Instant>(Count);

/** The requests of five minutes. */
export const Point = Type.Object({
	/** The begin of the five minutes. */
	at: At,
	requests: Count,
	/** Responses with a status of 4xx, and of 5xx. */
	rejected: Count,
	failed: Count,
	/** The number of durations below each bound of the histogram of requests, and above the last one. */
	buckets: Type.Array(Count, { minItems: bounds.length + 1, maxItems: bounds.length + 1 }),
});
type Point = Static<typeof Point>;

/** The requests of a last day in points, for the status page. At most 288 points. */
export const Points = Type.Array(Point, { maxItems: pointsMax });

/** The requests of a period. The percentiles are the upper bounds of their buckets; null without requests. */
export interface RequestSum {
	readonly requests: number;
	readonly rejected: number;
	readonly failed: number;
	readonly medianMs: number | null;
	readonly p99Ms: number | null;
}

/** Adds up what the threads count, in points of five minutes. A monitor that has died loses at most what came since its last look. */
export class History {
	#points: Point[];
	#last: Totals | undefined;

	constructor(points: readonly Point[]) {
		this.#points = [...points];
	}

	/** Adds the requests since the last call. The first call is the beginning. */
	add(figures: readonly Figure[], now: Instant): void {
		const totals = totalsOf(figures);
		const last = this.#last;
		this.#last = totals;
		const at = (Math.floor(now / pointMs) * pointMs) as Instant;
		const oldestAt = at - (pointsMax - 1) * pointMs;
		// A clock that was set back would leave points in the future.
		const kept = this.#points.filter((point) => point.at >= oldestAt && point.at < at);
		const current = this.#points.find((point) => point.at === at) ?? emptyPoint(at);
		this.#points = [...kept, last ? plus(current, totals, last) : current];
	}

	get points(): readonly Point[] {
		return this.#points;
	}
}

interface Totals extends Omit<Point, "at"> {}

const emptyPoint = (at: Instant): Point => ({
	...{ at, requests: 0, rejected: 0, failed: 0 },
	buckets: bounds.concat(0).map(() => 0),
});

function totalsOf(figures: readonly Figure[]): Totals {
	const totals = { requests: 0, rejected: 0, failed: 0, buckets: bounds.concat(0).map(() => 0) };
	for (const { name, labels, buckets = [] } of figures) {
		if (name !== requestMetric) continue;
		const count = buckets.reduce((sum, one) => sum + one, 0);
		totals.requests += count;
		if (labels.status === "4xx") totals.rejected += count;
		if (labels.status === "5xx") totals.failed += count;
		for (const [at, one] of buckets.entries()) totals.buckets[at] = (totals.buckets[at] ?? 0) + one;
	}
	return totals;
}

/** Totals never go down, except for those of a thread that did not answer. */
const plus = (point: Point, now: Totals, last: Totals): Point => {
	const grown = (one: number, some: number, other: number): number => one + Math.max(0, some - other);
	return {
		at: point.at,
		requests: grown(point.requests, now.requests, last.requests),
		rejected: grown(point.rejected, now.rejected, last.rejected),
		failed: grown(point.failed, now.failed, last.failed),
		buckets: point.buckets.map((one, at) => grown(one, now.buckets[at] ?? 0, last.buckets[at] ?? 0)),
	};
};

/** Adds up the points from an instant on. */
export function sumSince(points: readonly Point[], since: number): RequestSum {
	const those = points.filter(({ at }) => at >= since);
	const sum = (of: (point: Point) => number): number => those.reduce((total, point) => total + of(point), 0);
	const buckets = bounds.concat(0).map((_, at) => sum((point) => point.buckets[at] ?? 0));
	return {
		requests: sum(({ requests }) => requests),
		rejected: sum(({ rejected }) => rejected),
		failed: sum(({ failed }) => failed),
		medianMs: percentileMs(buckets, 0.5),
		p99Ms: percentileMs(buckets, 0.99),
	};
}

/** Requests above the last bound count as slow as the last bound. */
function percentileMs(buckets: readonly number[], share: number): number | null {
	const count = buckets.reduce((sum, one) => sum + one, 0);
	if (count === 0) return null;
	let seen = 0;
	for (const [at, one] of buckets.entries()) {
		seen += one;
		if (seen >= share * count) return (bounds[at] ?? bounds.at(-1) ?? 0) * 1000;
	}
	return null;
}
