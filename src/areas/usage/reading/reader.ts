import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Transaction } from "../../../kernel/work";
import type { Aggregate, Summary } from "../aggregation/aggregate";
import { type Membership, noMembers } from "../aggregation/functions";
import { type CompiledMeter, compileMeter } from "../aggregation/meter";
import { coverPeriod, type Range } from "../hours";
import { type Span, spans } from "../table.usage";
import { HourParts, weightMax, weightOf } from "./hour-parts";
import { Memory } from "./memory";
import { type Came, cameBefore, cameWithin, shownWithin } from "./recent-totals";
import type { Series, UsageKey } from "./series";
import { buildStatements, membersOf, type Statements, totalsOf } from "./store";

/** Answers and meters that are remembered; beyond it all are forgotten. Our choice: about 20 MB. */
const rememberedMax = 50_000;

/** The days that an instant can lie in. */
const always: Period = { start: -8.64e15 as Instant, end: 8.64e15 as Instant };

interface RememberedPeriod {
	keptEvents: number;
	readonly aggregate: Aggregate;
	/** Of meters with members, the pieces of the period as they went into the aggregate; of sets without the members. */
	readonly pieces: Map<string, Summary>;
}

/** What the totals hold of a period. */
type Kept = Summary & Pick<Aggregate, "value">;

/** What `current` has found of a series in the totals up to the event `after`. */
interface FoundKept {
	readonly series: Series;
	readonly after: number;
	readonly kept: Kept;
}

/** The same; or up to which event nothing was counted. */
type Found = FoundKept | { readonly noneTo: number };

const noPieces = new Map<string, Summary>();

/**
 * Reads totals, exact to the millisecond: whole days and hours from the totals, what is left of an hour from the raw events;
 * and what stands beside the totals. One for each connection. What it remembers is checked against the totals' counts each
 * time, so it changes the cost only.
 */
export class UsageReader {
	readonly statements: Statements;
	/** By what `current` was asked, as long as the totals stand: what comes beside them is added. */
	readonly #current = new Map<string, Found>();
	/** By what period `current` was asked last for whom. */
	readonly #names = new WeakMap<Period, { readonly key: UsageKey; readonly name: string }>();
	#revision: number | undefined;
	#lookedAtRevision: number | undefined;
	/** `work.usageCommits` when `current` looked at the file last. */
	#lookedAt: number | undefined;
	readonly #periods = new Memory<RememberedPeriod>(weightMax);
	readonly #parts: HourParts;
	readonly #meters = new Map<number, CompiledMeter>();

	constructor(tx: Transaction) {
		this.statements = buildStatements(tx);
		this.#parts = new HourParts(this.statements);
	}

	/** Undefined when nothing has been counted: no meter, no events, or none that the meter takes. */
	find(key: UsageKey): Series | undefined {
		this.#look();
		return this.#find(key);
	}

	/** Blocks of the log are written anew where customers are erased, which is told as a revision of the totals. */
	#look(): number {
		const { recent, log } = this.statements;
		const countedTo = recent.look();
		if (recent.revision !== this.#lookedAtRevision) log.forget();
		this.#lookedAtRevision = recent.revision;
		return countedTo;
	}

	#find(key: UsageKey): Series | undefined {
		const row = this.statements.whole.get({ ...key });
		if (!row) return undefined;
		const { counterId, subjectId, meterId, version, events, state } = row;
		const meter = this.#meter(counterId);
		const series = { counterId, subjectId, meterId, version, keptEvents: events ?? 0, keptState: state, ...meter };
		return this.#changes(series) > 0 ? series : undefined;
	}

	/**
	 * As `current`, of what was read before and with no look at the file: undefined where that may not be all. The hot path: of
	 * most customers who are asked for nothing is new but what the others' looks have brought.
	 */
	remembered(key: UsageKey, period: Period | null, commits: number | undefined): Decimal | undefined {
		const { revision } = this.statements.recent;
		if (commits === undefined || commits !== this.#lookedAt || revision !== this.#revision) return undefined;
		const name = this.#nameOf(key, period);
		const known = this.#current.get(name);
		if (!known || "noneTo" in known) return undefined;
		const found = this.#followed(known, period);
		if (found && found !== known) this.#current.set(name, found);
		const came = found && shownWithin(this.statements, found.series, period ?? always);
		return came && totalOf(found, came);
	}

	/**
	 * The meter's value within the period, of all time when it is null; undefined when nothing has been counted. As long as the
	 * totals stand, one small look and what came since. `commits` are those of the work.
	 */
	current(key: UsageKey, period: Period | null, commits: number | undefined): Decimal | undefined {
		const countedTo = this.#look();
		const { revision } = this.statements.recent;
		if (revision !== this.#revision || this.#current.size >= rememberedMax) this.#current.clear();
		this.#revision = revision;
		this.#lookedAt = commits;
		const name = this.#nameOf(key, period);
		const known = this.#current.get(name);
		let found = known && "after" in known ? this.#followed(known, period) : known;
		if (!found || ("noneTo" in found && found.noneTo !== countedTo)) {
			const series = this.#find(key);
			const { after } = this.statements.recent;
			found = series ? { series, after, kept: this.#kept(series, period) } : { noneTo: countedTo };
		}
		if (found !== known) this.#current.set(name, found);
		if ("noneTo" in found) return undefined;
		return totalOf(found, cameWithin(this.statements, found.series, period ?? always));
	}

	/** Most ask for the same period of the same customer again and again, by the same object. */
	#nameOf(key: UsageKey, period: Period | null): string {
		const last = period ? this.#names.get(period) : undefined;
		if (last && isSame(last.key, key)) return last.name;
		const name = nameOf(key, period);
		if (period) this.#names.set(period, { key, name });
		return name;
	}

	/** What was found, in the totals as they stand: where they are the next ones, with what came to them. Undefined where that is not known. */
	#followed(found: FoundKept, period: Period | null): FoundKept | undefined {
		const { recent } = this.statements;
		if (found.after === recent.after) return found;
		if (found.after !== recent.afterBefore) return undefined;
		const { series, kept } = found;
		const came = cameBefore(this.statements, series, period ?? always);
		if (!came) return undefined;
		return { series, after: recent.after, kept: came.length === 0 ? kept : sumOf(series, kept, came) };
	}

	/** What the events with start ≤ at < end come to. To be looked at, or merged into another; never to be added to. */
	within(series: Series, period: Period): Aggregate {
		const kept = this.#keptWithin(series, period);
		const came = cameWithin(this.statements, series, period);
		return came.length === 0 ? kept : sumOf(series, kept, came);
	}

	/** How often the total of the events with start ≤ at < end has changed. Those that were taken back count twice. */
	eventsWithin(series: Series, period: Period): number {
		const { parts, hours, days } = coverPeriod(period);
		const inBuckets = (span: Span, range: Range): number =>
			range.from >= range.to ? 0 : eventsIn(totalsOf(this.statements, series, span, range));
		const inParts = parts.map((part) => this.#parts.find(series, part)?.events ?? 0);
		const inHours = hours.map((range) => inBuckets(spans.hour, range));
		const came = eventsIn(cameWithin(this.statements, series, period));
		return [...inParts, ...inHours].reduce((sum, events) => sum + events, inBuckets(spans.day, days) + came);
	}

	/** How many events were counted before an instant: all but those since then, which are fewer to add up. */
	eventsBefore(series: Series, at: Instant): number {
		return this.#changes(series) - this.eventsWithin(series, { start: at, end: always.end });
	}

	#changes(series: Series): number {
		return series.keptEvents + eventsIn(cameWithin(this.statements, series, always));
	}

	/** What the totals hold of a period, of all time when it is null. */
	#kept(series: Series, period: Period | null): Kept {
		const { membership, keptState: state } = series;
		// Counted values have no row for all time: it would be read again as a whole with each new event.
		if (period !== null || membership === "counted") return this.#keptWithin(series, period ?? always);
		// A set's state is its size: no need to read it.
		if (membership === "distinct") return { state: state ?? "0", members: noMembers, value: (state ?? "0") as Decimal };
		const aggregate = series.start();
		if (state !== null) aggregate.merge({ state, members: noMembers });
		return aggregate;
	}

	#keptWithin(series: Series, period: Period): Aggregate {
		const { counterId, subjectId, version, membership, keptEvents } = series;
		const key = `${counterId}/${subjectId}/${version}/${period.start}/${period.end}`;
		const known = this.#periods.get(key);
		if (known?.keptEvents === keptEvents) return known.aggregate;
		// Members are many and only ever come to a piece: those that came are merged. All else is put together anew, of few rows.
		const isPlain = membership === "none";
		const into: RememberedPeriod =
			known && !isPlain ? known : { keptEvents: 0, aggregate: series.start(), pieces: isPlain ? noPieces : new Map() };
		const { parts, hours, days } = coverPeriod(period);
		for (const part of parts) {
			const found = this.#parts.find(series, part);
			if (found) mergePiece(into, membership, `part ${part.start}`, found.state, found.readMembers);
		}
		for (const range of hours) this.#mergeBuckets(into, series, spans.hour, range);
		this.#mergeBuckets(into, series, spans.day, days);
		into.keptEvents = keptEvents;
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
}

const nameOf = ({ environmentId, featureId, customerId, resourceRef }: UsageKey, period: Period | null): string =>
	`${environmentId}/${featureId}/${customerId}/${resourceRef}/${period?.start}/${period?.end}`;

const isSame = (one: UsageKey, other: UsageKey): boolean =>
	one.customerId === other.customerId &&
	one.featureId === other.featureId &&
	one.resourceRef === other.resourceRef &&
	one.environmentId === other.environmentId;

const totalOf = ({ series, kept }: FoundKept, came: readonly Came[]): Decimal =>
	came.length === 0 ? kept.value : sumOf(series, kept, came).value;

/** With what came after the totals. */
function sumOf(series: Series, kept: Summary, came: readonly Came[]): Aggregate {
	const sum = series.start();
	sum.merge(kept);
	for (const one of came) sum.merge(one);
	return sum;
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

const eventsIn = (counted: ReadonlyArray<{ readonly events: number }>): number =>
	counted.reduce((sum, { events }) => sum + events, 0);
