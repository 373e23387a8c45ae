import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Aggregate } from "../aggregation/aggregate";
import { hourMs, hourOf } from "../hours";
import type { Series } from "./series";
import { eventsOfPart, nextHourOf, recentEventsOfPart, type Statements } from "./store";

/** Our choices (docs/interface/usage.md#limits): beyond these, the caller must narrow the period. */
const groupedEventsMax = 200_000;
const groupsMax = 100;

/**
 * Returns the amounts of adjoining periods from the raw events, by the JSON of the group's values; periods without
 * events have none.
 */
export function groupedIncrements(
	statements: Statements,
	series: Series,
	periods: readonly Period[],
	groupBy: readonly string[],
): Map<string, Array<Aggregate | undefined>> {
	const groups = new Map<string, Array<Aggregate | undefined>>();
	const ends = periods.map(({ end }) => end);
	const [start, end] = [periods[0]?.start ?? 0, periods.at(-1)?.end ?? 0];
	let read = 0;
	for (let from = hourOf(start as Instant); ; ) {
		const hour = nextHourOf(statements, series.subjectId, from);
		if (hour === undefined || hour > hourOf(end as Instant)) return groups;
		from = hour + 1;
		const part = {
			start: Math.max(start, hour * hourMs) as Instant,
			end: Math.min(end, (hour + 1) * hourMs) as Instant,
		};
		for (const events of [eventsOfPart, recentEventsOfPart]) {
			for (const { id, at, facts, isCanceled } of events(statements, series.subjectId, part)) {
				read += 1;
				if (read > groupedEventsMax)
					throw fail(
						"BadUserInput",
						`query/groupBy: the period holds more than ${groupedEventsMax} events; ask for a shorter one.`,
					);
				if (isCanceled || !series.takes(facts)) continue;
				const values = groupBy.map((key) => String(facts.dimension(key) ?? ""));
				const group = JSON.stringify(values);
				const increments = groups.get(group) ?? periods.map(() => undefined);
				groups.set(group, increments);
				if (groups.size > groupsMax)
					throw fail(
						"BadUserInput",
						`query/groupBy: there are more than ${groupsMax} groups; choose another dimension.`,
					);
				const index = periodOf(ends, at);
				const increment = increments[index] ?? series.start();
				increments[index] = increment;
				increment.add(series.fieldOf(facts), at, id);
			}
		}
	}
}

/** Returns the first period that ends after `at`. */
function periodOf(ends: readonly Instant[], at: Instant): number {
	let [from, to] = [0, ends.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((ends[middle] ?? 0) <= at) from = middle + 1;
		else to = middle;
	}
	return from;
}
