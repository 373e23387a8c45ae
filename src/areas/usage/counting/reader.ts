import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Transaction } from "../../../kernel/work";
import { type Span, spans } from "../table.usage";
import { type Membership, noMembers } from "./aggregate";
import { coverPeriod, hourMs, hourOf, type Range } from "./hours";
import { Memory } from "./memory";
import type { Total } from "./recent";
import { buildStatements, eventsOfPart, type RawEvent, recentEventsOfPart, type Statements, totalsOf } from "./store";
import type { Aggregate, Summary } from "./summary";
import { type CompiledMeter, changesOfCanceled, compileMeter } from "./tally";

/** Answers and meters that are remembered; beyond it all are forgotten. Our choice: about 20 MB. */
const rememberedMax = 100_000;

/** Our choice: a hundred thousand aggregates (40 MB), or a million members (100 MB) where there are such meters. */
const weightMax = 1_000_000;
const weightOf = (...summaries: readonly Summary[]): number =>
	summaries.reduce((weight, { members }) => weight + members.size, 10);

/** The days that an instant can lie in. */
const always: Period = { start: -8.64e15 as Instant, end: 8.64e15 as Instant };

/** Whose usage of what. */
export interface UsageKey {
	readonly environmentId: string;
	readonly featureId: string;
	readonly customerId: string;
	/** The caller's id of the resource; empty for the usage that names none. */
	readonly resourceRef: string;
}

/** A counter and a subject that have met: at least one event was counted. */
export interface Series extends CompiledMeter {
	readonly counterId: number;
	readonly subjectId: number;
	readonly meterId: string;
	/** How often the total has changed: events that came, and that were taken back. As long as it is the same, so is every answer. */
	readonly events: number;
	/** The last cancellation that it follows: what is taken back is counted again, not subtracted. */
	readonly correctedTo: number;
	/** Of all time. */
	readonly state: string;
}

interface RememberedPeriod {
	events: number;
	readonly aggregate: Aggregate;
	/** Of meters with members, the pieces of the period as they went into the aggregate; of sets without the members. */
	readonly pieces: Map<string, Summary>;
}

const noPieces = new Map<string, Summary>();

/** What lies in a part of an hour. */
interface Part {
	/** Events. */
	readonly within: number;
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
	/** Of the hour's events, as they came to the totals: all of them, whether or not any lies within the part. */
	pieces: Pieces;
	/** Events. */
	within: number;
	readonly aggregate: Aggregate;
}

/**
 * Reads totals, exact to the millisecond: whole days and hours from the totals, what is left of an hour from the raw events.
 * One for each connection. What it remembers is checked against the totals' counts each time, so it changes the cost only.
 */
export class UsageReader {
	readonly statements: Statements;
	/** What `current` answered since the totals have changed last. */
	readonly #current = new Map<string, Decimal | undefined>();
	#revision: number | undefined;
	readonly #periods = new Memory<RememberedPeriod>(weightMax);
	readonly #parts = new Memory<RememberedPart>(weightMax);
	readonly #meters = new Map<number, CompiledMeter>();

	constructor(tx: Transaction) {
		this.statements = buildStatements(tx);
	}

	/** Undefined when nothing has been counted: no meter, no events, or none that the meter takes. */
	find(key: UsageKey): Series | undefined {
		this.statements.recent.look();
		return this.#find(key);
	}

	#find(key: UsageKey): Series | undefined {
		const row = this.statements.whole.get({ ...key });
		if (!row) return undefined;
		const { counterId, subjectId, meterId, correctedTo } = row;
		const meter = this.#meter(counterId);
		const recent = this.statements.recent.totals(counterId, subjectId, spans.ever, whole);
		const events = (row.events ?? 0) + eventsIn(recent);
		if (events === 0) return undefined;
		return { counterId, subjectId, meterId, correctedTo, events, state: stateOf(meter, row.state, recent), ...meter };
	}

	/**
	 * The meter's value within the period, of all time when it is null; undefined when nothing has been counted. The hot path:
	 * as long as nothing more is counted, one small look.
	 */
	current(key: UsageKey, period: Period | null): Decimal | undefined {
		const { revision } = this.statements.recent.look();
		if (revision !== this.#revision || this.#current.size >= rememberedMax) this.#current.clear();
		this.#revision = revision;
		const { environmentId, featureId, customerId, resourceRef } = key;
		const name = `${environmentId}/${featureId}/${customerId}/${resourceRef}/${period?.start}/${period?.end}`;
		if (this.#current.has(name)) return this.#current.get(name);
		const series = this.#find(key);
		const value = !series ? undefined : period === null ? this.#ever(series) : this.within(series, period).value;
		this.#current.set(name, value);
		return value;
	}

	/** What the events with start ≤ at < end come to. To be looked at, or merged into another; never to be added to. */
	within(series: Series, period: Period): Aggregate {
		const { counterId, subjectId, correctedTo, membership } = series;
		const key = `${counterId}/${subjectId}/${correctedTo}/${period.start}/${period.end}`;
		const known = this.#periods.get(key);
		if (known?.events === series.events) return known.aggregate;
		// Members are many and only ever come to a piece: those that came are merged. All else is put together anew, of few rows.
		const isPlain = membership === "none";
		const into: RememberedPeriod =
			known && !isPlain ? known : { events: 0, aggregate: series.start(), pieces: isPlain ? noPieces : new Map() };
		const { parts, hours, days } = coverPeriod(period);
		for (const part of parts) {
			const found = this.#part(series, part);
			if (found) mergePiece(into, membership, `part ${part.start}`, found.state, found.readMembers);
		}
		for (const range of hours) this.#mergeBuckets(into, series, spans.hour, range);
		this.#mergeBuckets(into, series, spans.day, days);
		into.events = series.events;
		this.#periods.set(key, into, weightOf(into.aggregate, ...into.pieces.values()));
		return into.aggregate;
	}

	/** How often the total of the events with start ≤ at < end has changed. Those that were taken back count twice. */
	eventsWithin(series: Series, period: Period): number {
		const { parts, hours, days } = coverPeriod(period);
		const inBuckets = (span: Span, range: Range): number =>
			range.from >= range.to ? 0 : eventsIn(totalsOf(this.statements, series, span, range));
		return sumOf([
			...parts.map((part) => this.#part(series, part)?.within ?? 0),
			...hours.map((range) => inBuckets(spans.hour, range)),
			inBuckets(spans.day, days),
		]);
	}

	/** How many events were counted before an instant: all but those since then, which are fewer to add up. */
	eventsBefore(series: Series, at: Instant): number {
		return series.events - this.eventsWithin(series, { start: at, end: always.end });
	}

	#mergeBuckets(into: RememberedPeriod, series: Series, span: Span, range: Range): void {
		if (range.from >= range.to) return;
		for (const { bucket, state } of totalsOf(this.statements, series, span, range))
			mergePiece(into, series.membership, `${span} ${bucket}`, state, () => this.#members(series, span, bucket));
	}

	#ever(series: Series): Decimal {
		// Counted values have no row for all time: it would be read again as a whole with each new event.
		if (series.membership === "counted") return this.within(series, always).value;
		// A set's state is its size: no need to read it.
		if (series.membership === "distinct") return series.state as Decimal;
		const aggregate = series.start();
		aggregate.merge({ state: series.state, members: noMembers });
		return aggregate.value;
	}

	#members({ membership, counterId, subjectId }: Series, span: Span, bucket: number): Summary["members"] {
		if (membership === "none") return noMembers;
		const rows = this.statements.members.all({ counterId, subjectId, span, bucket });
		return new Map(rows.map(({ value, events }) => [value, events]));
	}

	/** A counter's id is never given twice, and its meter never changes. */
	#meter(counterId: number): CompiledMeter {
		const known = this.#meters.get(counterId);
		if (known) return known;
		const row = this.statements.definition.get({ counterId });
		assert(row, "a counter that was read in this transaction is there");
		const meter = compileMeter(row.definition);
		if (this.#meters.size >= rememberedMax) this.#meters.clear();
		this.#meters.set(counterId, meter);
		return meter;
	}

	/** A period within one hour: counted by itself where the hour is cut there, else from the raw events. */
	#part(series: Series, part: Period): Part | undefined {
		const { subjectId } = series;
		const hour = hourOf(part.start);
		const total = totalsOf(this.statements, series, spans.hour, { from: hour, to: hour + 1 });
		if (total.length === 0) return undefined;
		const cut = cutOf(part, hour);
		if (cut && this.statements.cut.get({ subjectId, hour, at: cut.at })) {
			const { span, at } = cut;
			const [first, ...others] = totalsOf(this.statements, series, span, { from: at, to: at + 1 });
			if (!first) return undefined;
			return {
				within: first.events + eventsIn(others),
				state: stateOf(series, first.state, others),
				readMembers: () => this.#members(series, span, at),
			};
		}
		const { within, aggregate } = this.#rawPart(series, part, hour);
		return { within, state: aggregate.state, readMembers: () => new Map(aggregate.members) };
	}

	/** From the raw events; those that came to the totals since the last time are added to what was known. */
	#rawPart(series: Series, part: Period, hour: number): Pick<RememberedPart, "within" | "aggregate"> {
		const { counterId, subjectId, correctedTo } = series;
		const key = `${counterId}/${subjectId}/${correctedTo}/${part.start}/${part.end}`;
		const { pieces } = this.statements;
		const whole = pieces.get({ subjectId, hour, upTo: Number.MAX_SAFE_INTEGER });
		const known = this.#parts.get(key);
		const standing = known && pieces.get({ subjectId, hour, upTo: known.pieces.last ?? 0 });
		// New, or an event with a lower row id came late (its customer did not exist before), or the index was made anew: all
		// of it again.
		const isWhole = Bun.deepEquals(standing, known?.pieces);
		const read = known && isWhole ? known : { pieces: none, within: 0, aggregate: series.start() };
		addAll(series, eventsOfPart(this.statements, subjectId, part, read.pieces.last ?? 0), read);
		read.pieces = whole ?? none;
		this.#parts.set(key, read, weightOf(read.aggregate));
		if (this.statements.recent.eventIds(subjectId, hour).length === 0) return read;
		const all = { within: read.within, aggregate: series.start() };
		all.aggregate.merge(read.aggregate);
		addAll(series, recentEventsOfPart(this.statements, subjectId, part), all);
		return all;
	}
}

function addAll(
	series: Series,
	events: Iterable<RawEvent>,
	into: { within: number; readonly aggregate: Aggregate },
): void {
	for (const { id, at, facts, isCanceled } of events) {
		if (!series.takes(facts)) continue;
		into.within += isCanceled ? changesOfCanceled : 1;
		if (!isCanceled) into.aggregate.add(series.fieldOf(facts), at, id);
	}
}

/** The cut by which a part of an hour may be known: where it begins, if it ends with the hour, and the other way round. */
function cutOf({ start, end }: Period, hour: number): { readonly span: Span; readonly at: Instant } | undefined {
	if (end === (hour + 1) * hourMs) return { span: spans.tail, at: start };
	return start === hour * hourMs ? { span: spans.head, at: end } : undefined;
}

/** Merges what came to a piece since it was merged last. `readMembers` is not called when nothing came. */
function mergePiece(
	{ aggregate, pieces }: RememberedPeriod,
	membership: Membership,
	name: string,
	state: string,
	readMembers: () => Summary["members"],
): void {
	const before = pieces.get(name);
	if (before?.state === state) return;
	const members = readMembers();
	aggregate.merge({ state, members: before ? cameSince(before.members, members) : members });
	if (membership === "none") return;
	// Merging a set again changes nothing, so its members need not be remembered.
	pieces.set(name, { state, members: membership === "distinct" ? noMembers : members });
}

function cameSince(before: Summary["members"], now: Summary["members"]): Summary["members"] {
	const came = new Map<string, number>();
	for (const [value, events] of now) {
		const more = events - (before.get(value) ?? 0);
		if (more > 0) came.set(value, more);
	}
	return came;
}

/** The one bucket of all time. */
const whole: Range = { from: 0, to: 1 };

/** Of totals, with what is not in them yet; of meters with members there is no such. */
function stateOf(meter: CompiledMeter, state: string | null, recent: readonly Total[]): string {
	if (state !== null && recent.length === 0) return state;
	const aggregate = meter.start();
	if (state !== null) aggregate.merge({ state, members: noMembers });
	for (const one of recent) aggregate.merge({ state: one.state, members: noMembers });
	return aggregate.state;
}

const eventsIn = (totals: readonly Total[]): number => sumOf(totals.map(({ events }) => events));
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
