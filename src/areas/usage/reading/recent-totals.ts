import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { noMembers } from "../counting/aggregate";
import { hourMs, sideOf } from "../counting/hours";
import type { Summary } from "../counting/summary";
import type { RecentAmount } from "../table.usage";
import type { CountedHour } from "./recent";
import type { Series } from "./series";
import { countRaw, recentEventsOfPart, type Statements } from "./store";

/** What came to a meter's total, and how often that has changed it. */
export interface Came extends Summary {
	readonly events: number;
}

/** What came to a period after the totals: of whole hours and of those that are cut as it was counted, else the raw events. */
export function cameWithin(statements: Statements, series: Series, { start, end }: Period): Came[] {
	const came: Came[] = [];
	for (const hour of statements.recent.hours(series.subjectId)) {
		const [from, to] = [hour.hour * hourMs, (hour.hour + 1) * hourMs];
		const part = { start: Math.max(start, from) as Instant, end: Math.min(end, to) as Instant };
		if (part.start >= part.end) continue;
		const amounts = part.start === from && part.end === to ? hour.amounts : amountsOfPart(hour, part);
		if (amounts) {
			for (const [counterId, events, state] of amounts)
				if (counterId === series.counterId) came.push({ events, state, members: noMembers });
			continue;
		}
		const counted = { events: 0, aggregate: series.start() };
		countRaw(series, recentEventsOfPart(statements, series.subjectId, part), counted);
		if (counted.events > 0) came.push({ events: counted.events, state: counted.aggregate.state, members: noMembers });
	}
	return came;
}

/** Undefined where the hour is not cut there. */
function amountsOfPart({ hour, cuts }: CountedHour, part: Period): readonly RecentAmount[] | undefined {
	const side = sideOf(part, hour);
	const [, head, tail] = cuts.find(([at]) => at === side?.at) ?? [];
	return side?.side === "head" ? head : tail;
}
