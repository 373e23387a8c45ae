import type { Static } from "@sinclair/typebox";
import { and, eq, gte, lte } from "drizzle-orm";
import { type Instant, toIso } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { usageEventDays } from "../table.usage";
import { type EventDay, eventDaysShown } from "./schema";

const dayMs = 86_400_000;

/** Returns the number of events on each of the last days up to today, also days without events; ascending. */
export function eventsByDay({ tx, now, actor }: Work): Static<typeof EventDay>[] {
	const today = Math.floor(now / dayMs);
	const first = today - eventDaysShown + 1;
	const rows = tx
		.select({ day: usageEventDays.day, events: usageEventDays.events })
		.from(usageEventDays)
		.where(
			and(
				eq(usageEventDays.environmentId, actor.environmentId),
				gte(usageEventDays.day, first),
				lte(usageEventDays.day, today),
			),
		)
		.all();
	const counts = new Map(rows.map(({ day, events }) => [day, events]));
	return Array.from({ length: eventDaysShown }, (_, at) => ({
		day: toIso(((first + at) * dayMs) as Instant).slice(0, 10),
		events: counts.get(first + at) ?? 0,
	}));
}
