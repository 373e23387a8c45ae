/**
 * An exact sliding window: at most `callsMax` in any `windowMs`. Source: Limits section, "30 calls per minute per entity".
 * Each key holds the times of its last calls in a ring of `callsMax`; idle keys are swept, so memory is bounded by the
 * keys of the last window. Refused calls do not count, so a caller who waits is served again.
 */
export class SlidingWindow {
	readonly #rings = new Map<string, { times: Float64Array; next: number; last: number }>();
	#sweptAt = 0;

	constructor(
		readonly callsMax: number,
		readonly windowMs: number,
	) {}

	/** Counts a call at `nowMs`, or refuses it. */
	count(key: string, nowMs: number): WindowState {
		this.#sweep(nowMs);
		let ring = this.#rings.get(key);
		if (!ring) {
			ring = { times: new Float64Array(this.callsMax).fill(Number.NEGATIVE_INFINITY), next: 0, last: nowMs };
			this.#rings.set(key, ring);
		}
		// The slot to be overwritten holds the oldest of the last `callsMax` calls.
		const oldest = ring.times[ring.next] ?? Number.NEGATIVE_INFINITY;
		const allowed = oldest <= nowMs - this.windowMs;
		if (allowed) {
			ring.times[ring.next] = nowMs;
			ring.next = (ring.next + 1) % this.callsMax;
			ring.last = nowMs;
		}
		const within = ring.times.reduce((count, time) => (time > nowMs - this.windowMs ? count + 1 : count), 0);
		const first = ring.times.reduce((min, time) => (time > nowMs - this.windowMs && time < min ? time : min), nowMs);
		return { allowed, remaining: this.callsMax - within, resetMs: first + this.windowMs - nowMs };
	}

	/** Whether the next call of this key would be refused. Counts nothing. */
	isFull(key: string, nowMs: number): boolean {
		const ring = this.#rings.get(key);
		return ring !== undefined && (ring.times[ring.next] ?? Number.NEGATIVE_INFINITY) > nowMs - this.windowMs;
	}

	/** Keys that are remembered; a measure for tests and metrics. */
	get size(): number {
		return this.#rings.size;
	}

	/** Once a window, forgets the keys that had no call within it: their calls no longer count. */
	#sweep(nowMs: number): void {
		if (nowMs - this.#sweptAt < this.windowMs) return;
		this.#sweptAt = nowMs;
		for (const [key, { last }] of this.#rings) if (last <= nowMs - this.windowMs) this.#rings.delete(key);
	}
}

export interface WindowState {
	readonly allowed: boolean;
	readonly remaining: number;
	/** Until the oldest counted call leaves the window, and with it the next place becomes free. */
	readonly resetMs: number;
}
