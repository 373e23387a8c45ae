import type { WindowState } from "./sliding-window";

/**
 * Our choice: 2.9 MB in all. Keys share places: of two that meet in one, both count together. Which ones do is another at each
 * start, so that nobody can choose whom to meet.
 */
const placesMax = 65_536;
/** Before the places: what the hash of keys starts with. */
const seedPlace = 0;

/** Our choice: the window goes on in steps, of which this many and the current one are looked at. */
const steps = 10;
const stepsKept = steps + 1;

/** What a step holds in 32 bits: its number, wrapped around, and its calls. */
const callsBits = 14;
const callsMask = (1 << callsBits) - 1;
const numbersMask = (1 << (32 - callsBits)) - 1;

/** To be sent to all threads that count in the same window. */
export function newWindowMemory(): SharedArrayBuffer {
	const memory = new SharedArrayBuffer((1 + placesMax * stepsKept) * Int32Array.BYTES_PER_ELEMENT);
	const seed = new Uint32Array(memory, seedPlace, 1);
	seed[0] = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
	return memory;
}

/**
 * A window that all threads of a server count in: at most `callsMax` (16,383 or fewer) in any `windowMs`, and up to a step longer.
 * Refused calls do not count. `nowMs` is the same clock on all threads.
 */
export class SharedWindow {
	readonly #counts: Int32Array;
	readonly #stepMs: number;

	constructor(
		readonly callsMax: number,
		windowMs: number,
		memory = newWindowMemory(),
	) {
		this.#counts = new Int32Array(memory);
		this.#stepMs = windowMs / steps;
	}

	/** Counts a call at `nowMs`, or refuses it. */
	count(key: string, nowMs: number): WindowState {
		const step = Math.floor(nowMs / this.#stepMs);
		const first = this.#firstOf(key);
		// Counted before it is looked at, so that of two threads none overlooks the other.
		this.#add(first, step, 1);
		const { calls, oldest } = this.#within(first, step);
		const allowed = calls <= this.callsMax;
		if (!allowed) this.#add(first, step, -1);
		const resetMs = (oldest + stepsKept) * this.#stepMs - nowMs;
		return { allowed, remaining: Math.max(0, this.callsMax - calls), resetMs };
	}

	#firstOf(key: string): number {
		return 1 + (Bun.hash.xxHash32(key, this.#counts[seedPlace]) % placesMax) * stepsKept;
	}

	#add(first: number, step: number, calls: number): void {
		const place = first + (step % stepsKept);
		for (;;) {
			const held = Atomics.load(this.#counts, place);
			const before = numberOf(held) === (step & numbersMask) ? held & callsMask : 0;
			const after = Math.min(callsMask, Math.max(0, before + calls));
			const next = ((step & numbersMask) << callsBits) | after;
			if (Atomics.compareExchange(this.#counts, place, held, next) === held) return;
		}
	}

	/** The calls of the window, and the step of the oldest among them. */
	#within(first: number, step: number): { readonly calls: number; readonly oldest: number } {
		let calls = 0;
		let oldest = step;
		for (let at = 0; at < stepsKept; at += 1) {
			const held = Atomics.load(this.#counts, first + at);
			const age = (step - numberOf(held)) & numbersMask;
			// What is older was written before the window, or after the clock was turned back.
			if (age >= stepsKept || (held & callsMask) === 0) continue;
			calls += held & callsMask;
			oldest = Math.min(oldest, step - age);
		}
		return { calls, oldest };
	}
}

const numberOf = (held: number): number => held >>> callsBits;
