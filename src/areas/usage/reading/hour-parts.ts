import type { Period } from "../../../kernel/period";
import type { Aggregate, Summary } from "../aggregation/aggregate";
import { hourOf, isWholeHour, sideOf, widenPart } from "../hours";
import { spans } from "../table.usage";
import { Memory } from "./memory";
import type { Series } from "./series";
import { countRaw, eventsOfPart, membersOf, type Statements, totalsOf } from "./store";

/** A hundred thousand aggregates (40 MB), or a million members (100 MB) of meters with members. */
export const weightMax = 1_000_000;
export const weightOf = (...summaries: readonly Summary[]): number =>
	summaries.reduce((weight, { members }) => weight + members.size, 10);

/** The usage in a part of an hour. */
interface Part {
	/** The number of changes by events and cancellations. */
	readonly events: number;
	readonly state: string;
	readMembers(): Summary["members"];
}

interface Pieces {
	readonly pieces: number;
	readonly bytes: number | null;
	readonly last: number | null;
}

const none: Pieces = { pieces: 0, bytes: null, last: null };

interface RememberedPart {
	/** The index rows of the hour, whether or not their events lie within the part. */
	pieces: Pieces;
	events: number;
	readonly aggregate: Aggregate;
}

/**
 * Reads parts of hours in the totals: from the totals of the hour if all its events lie in the part, as until now; from the
 * totals of a cut if the hour has one there; otherwise from the raw events.
 */
export class HourParts {
	readonly #statements: Statements;
	readonly #remembered = new Memory<RememberedPart>(weightMax);

	constructor(statements: Statements) {
		this.#statements = statements;
	}

	find(series: Series, narrow: Period): Part | undefined {
		const { indexedAs: subjectId } = series;
		const hour = hourOf(narrow.start);
		const [whole] = totalsOf(this.#statements, series, spans.hour, { from: hour, to: hour + 1 });
		if (!whole) return undefined;
		const part = this.#widen(narrow, subjectId, hour);
		if (isWholeHour(part))
			return { ...whole, readMembers: () => membersOf(this.#statements, series, spans.hour, hour) };
		const cut = sideOf(part, hour);
		if (cut && this.#statements.cut.get({ subjectId, hour, at: cut.at })) {
			const { at } = cut;
			const span = spans[cut.side];
			const [total] = totalsOf(this.#statements, series, span, { from: at, to: at + 1 });
			return total && { ...total, readMembers: () => membersOf(this.#statements, series, span, at) };
		}
		const { events, aggregate } = this.#count(series, part, hour);
		return { events, state: aggregate.state, readMembers: () => new Map(aggregate.members) };
	}

	/** Until now there is always time without events. */
	#widen(part: Period, subjectId: number, hour: number): Period {
		const { firstAt = null, lastAt = null } = this.#statements.times.get({ subjectId, hour }) ?? {};
		return firstAt === null || lastAt === null ? part : widenPart(part, hour, { firstAt, lastAt });
	}

	/** Counts a part from the raw events: all of them, or those in new index rows. */
	#count(series: Series, part: Period, hour: number): RememberedPart {
		const { counterId, indexedAs: subjectId, version } = series;
		const key = `${counterId}/${series.subjectId}/${version}/${part.start}/${part.end}`;
		const { pieces } = this.#statements;
		const whole = pieces.get({ subjectId, hour, upTo: Number.MAX_SAFE_INTEGER });
		const known = this.#remembered.get(key);
		const standing = known && pieces.get({ subjectId, hour, upTo: known.pieces.last ?? 0 });
		// A new part, or the index was rebuilt: all events are read.
		const isWhole = Bun.deepEquals(standing, known?.pieces);
		const read = known && isWhole ? known : { pieces: none, events: 0, aggregate: series.start() };
		countRaw(series, eventsOfPart(this.#statements, subjectId, part, read.pieces.last ?? 0), read);
		read.pieces = whole ?? none;
		this.#remembered.set(key, read, weightOf(read.aggregate));
		return read;
	}
}
