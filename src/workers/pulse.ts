import type { Log } from "../http/log";

/** Our choice: as many threads as there may be at most, with room to spare. */
const placesMax = 32;

/** Our choices: how often a thread shows that it is alive, and how long it may not before the log says so. */
const beatMs = 250;
const stalledMs = 1000;

/** A counter for each thread, in memory that all share: a thread that hangs cannot say so itself. */
export class Pulses {
	/** To be sent to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer(placesMax * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/** Beats until the answer is called. */
	beat(place: number): () => void {
		const timer = setInterval(() => Atomics.add(this.#counts, place, 1), beatMs);
		return () => clearInterval(timer);
	}

	of(place: number): number {
		return Atomics.load(this.#counts, place);
	}
}

/** The main thread's place; the others' follow in the order in which they are made. */
export const mainPulse = 0;

interface Seen {
	count: number;
	changedAtMs: number;
	isStalled: boolean;
}

/** Looks at other threads' pulses, and names in the log who has none for a second: its work stands still, or it hangs. */
export class PulseWatch {
	readonly #pulses: Pulses;
	readonly #log: Log;
	readonly #watched = new Map<string, { readonly place: number; readonly seen: Seen }>();
	readonly #timer: ReturnType<typeof setInterval>;
	#lookedAtMs = performance.now();

	constructor(pulses: Pulses, log: Log) {
		this.#pulses = pulses;
		this.#log = log;
		this.#timer = setInterval(() => this.#look(performance.now()), beatMs);
	}

	watch(name: string, place: number): void {
		const seen = { count: this.#pulses.of(place), changedAtMs: performance.now(), isStalled: false };
		this.#watched.set(name, { place, seen });
	}

	/** It has ended, or is about to. */
	leave(name: string): void {
		this.#watched.delete(name);
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	#look(nowMs: number): void {
		// Who has stood still itself, or a machine that slept, judges nobody.
		const isLate = nowMs - this.#lookedAtMs > stalledMs / 2;
		this.#lookedAtMs = nowMs;
		for (const [name, { place, seen }] of this.#watched) {
			const count = this.#pulses.of(place);
			// It has not begun yet.
			if (count === 0) continue;
			const forMs = Math.round(nowMs - seen.changedAtMs);
			if (count !== seen.count) {
				if (seen.isStalled) this.#log.warn({ thread: name, stalledMs: forMs }, "a thread goes on");
				seen.isStalled = false;
			}
			if (count !== seen.count || isLate) {
				seen.count = count;
				seen.changedAtMs = nowMs;
			} else if (forMs >= stalledMs && !seen.isStalled) {
				seen.isStalled = true;
				this.#log.warn({ thread: name, stalledMs: forMs }, "a thread stalls: what it does has to wait");
			}
		}
	}
}
