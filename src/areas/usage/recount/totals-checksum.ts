import type { CountedEvents } from "../counting/tally";
import { dayOfHour, hourMs, hoursPerDay } from "../hours";
import { type Span, spans } from "../table.usage";
import { mixed } from "./event-list-checksum";

/** Primes below 2^26: two factors below them have a product that a double holds exactly. */
const primes = [67_108_859, 67_108_837] as const;
type Prime = (typeof primes)[number];

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

	get value(): number {
		return ((this.#sum % this.prime) + this.prime) % this.prime;
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

/**
 * A checksum of the totals of one additive counter. Each total is multiplied by a factor that depends on its subject
 * and its time. So the parts of a total may come in any order, and two sets of totals with equal checksums are the
 * same.
 */
export class TotalsSum {
	readonly #events = primes.map((prime) => new Residue(prime));
	readonly #states = primes.map((prime) => new Residue(prime));
	#isReadable = true;

	constructor(private readonly compared: ComparedTotals) {}

	/** Adds a total, or a part of one. */
	add(subject: number, span: Span, bucket: number, events: number, state: string | number): void {
		// A total exists only if at least one event counts in it.
		if (events < 1) this.#isReadable = false;
		if (isCompared(this.compared, span, bucket)) this.#add(subject, span, bucket, events, this.#numberOf(state));
	}

	/** Adds the events of an hour to the hour, to its day and to the whole. */
	addHour(subject: number, hour: number, { events, aggregate }: CountedEvents): void {
		const number = this.#numberOf(aggregate.state);
		const day = dayOfHour(hour);
		if (isCompared(this.compared, spans.hour, hour)) this.#add(subject, spans.hour, hour, events, number);
		if (isCompared(this.compared, spans.day, day)) this.#add(subject, spans.day, day, events, number);
		if (isCompared(this.compared, spans.ever, 0)) this.#add(subject, spans.ever, 0, events, number);
	}

	/** Returns whether both are checksums of the same totals. A total whose state is no plain number is never equal to another. */
	equals(other: TotalsSum): boolean {
		return (
			this.#isReadable &&
			other.#isReadable &&
			areEqual(this.#events, other.#events) &&
			areEqual(this.#states, other.#states)
		);
	}

	#add(subject: number, span: Span, bucket: number, events: number, state: number | Fraction): void {
		for (let at = 0; at < primes.length; at += 1) {
			const prime = primes[at] ?? primes[0];
			const factor = mixed(subject, bucket, span, seeds[at] ?? 0) % prime;
			this.#events[at]?.addProduct(factor, events % prime);
			this.#states[at]?.addProduct(factor, typeof state === "number" ? state % prime : residueOf(state, prime));
		}
	}

	#numberOf(state: string | number): number | Fraction {
		const number = typeof state === "number" ? state : (wholeOf(state) ?? fractionOf(state));
		if (number === undefined) this.#isReadable = false;
		return number ?? 0;
	}
}

const seeds = [0x9e3779b9, 0x85ebca6b] as const;

const areEqual = (one: readonly Residue[], other: readonly Residue[]): boolean =>
	one.every((residue, at) => residue.value === other[at]?.value);

/** Returns the number of a state, if it is whole and in Tollgate's form. */
function wholeOf(state: string): number | undefined {
	const number = Number(state);
	return Number.isSafeInteger(number) && String(number) === state ? number : undefined;
}

interface Fraction {
	readonly digits: bigint;
	readonly places: number;
}

/** Returns any other decimal in Tollgate's form. */
function fractionOf(state: string): Fraction | undefined {
	const [, whole, places = ""] = /^(-?(?:0|[1-9]\d*))(?:\.(\d*[1-9]))?$/.exec(state) ?? [];
	return whole === undefined ? undefined : { digits: BigInt(whole + places), places: places.length };
}

/** Returns the residue of a fraction: a division by ten is a multiplication by the inverse of ten. */
function residueOf({ digits, places }: Fraction, prime: Prime): number {
	const modulus = BigInt(prime);
	const tenth = powerOf(10n, modulus - 2n, modulus);
	return Number(((digits % modulus) * powerOf(tenth, BigInt(places), modulus)) % modulus);
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
	let [power, square, left] = [1n, base, exponent];
	for (; left > 0n; left >>= 1n) {
		if (left & 1n) power = (power * square) % modulus;
		square = (square * square) % modulus;
	}
	return power;
}
