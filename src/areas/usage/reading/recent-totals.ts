import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import type { Summary } from "../aggregation/aggregate";
import { noMembers } from "../aggregation/functions";
import { hourMs, sideOf } from "../hours";
import type { RecentAmount } from "../table.usage";
import type { CountedHour } from "./recent";
import type { Series } from "./series";
import { countRaw, recentEventsOfPart, type Statements } from "./store";

/** What came to a meter's total, and how often that has changed it. */
export interface Came extends Summary {
	readonly events: number;
}

/** What came to a period after the totals: of whole hours and of those that are cut as it was counted, else the raw events. */
export function cameWithin(statements: Statements, series: Series, period: Period): Came[] {
	const came: Came[] = [];
	for (const hour of statements.recent.hours(series.subjectId)) {
		const part = partWithin(hour, period);
		if (!part) continue;
		const amounts = amountsOf(hour, part);
		if (amounts) {
			came.push(...ofCounter(series, amounts));
			continue;
		}
		const counted = { events: 0, aggregate: series.start() };
		countRaw(series, recentEventsOfPart(statements, series.subjectId, part), counted);
		if (counted.events > 0) came.push({ events: counted.events, state: counted.aggregate.state, members: noMembers });
	}
	return came;
}

/** As `cameWithin`, as it was read before; undefined where raw events have to be looked at. */
export const shownWithin = ({ recent }: Statements, series: Series, period: Period): Came[] | undefined =>
	shownIn(recent.hours(series.subjectId), series, period);

/** What came to a period from the totals before to these; undefined likewise. */
export const cameBefore = ({ recent }: Statements, series: Series, period: Period): Came[] | undefined =>
	shownIn(recent.hoursBefore(series.subjectId), series, period);

function shownIn(hours: Iterable<CountedHour>, series: Series, period: Period): Came[] | undefined {
	const came: Came[] = [];
	for (const hour of hours) {
		const part = partWithin(hour, period);
		if (!part) continue;
		const amounts = amountsOf(hour, part);
		if (!amounts) return undefined;
		came.push(...ofCounter(series, amounts));
	}
	return came;
}

/** What of an hour lies within a period. */
function partWithin({ hour }: CountedHour, { start, end }: Period): Period | undefined {
	const part = {
		start: Math.max(start, hour * hourMs) as Instant,
		end: Math.min(end, (hour + 1) * hourMs) as Instant,
	};
	return part.start < part.end ? part : undefined;
}

const ofCounter = ({ counterId }: Series, amounts: readonly RecentAmount[]): Came[] =>
	amounts.filter(([id]) => id === counterId).map(([, events, state]) => ({ events, state, members: noMembers }));

/** Undefined where a part of the hour is asked for, and the hour is not cut there. */
function amountsOf({ hour, amounts, cuts }: CountedHour, part: Period): readonly RecentAmount[] | undefined {
	if (part.end - part.start === hourMs) return amounts;
	const side = sideOf(part, hour);
	const [, head, tail] = cuts.find(([at]) => at === side?.at) ?? [];
	return side?.side === "head" ? head : tail;
}
