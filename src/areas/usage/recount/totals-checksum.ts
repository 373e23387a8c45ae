import { dayOfHour, hourMs, hoursPerDay } from "../hours";
import { type Span, spans } from "../table.usage";
import { type Prime, primes, residueOf, type Scaled, scaledOf } from "./decimal-residue";
import { mixed } from "./event-list-checksum";

/** A sum up to this one stays exact when a product below 2^52 is added. */
const exactMax = 2 ** 52;

/** A sum of products modulo a prime. */
class Residue {
	#sum = 0;

	constructor(private readonly prime: Prime) {}

	addProduct(factor: number, value: number): void {
		this.#sum += factor * value;
		if (this.#sum > exactMax || this.#sum < -exactMax) this.#sum %= this.prime;
	}

	equals(other: Residue): boolean {
		return (this.#sum - other.#sum) % this.prime === 0;
	}
}

/** The totals that a check compares: those without skipped events. */
export interface ComparedTotals {
	readonly isWhole: boolean;
	readonly firstHour: number;
}

/** Whether a total has no skipped events. */
function isCompared({ isWhole, firstHour }: ComparedTotals, span: Span, bucket: number): boolean {
	if (isWhole) return true;
	switch (span) {
		case spans.ever:
			return false;
		case spans.day:
			return bucket * hoursPerDay >= firstHour;
		case spans.hour:
			return bucket >= firstHour;
		default:
			return bucket >= firstHour * hourMs;
	}
}

/** The factors of totals in the sums modulo each of the primes. */
export type Weight = readonly [number, number];

/** Keeps the lower 26 bits, so that a factor is below 2^26. */
const factorBits = 0x3ffffff;

const oneFactor = (subject: number, span: Span, bucket: number): number =>
	mixed(subject, bucket, span, 0x9e3779b9) & factorBits;

const otherFactor = (subject: number, span: Span, bucket: number): number =>
	mixed(subject, bucket, span, 0x85ebca6b) & factorBits;

/** Returns the weight of an event in an hour: it counts in the total of the hour, of its day and of the whole. */
export function weightOfHour(compared: ComparedTotals, subject: number, hour: number): Weight {
	let [one, other] = [0, 0];
	if (isCompared(compared, spans.hour, hour)) {
		one += oneFactor(subject, spans.hour, hour);
		other += otherFactor(subject, spans.hour, hour);
	}
	const day = dayOfHour(hour);
	if (isCompared(compared, spans.day, day)) {
		one += oneFactor(subject, spans.day, day);
		other += otherFactor(subject, spans.day, day);
	}
	if (isCompared(compared, spans.ever, 0)) {
		one += oneFactor(subject, spans.ever, 0);
		other += otherFactor(subject, spans.ever, 0);
	}
	return [one % primes[0], other % primes[1]];
}

/**
 * A checksum of the totals of one additive counter. Each total is multiplied by a factor that depends on its subject
 * and its time. So the parts of a total may come in any order, and two sets of totals with equal checksums are the
 * same.
 */
export class TotalsSum {
	readonly #events = [new Residue(primes[0]), new Residue(primes[1])] as const;
	readonly #states = [new Residue(primes[0]), new Residue(primes[1])] as const;
	#isReadable = true;

	constructor(private readonly compared: ComparedTotals) {}

	/** Adds a total, or a part of one. */
	add(subject: number, span: Span, bucket: number, events: number, state: string | number): void {
		// A total exists only if at least one event counts in it.
		if (events < 1) this.#isReadable = false;
		if (!isCompared(this.compared, span, bucket)) return;
		this.#add(oneFactor(subject, span, bucket), otherFactor(subject, span, bucket), events, state);
	}

	/** Adds a part of all totals that have a weight together. */
	addWeighted([one, other]: Weight, events: number, state: string | number): void {
		this.#add(one, other, events, state);
	}

	/** Returns whether both are checksums of the same totals. A total whose state is no plain number is never equal to another. */
	equals(other: TotalsSum): boolean {
		return (
			this.#isReadable &&
			other.#isReadable &&
			this.#events.every((residue, at) => other.#events[at]?.equals(residue)) &&
			this.#states.every((residue, at) => other.#states[at]?.equals(residue))
		);
	}

	#add(one: number, other: number, events: number, state: string | number): void {
		const number = this.#numberOf(state);
		this.#events[0].addProduct(one, events % primes[0]);
		this.#events[1].addProduct(other, events % primes[1]);
		this.#states[0].addProduct(one, residueOf(number, primes[0]));
		this.#states[1].addProduct(other, residueOf(number, primes[1]));
	}

	#numberOf(state: string | number): number | Scaled {
		if (typeof state === "number") return state;
		const number = scaledOf(state);
		if (number === undefined) this.#isReadable = false;
		return number ?? 0;
	}
}
