import { asc, eq, gt, max, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { type RecentAmount, type RecentHour, usageCursor, usageRecent } from "../table.usage";
import type { Range } from "./hours";

/** What came to a subject in an hour. */
export interface CountedHour {
	readonly hour: number;
	/** In the order they came. */
	readonly eventIds: readonly number[];
	readonly amounts: readonly RecentAmount[];
	readonly cuts: RecentHour[4];
}

interface Hour extends CountedHour {
	readonly eventIds: number[];
	amounts: CountedHour["amounts"];
	cuts: CountedHour["cuts"];
}

const { placeholder } = sql;

const buildStatements = (tx: Transaction) => ({
	cursor: tx
		.select({
			countedTo: usageCursor.countedTo,
			revision: usageCursor.revision,
			correctedTo: usageCursor.correctedTo,
			recentTo: sql<number | null>`(${tx.select({ upTo: max(usageRecent.upTo) }).from(usageRecent)})`,
		})
		.from(usageCursor)
		.where(eq(usageCursor.id, 1))
		.prepare(),
	after: tx
		.select()
		.from(usageRecent)
		.where(gt(usageRecent.upTo, placeholder("upTo")))
		.orderBy(asc(usageRecent.upTo))
		.prepare(),
});

/**
 * What was counted after the totals, in memory: whoever reads totals adds it. One for each connection; read on, where it has
 * grown, with each look at the cursor.
 */
export class RecentCounts {
	readonly #statements;
	readonly #subjects = new Map<number, Map<number, Hour>>();
	/** The position of the totals that it follows. */
	#after = 0;
	#upTo = 0;
	#correctedTo = 0;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Reads on. Answers the revision of the totals, and up to which event they and what stands beside them count. */
	look(): { readonly revision: number; readonly countedTo: number } {
		const { countedTo = 0, revision = 0, correctedTo = 0, recentTo = null } = this.#statements.cursor.get() ?? {};
		this.#correctedTo = correctedTo;
		if (countedTo !== this.#after || recentTo === null) {
			this.#subjects.clear();
			this.#after = countedTo;
			this.#upTo = countedTo;
		}
		if (recentTo !== null && recentTo !== this.#upTo) {
			for (const row of this.#statements.after.all({ upTo: this.#upTo })) for (const one of row.hours) this.#add(one);
			this.#upTo = recentTo;
		}
		return { revision, countedTo: this.#upTo };
	}

	/** Id of the last cancellation that the totals followed when they were looked at last. */
	get correctedTo(): number {
		return this.#correctedTo;
	}

	/** Of a subject, each once. */
	hours(subjectId: number): Iterable<CountedHour> {
		return this.#subjects.get(subjectId)?.values() ?? [];
	}

	/** In the order they came. */
	eventIds(subjectId: number, hour: number): readonly number[] {
		return this.#subjects.get(subjectId)?.get(hour)?.eventIds ?? [];
	}

	/** A subject's events in the hours [from, to), the newest hour first, and of each the last that came. */
	*newestFirst(subjectId: number, { from, to }: Range): Generator<number> {
		const hours = [...(this.#subjects.get(subjectId)?.values() ?? [])]
			.filter(({ hour }) => hour >= from && hour < to)
			.sort((one, other) => other.hour - one.hour);
		for (const { eventIds } of hours) yield* eventIds.toReversed();
	}

	/** The next hour, from `from` on, in which a subject has any event. */
	nextHour(subjectId: number, from: number): number | undefined {
		const hours = [...(this.#subjects.get(subjectId)?.keys() ?? [])].filter((hour) => hour >= from);
		return hours.length === 0 ? undefined : Math.min(...hours);
	}

	#add([subjectId, hour, eventIds, amounts, cuts]: RecentHour): void {
		const ofSubject = this.#subjects.get(subjectId) ?? new Map<number, Hour>();
		this.#subjects.set(subjectId, ofSubject);
		const known = ofSubject.get(hour);
		if (!known) {
			ofSubject.set(hour, { hour, eventIds: [...eventIds], amounts, cuts });
			return;
		}
		for (const id of eventIds) known.eventIds.push(id);
		known.amounts = amounts;
		known.cuts = cuts;
	}
}
