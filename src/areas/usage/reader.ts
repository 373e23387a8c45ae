import { type Decimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import type { Transaction } from "../../kernel/work";
import { ExactSum } from "./exact-sum";
import { coverPeriod, hourOf, type Range } from "./hours";
import type { EventFacts } from "./rules";
import { buildStatements, eventsOfHour, type Statements } from "./store";
import { type Span, spans } from "./table.usage";
import { type Counter, compileMeter, readDimensions } from "./tally";

/** Sums that are remembered; beyond it all are forgotten. Our choice: about 20 MB. */
const rememberedMax = 100_000;

/** Whose usage of what. */
export interface UsageKey {
	readonly environmentId: string;
	readonly featureId: string;
	readonly customerId: string;
	/** The caller's id of the resource; empty for the usage that names none. */
	readonly resourceRef: string;
}

/** A counter and a subject that have met: at least one event was counted. */
export interface Series extends Pick<Counter, "readsDimensions" | "takes" | "valueOf"> {
	readonly counterId: number;
	readonly subjectId: number;
	/** How many events are in the total. It only grows: as long as it is the same, so is every sum. */
	readonly events: number;
	readonly value: Decimal;
}

interface RememberedSum {
	readonly events: number;
	readonly value: Decimal;
}

interface RememberedPart {
	/** Of the counter in the whole hour: what is compared with the hour's total. */
	events: number;
	readonly sum: ExactSum;
	lastPosting: number;
}

/**
 * Reads totals, exact to the millisecond: whole days and hours from the sums, what is left of an hour from the raw events.
 * One for each connection. What it remembers is checked against the totals' counts each time, so it changes the cost only.
 */
export class UsageReader {
	readonly statements: Statements;
	/** What `current` answered since the totals have changed last. */
	readonly #current = new Map<string, Decimal>();
	#revision: number | undefined;
	readonly #sums = new Map<string, RememberedSum>();
	readonly #parts = new Map<string, RememberedPart>();
	readonly #meters = new Map<number, ReturnType<typeof compileMeter>>();

	constructor(tx: Transaction) {
		this.statements = buildStatements(tx);
	}

	/** Undefined when nothing has been counted: no meter, no events, or none that the meter takes. */
	find(key: UsageKey): Series | undefined {
		const row = this.statements.whole.get({ ...key });
		if (!row) return undefined;
		return { ...row, ...this.#meter(row.counterId) };
	}

	/** The sum within the period, of all time when it is null. The hot path: while nothing was counted, one small look. */
	current(key: UsageKey, period: Period | null): Decimal {
		const revision = this.statements.revision.get()?.revision;
		if (revision !== this.#revision || this.#current.size >= rememberedMax) this.#current.clear();
		this.#revision = revision;
		const { environmentId, featureId, customerId, resourceRef } = key;
		const name = `${environmentId}/${featureId}/${customerId}/${resourceRef}/${period?.start}/${period?.end}`;
		const known = this.#current.get(name);
		if (known !== undefined) return known;
		const series = this.find(key);
		const value = !series ? zero : period === null ? series.value : this.sumWithin(series, period);
		this.#current.set(name, value);
		return value;
	}

	/** The sum of the events with start ≤ at < end. */
	sumWithin(series: Series, period: Period): Decimal {
		const key = `${series.counterId}/${series.subjectId}/${period.start}/${period.end}`;
		const known = this.#sums.get(key);
		if (known?.events === series.events) return known.value;
		const { parts, hours, days } = coverPeriod(period);
		const sum = new ExactSum();
		for (const part of parts) sum.add(this.#sumOfPart(series, part));
		for (const range of hours) this.#addBuckets(sum, series, spans.hour, range);
		this.#addBuckets(sum, series, spans.day, days);
		if (this.#sums.size >= rememberedMax) this.#sums.clear();
		this.#sums.set(key, { events: series.events, value: sum.value });
		return sum.value;
	}

	/** A counter's id is never given twice, and its meter never changes. */
	#meter(counterId: number): ReturnType<typeof compileMeter> {
		const known = this.#meters.get(counterId);
		if (known) return known;
		const row = this.statements.definition.get({ counterId });
		assert(row, "a counter that was read in this transaction is there");
		const meter = compileMeter(row.definition);
		if (this.#meters.size >= rememberedMax) this.#meters.clear();
		this.#meters.set(counterId, meter);
		return meter;
	}

	#addBuckets(sum: ExactSum, { counterId, subjectId }: Series, span: Span, { from, to }: Range): void {
		if (from >= to) return;
		for (const { value } of this.statements.buckets.all({ counterId, subjectId, span, from, to })) sum.add(value);
	}

	/** A period within one hour, from the raw events. Events that came since the last time are added to what was known. */
	#sumOfPart(series: Series, part: Period): Decimal {
		const { counterId, subjectId } = series;
		const hour = hourOf(part.start);
		const total = this.statements.buckets.get({ counterId, subjectId, span: spans.hour, from: hour, to: hour + 1 });
		if (!total) return zero;
		const key = `${counterId}/${subjectId}/${part.start}/${part.end}`;
		const known = this.#parts.get(key);
		if (known) this.#readOn(series, part, hour, known);
		if (known?.events === total.events) return known.sum.value;
		// New, or an event with a lower row id came late (its customer did not exist before): all of it again.
		const fresh: RememberedPart = { events: 0, sum: new ExactSum(), lastPosting: 0 };
		this.#readOn(series, part, hour, fresh);
		if (this.#parts.size >= rememberedMax) this.#parts.clear();
		this.#parts.set(key, fresh);
		return fresh.sum.value;
	}

	#readOn(series: Series, { start, end }: Period, hour: number, into: RememberedPart): void {
		for (const { events, lastPosting } of eventsOfHour(this.statements, series.subjectId, hour, into.lastPosting)) {
			for (const { at, eventName, dimensions } of events) {
				const event: EventFacts = { eventName, dimensions: readDimensions(series.readsDimensions ? dimensions : null) };
				if (!series.takes(event)) continue;
				into.events += 1;
				if (start <= at && at < end) into.sum.add(series.valueOf(event));
			}
			into.lastPosting = lastPosting;
		}
	}
}
