import type { Instant } from "../../../kernel/clock";
import { periodContaining } from "../../../kernel/period";
import { wordsOf } from "../blocks/event-block";
import { hourMs, hourOf } from "../hours";
import type { Counting } from "./counting";
import type { LogEnd } from "./log-end";
import { countSlice } from "./slice-count";
import { amountOf, type CountedEvents, type Counter, type CutTally, Tally } from "./tally";

/** Our choices: what was sold or granted that is looked at in one step, and cuts that wait; what is not cut costs more to read, and nothing else. */
const salesMax = 1000;
const waitingMax = 10_000;

/** Our choice: sales of before a start that may not have been looked at before it. */
const lookBackMs = 3_600_000;

interface Sale {
	readonly id: string;
	readonly environment_id: string;
	readonly customer_id: string;
	readonly at: Instant;
}

interface EventsOfHour {
	readonly first_event: number;
	readonly offsets: Uint8Array;
}

/** A cut that is being counted. */
interface Wanted {
	readonly environmentId: string;
	readonly subjectId: number;
	readonly hour: number;
	readonly at: Instant;
	/** By which counters; undefined before it has begun. */
	counters: readonly Counter[] | undefined;
	/** Positions in the log that were read from that index and are not counted yet, the newest first. */
	left: number[];
	readTo: number;
	head: CountedEvents[];
	tail: CountedEvents[];
}

/**
 * Cuts hours that have had events before it was known that a period begins in them: the periods of a subscription that is
 * sold, or of a feature that is granted, to a customer with usage. Where all that was counted lies before that, the hour so far
 * is the head. Else the two parts are counted once from the raw events, a piece in each write of the totals, so that counting
 * goes on meanwhile; the last piece, the parts and the cut are written in one transaction.
 */
export class LateCuts {
	readonly #counting: Counting;
	readonly #end: LogEnd;
	readonly #selectSales;
	readonly #selectEvents;
	readonly #hasAtOrAfter;
	/** The last sale that was looked at. */
	#lookedTo: string;
	/** When there was none after it. */
	#lookedAt: number | undefined;
	#waiting: Wanted[] = [];

	constructor(counting: Counting, end: LogEnd) {
		const { usage, main } = counting;
		this.#counting = counting;
		this.#end = end;
		this.#selectSales = main.prepare<Sale, [string, string, number]>(
			`SELECT * FROM (SELECT id, environment_id, customer_id, usage_anchor_at AS at FROM subscriptions WHERE id > ?
			UNION ALL SELECT id, environment_id, customer_id, start_at FROM promotional_entitlements WHERE id > ?)
			ORDER BY id LIMIT ?`,
		);
		this.#hasAtOrAfter = usage.prepare<unknown, [number, number, number]>(
			`SELECT 1 FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? AND (last_at IS NULL OR last_at >= ?) LIMIT 1`,
		);
		this.#selectEvents = usage.prepare<EventsOfHour, [number, number, number]>(
			`SELECT first_event, offsets FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? AND first_event > ?
			ORDER BY first_event LIMIT 1`,
		);
		this.#lookedTo = this.#firstToLookAt();
	}

	/**
	 * Whether hours are to be cut by what was sold since the last look. That goes before the events that came after it, since
	 * what lies before a cut costs nothing as long as nothing behind it was counted.
	 */
	hasNew(): boolean {
		if (this.#next()) return false;
		this.look();
		return this.#next() !== undefined;
	}

	/** Looks for what was sold or granted since the last look. */
	look(): void {
		const epoch = this.#counting.epochOf();
		if (epoch === this.#lookedAt) return;
		const sales = this.#selectSales.all(this.#lookedTo, this.#lookedTo, salesMax);
		for (const sale of sales) for (const id of this.#counting.subjects.of(sale.customer_id)) this.#want(sale, id);
		this.#lookedTo = sales.at(-1)?.id ?? this.#lookedTo;
		if (sales.length < salesMax) this.#lookedAt = epoch;
	}

	/**
	 * Counts on inside the caller's transaction, in which all that was counted has been written, while no counter is catching
	 * up; answers whether there is more to do.
	 */
	step(): boolean {
		const wanted = this.#next();
		if (!wanted) return false;
		const { counters, cuts, totals, retries } = this.#counting;
		const { environmentId, subjectId, hour, at } = wanted;
		const live = counters.live(environmentId);
		const isAtEnd = this.#isAtEnd(wanted);
		if (wanted.counters !== live) Object.assign(wanted, unbegun(), { counters: live });
		const isCounted = isAtEnd || retries.attempt(retryOf(wanted), () => this.#countOn(wanted));
		if (isCounted === undefined) Object.assign(wanted, unbegun());
		if (isCounted) {
			if (isAtEnd) totals.cutAtEnd(live, subjectId, hour, at);
			else totals.addCut(subjectId, wanted);
			cuts.add(subjectId, hour, at);
			this.#waiting = this.#waiting.filter((one) => one !== wanted);
		}
		return this.#next() !== undefined;
	}

	/** Events have come in between those that were counted: all of them again. */
	restart(): void {
		for (const wanted of this.#waiting) Object.assign(wanted, unbegun());
	}

	/** After a rollback, as at a start: neither what was counted nor ids that were given to subjects stand. */
	forget(): void {
		this.#waiting = [];
		this.#lookedAt = undefined;
		this.#lookedTo = this.#firstToLookAt();
	}

	#firstToLookAt(): string {
		return idAt((this.#counting.clock.now() - lookBackMs) as Instant);
	}

	/** The first that is not tried again later. */
	#next(): Wanted | undefined {
		const { retries } = this.#counting;
		return this.#waiting.find((wanted) => !retries.isResting(retryOf(wanted)));
	}

	/** Sold a moment ago, as most are: nothing that was counted lies after it. */
	#isAtEnd({ subjectId, hour, at }: Wanted): boolean {
		return this.#hasAtOrAfter.get(subjectId, hour, at) === null;
	}

	#want({ environment_id: environmentId, at: anchor }: Sale, subjectId: number): void {
		const { cuts, clock } = this.#counting;
		const now = clock.now();
		const starts = (["weeks", "months", "years"] as const).map((unit) => periodContaining(anchor, unit, 1, now).start);
		for (const at of new Set([anchor, ...starts])) {
			const hour = hourOf(at);
			if (at === hour * hourMs || this.#waiting.length >= waitingMax) continue;
			if (cuts.standing(subjectId, hour).includes(at)) continue;
			if (this.#waiting.some((one) => one.subjectId === subjectId && one.at === at)) continue;
			if (!this.#end.tally.has(subjectId, hour) && !this.#selectEvents.get(subjectId, hour, 0)) continue;
			this.#waiting.push({ environmentId, subjectId, hour, at, ...unbegun() });
		}
	}

	/** Answers whether all of the hour is counted. */
	#countOn(wanted: Wanted): boolean {
		for (let left = this.#counting.chunkEvents; left > 0; ) {
			if (wanted.left.length === 0 && !this.#readOn(wanted)) return true;
			const events = wanted.left.splice(-left).reverse();
			this.#count(wanted, events);
			left -= events.length;
		}
		return false;
	}

	#readOn(wanted: Wanted): boolean {
		const piece = this.#selectEvents.get(wanted.subjectId, wanted.hour, wanted.readTo);
		if (!piece) return false;
		wanted.readTo = piece.first_event;
		wanted.left = [...wordsOf(piece.offsets)].reverse().map((offset) => piece.first_event + offset);
		return true;
	}

	#count({ at, counters = [], head, tail }: Wanted, events: readonly number[]): void {
		const { log, subjects, canceled } = this.#counting;
		const tally = new Tally(() => [at]);
		for (const slice of log.at(events)) countSlice(slice, tally, subjects, () => counters, canceled.in(slice.block));
		for (const { cuts } of tally.sorted()) for (const cut of cuts) addTo({ at, head, tail }, cut);
	}
}

const retryOf = ({ subjectId, at }: Wanted): string => `the cut of ${subjectId} at ${at}`;

const unbegun = () => ({ counters: undefined, left: [], readTo: 0, head: [], tail: [] });

function addTo(into: CutTally, { head, tail }: CutTally): void {
	for (const amount of head) amountOf(into.head, amount.counter).add(amount);
	for (const amount of tail) amountOf(into.tail, amount.counter).add(amount);
}

/** A UUIDv7 begins with its time: those that were made from an instant on come after this. */
function idAt(at: Instant): string {
	const time = Math.max(0, at).toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}`;
}
