import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Transaction } from "../../../kernel/work";
import type { Aggregate, Summary } from "../aggregation/aggregate";
import type { Membership } from "../aggregation/functions";
import { type CompiledMeter, compileMeter } from "../aggregation/meter";
import { noMembers } from "../aggregation/no-members";
import { coverPeriod, type Range } from "../hours";
import type { EventFacts } from "../rules";
import { valueIn } from "../rules.segments";
import { type Span, spans } from "../table.usage";
import { HourParts, weightMax, weightOf } from "./hour-parts";
import { Memory } from "./memory";
import { type Came, cameBefore, cameWithin, shownWithin } from "./recent-totals";
import type { Series, UsageKey } from "./series";
import { buildStatements, membersOf, type Statements, totalsOf } from "./store";

/** Results and meters that stay in memory; beyond this, all are evicted. About 20 MB. */
const rememberedMax = 50_000;

/** The range of possible instants. */
const always: Period = { start: -8.64e15 as Instant, end: 8.64e15 as Instant };

interface RememberedPeriod {
	storedEvents: number;
	readonly aggregate: Aggregate;
	/** For meters with members, the merged pieces of the period; for sets without the members. */
	readonly pieces: Map<string, Summary>;
}

/** The totals of a period. */
type Stored = Summary & Pick<Aggregate, "value">;

/** The totals of a series up to the event `after`, as `current` has read them. */
interface FoundStored {
	readonly series: Series;
	readonly after: number;
	readonly stored: Stored;
}

/** The same; or the last event up to which there is no usage. */
type Found = FoundStored | { readonly noneTo: number };

const noPieces = new Map<string, Summary>();

/**
 * Reads usage, exact to the millisecond: whole days and hours from the totals, parts of hours from the raw events, and
 * amounts that are published next to the totals. One for each connection. Its caches are checked against the totals on
 * every call, so they change the cost only.
 */
export class UsageReader {
	readonly statements: Statements;
	/** Results of `current` by key, as long as the totals stay the same; new amounts are added to them. */
	readonly #current = new Map<string, Found>();
	/** The key of the last call of `current` with a period. */
	readonly #names = new WeakMap<Period, { readonly key: UsageKey; readonly name: string }>();
	#revision: number | undefined;
	#readRevision: number | undefined;
	/** `work.usageCommits` when `current` read the file last. */
	#readAtCommits: number | undefined;
	readonly #periods = new Memory<RememberedPeriod>(weightMax);
	readonly #parts: HourParts;
	readonly #meters = new Map<number, CompiledMeter>();

	constructor(tx: Transaction) {
		this.statements = buildStatements(tx);
		this.#parts = new HourParts(this.statements);
	}

	/** Returns undefined if nothing is counted: no meter, no events, or none that the meter counts. */
	find(key: UsageKey): Series | undefined {
		this.#look();
		return this.#find(key);
	}

	/** Erasures rewrite blocks of the log, and change the revision of the totals. */
	#look(): number {
		const { recent, log } = this.statements;
		const countedTo = recent.look();
		if (recent.revision !== this.#readRevision) log.discard();
		this.#readRevision = recent.revision;
		return countedTo;
	}

	#find(key: UsageKey): Series | undefined {
		const row = this.statements.whole.get({ ...key });
		if (!row) return undefined;
		const { counterId, subjectId, meterId, version, events, state } = row;
		const meter = this.#meter(counterId);
		const storedEvents = events ?? 0;
		const place = { counterId, subjectId, indexedAs: subjectId, meterId, version };
		const series = { ...place, storedEvents, storedState: state, ...meter };
		return this.#changes(series) > 0 ? series : undefined;
	}

	/** Yields the segments of a subject's usage with their names, in the order of these. */
	*segments(key: UsageKey): Generator<{ readonly name: string; readonly prefix: string; readonly series: Series }> {
		const whole = this.find(key);
		if (!whole?.segments) return;
		const { counterId, subjectId: indexedAs } = whole;
		const { prefix, nameOf } = whole.segments;
		const names = { from: prefix, to: `${prefix}\uffff` };
		for (const { id, name, events, state } of this.statements.segments.all({
			counterId,
			subjectId: indexedAs,
			...names,
		})) {
			const takes = (facts: EventFacts) => whole.takes(facts) && nameOf(valueIn(facts)) === name;
			yield { name, prefix, series: { ...whole, subjectId: id, storedEvents: events ?? 0, storedState: state, takes } };
		}
	}

	/**
	 * As `current`, without reading the file; returns undefined if that may be incomplete. This is the hot path: most
	 * customers have no usage beyond the amounts that earlier calls have read.
	 */
	remembered(key: UsageKey, period: Period | null, commits: number | undefined): Decimal | undefined {
		const { revision } = this.statements.recent;
		if (commits === undefined || commits !== this.#readAtCommits || revision !== this.#revision) return undefined;
		const name = this.#nameOf(key, period);
		const known = this.#current.get(name);
		if (!known || "noneTo" in known) return undefined;
		const found = this.#followed(known, period);
		if (found && found !== known) this.#current.set(name, found);
		const came = found && shownWithin(this.statements, found.series, period ?? always);
		return came && totalOf(found, came);
	}

	/**
	 * Returns the meter's value within the period, of all time if it is null; undefined if nothing is counted. As long
	 * as the totals stay the same, it reads one row and the new amounts. `commits` is the work's count.
	 */
	current(key: UsageKey, period: Period | null, commits: number | undefined): Decimal | undefined {
		const countedTo = this.#look();
		const { revision } = this.statements.recent;
		if (revision !== this.#revision || this.#current.size >= rememberedMax) this.#current.clear();
		this.#revision = revision;
		this.#readAtCommits = commits;
		const name = this.#nameOf(key, period);
		const known = this.#current.get(name);
		let found = known && "after" in known ? this.#followed(known, period) : known;
		if (!found || ("noneTo" in found && found.noneTo !== countedTo)) {
			const series = this.#find(key);
			const { after } = this.statements.recent;
			found = series ? { series, after, stored: this.#stored(series, period) } : { noneTo: countedTo };
		}
		if (found !== known) this.#current.set(name, found);
		if ("noneTo" in found) return undefined;
		return totalOf(found, cameWithin(this.statements, found.series, period ?? always));
	}

	/** Most callers repeat the same period of the same customer, as the same object. */
	#nameOf(key: UsageKey, period: Period | null): string {
		const last = period ? this.#names.get(period) : undefined;
		if (last && isSame(last.key, key)) return last.name;
		const name = nameOf(key, period);
		if (period) this.#names.set(period, { key, name });
		return name;
	}

	/**
	 * Returns earlier totals, brought up to date: if the totals were written since, with the amounts that were added to
	 * them. Returns undefined if those are unknown.
	 */
	#followed(found: FoundStored, period: Period | null): FoundStored | undefined {
		const { recent } = this.statements;
		if (found.after === recent.after) return found;
		if (found.after !== recent.afterBefore) return undefined;
		const { series, stored } = found;
		const came = cameBefore(this.statements, series, period ?? always);
		if (!came) return undefined;
		return { series, after: recent.after, stored: came.length === 0 ? stored : sumOf(series, stored, came) };
	}

	/**
	 * Returns the aggregate of the events with start ≤ at < end. Read it or merge it into another one; never add to it.
	 */
	within(series: Series, period: Period): Aggregate {
		const stored = this.#storedWithin(series, period);
		const came = cameWithin(this.statements, series, period);
		return came.length === 0 ? stored : sumOf(series, stored, came);
	}

	/**
	 * Returns how many times the total of the events with start ≤ at < end has changed. Canceled events count twice.
	 */
	eventsWithin(series: Series, period: Period): number {
		const { parts, hours, days } = coverPeriod(period);
		const inBuckets = (span: Span, range: Range): number =>
			range.from >= range.to ? 0 : eventsIn(totalsOf(this.statements, series, span, range));
		const inParts = parts.map((part) => this.#parts.find(series, part)?.events ?? 0);
		const inHours = hours.map((range) => inBuckets(spans.hour, range));
		const came = eventsIn(cameWithin(this.statements, series, period));
		return [...inParts, ...inHours].reduce((sum, events) => sum + events, inBuckets(spans.day, days) + came);
	}

	/**
	 * Returns the changes by events before an instant: all changes except the later ones, which are fewer to add up.
	 */
	eventsBefore(series: Series, at: Instant): number {
		return this.#changes(series) - this.eventsWithin(series, { start: at, end: always.end });
	}

	#changes(series: Series): number {
		return series.storedEvents + eventsIn(cameWithin(this.statements, series, always));
	}

	/** Returns the totals of a period, of all time if it is null. */
	#stored(series: Series, period: Period | null): Stored {
		const { membership, storedState: state } = series;
		// Counted values have no row for all time: each new event would read all of them again.
		if (period !== null || membership === "counted") return this.#storedWithin(series, period ?? always);
		// A set's state is its size, so its members need not be read.
		if (membership === "distinct") return { state: state ?? "0", members: noMembers, value: (state ?? "0") as Decimal };
		const aggregate = series.start();
		if (state !== null) aggregate.merge({ state, members: noMembers });
		return aggregate;
	}

	#storedWithin(series: Series, period: Period): Aggregate {
		const { counterId, subjectId, version, membership, storedEvents } = series;
		const key = `${counterId}/${subjectId}/${version}/${period.start}/${period.end}`;
		const known = this.#periods.get(key);
		if (known?.storedEvents === storedEvents) return known.aggregate;
		// A piece has many members and only gains some: new ones are merged. All other aggregates are merged again from
		// a few rows.
		const isPlain = membership === "none";
		const into: RememberedPeriod =
			known && !isPlain
				? known
				: { storedEvents: 0, aggregate: series.start(), pieces: isPlain ? noPieces : new Map() };
		const { parts, hours, days } = coverPeriod(period);
		for (const part of parts) {
			const found = this.#parts.find(series, part);
			if (found) mergePiece(into, membership, `part ${part.start}`, found.state, found.readMembers);
		}
		for (const range of hours) this.#mergeBuckets(into, series, spans.hour, range);
		this.#mergeBuckets(into, series, spans.day, days);
		into.storedEvents = storedEvents;
		this.#periods.set(key, into, weightOf(into.aggregate, ...into.pieces.values()));
		return into.aggregate;
	}

	#mergeBuckets(into: RememberedPeriod, series: Series, span: Span, range: Range): void {
		if (range.from >= range.to) return;
		for (const { bucket, state } of totalsOf(this.statements, series, span, range))
			mergePiece(into, series.membership, `${span} ${bucket}`, state, () =>
				membersOf(this.statements, series, span, bucket),
			);
	}

	/** A counter's id is never reused, and its meter never changes. */
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
}

const nameOf = ({ environmentId, featureId, customerId, resourceRef }: UsageKey, period: Period | null): string =>
	`${environmentId}/${featureId}/${customerId}/${resourceRef}/${period?.start}/${period?.end}`;

const isSame = (one: UsageKey, other: UsageKey): boolean =>
	one.customerId === other.customerId &&
	one.featureId === other.featureId &&
	one.resourceRef === other.resourceRef &&
	one.environmentId === other.environmentId;

const totalOf = ({ series, stored }: FoundStored, came: readonly Came[]): Decimal =>
	came.length === 0 ? stored.value : sumOf(series, stored, came).value;

/** Returns totals with the amounts that came after them. */
function sumOf(series: Series, stored: Summary, came: readonly Came[]): Aggregate {
	const sum = series.start();
	sum.merge(stored);
	for (const one of came) sum.merge(one);
	return sum;
}

/** Merges the changes of a piece since the last merge. Does not call `readMembers` without changes. */
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
	// Merging a set twice changes nothing, so its members need not stay in memory.
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

const eventsIn = (counted: ReadonlyArray<{ readonly events: number }>): number =>
	counted.reduce((sum, { events }) => sum + events, 0);
