import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import type { Range } from "../counting/hours";
import { wordsOf } from "../log/event-block";
import { type RecentHour, usageCursor, usageRecentHours } from "../table.usage";

/** What came to a subject in an hour. */
export interface CountedHour {
	readonly hour: number;
	readonly amounts: RecentHour[0];
	readonly cuts: RecentHour[1];
}

const { placeholder } = sql;

const ofSubject = and(
	eq(usageRecentHours.subjectId, placeholder("subjectId")),
	gt(usageRecentHours.upTo, placeholder("after")),
);

const buildStatements = (tx: Transaction) => ({
	cursor: tx
		.select({
			countedTo: usageCursor.countedTo,
			shownTo: usageCursor.shownTo,
			revision: usageCursor.revision,
			correctedTo: usageCursor.correctedTo,
		})
		.from(usageCursor)
		.where(eq(usageCursor.id, 1))
		.prepare(),
	/** What a subject has come to after an event. */
	came: tx
		.select({ hour: usageRecentHours.hour, came: usageRecentHours.came })
		.from(usageRecentHours)
		.where(ofSubject)
		.orderBy(asc(usageRecentHours.upTo))
		.prepare(),
	events: tx
		.select({
			hour: usageRecentHours.hour,
			firstEvent: usageRecentHours.firstEvent,
			offsets: sql<Uint8Array>`${usageRecentHours.offsets}`,
		})
		.from(usageRecentHours)
		.where(ofSubject)
		.orderBy(asc(usageRecentHours.upTo))
		.prepare(),
});

/** Our choice: subjects whose hours are remembered; beyond it all are forgotten. About 20 MB. */
const rememberedMax = 50_000;

interface Known {
	readonly hours: Map<number, CountedHour>;
	/** Up to which event. */
	to: number;
}

const nothing: ReadonlyMap<number, CountedHour> = new Map();

/**
 * What was counted after the totals: whoever reads totals adds it. One for each connection. Looked at before anything else is
 * read; then each subject is read when it is asked for, as far as it has grown since it was asked for last.
 */
export class RecentCounts {
	readonly #statements;
	readonly #known = new Map<number, Known>();
	/** The position of the totals that it follows, and up to which event it goes. */
	#after = 0;
	#upTo = 0;
	#correctedTo = 0;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Answers the revision of the totals, and up to which event they and what stands beside them count. */
	look(): { readonly revision: number; readonly countedTo: number } {
		const { countedTo = 0, shownTo = 0, revision = 0, correctedTo = 0 } = this.#statements.cursor.get() ?? {};
		this.#correctedTo = correctedTo;
		if (countedTo !== this.#after || this.#known.size >= rememberedMax) this.#known.clear();
		this.#after = countedTo;
		this.#upTo = Math.max(countedTo, shownTo);
		return { revision, countedTo: this.#upTo };
	}

	/** Id of the last cancellation that the totals followed when they were looked at last. */
	get correctedTo(): number {
		return this.#correctedTo;
	}

	/** Of a subject, each once. */
	hours(subjectId: number): Iterable<CountedHour> {
		return this.#hoursOf(subjectId).values();
	}

	/** A subject's events in an hour, in the order they came. */
	eventIds(subjectId: number, hour: number): readonly number[] {
		return this.#eventsOf(subjectId).get(hour) ?? [];
	}

	/** A subject's events in the hours [from, to), the newest hour first, and of each the last that came. */
	*newestFirst(subjectId: number, { from, to }: Range): Generator<number> {
		const hours = [...this.#eventsOf(subjectId)]
			.filter(([hour]) => hour >= from && hour < to)
			.sort(([one], [other]) => other - one);
		for (const [, ids] of hours) yield* ids.toReversed();
	}

	/** The next hour, from `from` on, in which a subject has any event. */
	nextHour(subjectId: number, from: number): number | undefined {
		const hours = [...this.#hoursOf(subjectId).keys()].filter((hour) => hour >= from);
		return hours.length === 0 ? undefined : Math.min(...hours);
	}

	#hoursOf(subjectId: number): ReadonlyMap<number, CountedHour> {
		if (this.#upTo === this.#after) return nothing;
		const known: Known = this.#known.get(subjectId) ?? { hours: new Map(), to: this.#after };
		if (known.to === this.#upTo) return known.hours;
		for (const { hour, came } of this.#statements.came.all({ subjectId, after: known.to })) {
			const [amounts, cuts] = came;
			known.hours.set(hour, { hour, amounts, cuts });
		}
		known.to = this.#upTo;
		this.#known.set(subjectId, known);
		return known.hours;
	}

	#eventsOf(subjectId: number): Map<number, number[]> {
		const events = new Map<number, number[]>();
		if (this.#upTo === this.#after) return events;
		for (const { hour, firstEvent, offsets } of this.#statements.events.all({ subjectId, after: this.#after })) {
			const ids = events.get(hour) ?? [];
			events.set(hour, ids);
			for (const offset of wordsOf(offsets)) ids.push(firstEvent + offset);
		}
		return events;
	}
}
