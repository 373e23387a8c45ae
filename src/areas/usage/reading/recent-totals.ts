import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import type { Summary } from "../aggregation/aggregate";
import { noMembers } from "../aggregation/no-members";
import { hourMs, isWholeHour, type Range, sideOf, widenPart } from "../hours";
import type { RecentAmount } from "../table.usage";
import type { CountedHour } from "./recent";
import type { Series } from "./series";
import { countRaw, recentEventsOfPart, type Statements } from "./store";

/** An amount of a meter, and the changes that it stands for. */
export interface Came extends Summary {
	readonly events: number;
}

/**
 * Returns the amounts of a period that came after the totals: of whole hours and cut hours as published, otherwise from
 * the raw events.
 */
export function cameWithin(statements: Statements, series: Series, period: Period): Came[] {
	const came: Came[] = [];
	for (const hour of statements.recent.hoursIn(series.subjectId, hoursOf(period))) {
		const part = partWithin(hour, period);
		if (!part) continue;
		const amounts = amountsOf(hour, part);
		if (amounts) {
			came.push(...ofCounter(series, amounts));
			continue;
		}
		const counted = { events: 0, aggregate: series.start() };
		countRaw(series, recentEventsOfPart(statements, series.indexedAs, part), counted);
		if (counted.events > 0) came.push({ events: counted.events, state: counted.aggregate.state, members: noMembers });
	}
	return came;
}

/** As `cameWithin`, from memory; undefined if raw events must be read. */
export const shownWithin = ({ recent }: Statements, series: Series, period: Period): Came[] | undefined =>
	shownIn(recent.hours(series.subjectId), series, period);

/** Returns the amounts of a period that the last write added to the former totals; undefined as above. */
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

/** The hours that a period touches. */
const hoursOf = ({ start, end }: Period): Range => ({ from: Math.floor(start / hourMs), to: Math.ceil(end / hourMs) });

/** Returns the part of an hour within a period. */
function partWithin({ hour }: CountedHour, { start, end }: Period): Period | undefined {
	const part = {
		start: Math.max(start, hour * hourMs) as Instant,
		end: Math.min(end, (hour + 1) * hourMs) as Instant,
	};
	return part.start < part.end ? part : undefined;
}

const ofCounter = ({ counterId }: Series, amounts: readonly RecentAmount[]): Came[] =>
	amounts.filter(([id]) => id === counterId).map(([, events, state]) => ({ events, state, members: noMembers }));

/** Returns undefined for a part of an hour that has events outside and is not cut there. */
function amountsOf({ hour, amounts, cuts, times }: CountedHour, narrow: Period): readonly RecentAmount[] | undefined {
	const part = times ? widenPart(narrow, hour, times) : narrow;
	if (isWholeHour(part)) return amounts;
	const side = sideOf(part, hour);
	const [, head, tail] = cuts.find(([at]) => at === side?.at) ?? [];
	return side?.side === "head" ? head : tail;
}
