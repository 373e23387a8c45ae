import type { WindowState } from "./sliding-window";

/**
 * 2.9 MB in all. Keys share slots, and two keys in one slot count together. The seed is new at each start, so a caller
 * cannot choose a collision.
 */
const placesMax = 65_536;
/** The seed of the key hash precedes the slots. */
const seedPlace = 0;

/** The window moves in steps. It covers this many and the current one. */
const steps = 10;
const stepsKept = steps + 1;

/** A slot of 32 bits contains the step's number, wrapped around, and its calls. */
const callsBits = 14;
const callsMask = (1 << callsBits) - 1;
const numbersMask = (1 << (32 - callsBits)) - 1;

/** Creates the shared memory of one window. The caller sends it to all threads that use the window. */
export function newWindowMemory(): SharedArrayBuffer {
	const memory = new SharedArrayBuffer((1 + placesMax * stepsKept) * Int32Array.BYTES_PER_ELEMENT);
	const seed = new Uint32Array(memory, seedPlace, 1);
	seed[0] = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
	return memory;
}

/**
 * A window that all threads of a server share: at most `callsMax` (up to 16,383) in any `windowMs`, and up to a step
 * longer. Rejected calls do not count. `nowMs` is the same clock on all threads.
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

	/** Counts a call at `nowMs`, or rejects it. */
	count(key: string, nowMs: number): WindowState {
		const step = Math.floor(nowMs / this.#stepMs);
		const first = this.#firstOf(key);
		// Counts before it reads, so that two threads do not miss each other.
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

	/** Returns the calls of the window, and the step of the oldest one. */
	#within(first: number, step: number): { readonly calls: number; readonly oldest: number } {
		let calls = 0;
		let oldest = step;
		for (let at = 0; at < stepsKept; at += 1) {
			const held = Atomics.load(this.#counts, first + at);
			const age = (step - numberOf(held)) & numbersMask;
			// An older slot was written before the window, or before the clock was set back.
			if (age >= stepsKept || (held & callsMask) === 0) continue;
			calls += held & callsMask;
			oldest = Math.min(oldest, step - age);
		}
		return { calls, oldest };
	}
}

const numberOf = (held: number): number => held >>> callsBits;
