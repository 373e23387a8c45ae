/** A key takes about a kibibyte, so a window takes at most about 100 MiB. */
const keysMaxDefault = 100_000;

/**
 * An exact sliding window: at most `callsMax` in any `windowMs`. Each key has a ring with the times of its last
 * `callsMax` calls. Keys without a call within the window are evicted, and beyond `keysMax` the least recently used
 * ones. Rejected calls do not count, so a caller that waits is served again.
 */
export class SlidingWindow {
	/** In the order of their last calls; the first is evicted first. */
	readonly #rings = new Map<string, Ring>();

	constructor(
		readonly callsMax: number,
		readonly windowMs: number,
		readonly keysMax: number = keysMaxDefault,
	) {}

	/** Counts a call at `nowMs`, or rejects it. */
	count(key: string, nowMs: number): WindowState {
		const ring = this.#rings.get(key) ?? {
			times: new Float64Array(this.callsMax).fill(Number.NEGATIVE_INFINITY),
			next: 0,
			last: nowMs,
		};
		// The slot that is overwritten next contains the oldest of the last `callsMax` calls.
		const oldest = ring.times[ring.next] ?? Number.NEGATIVE_INFINITY;
		const allowed = oldest <= nowMs - this.windowMs;
		if (allowed) {
			ring.times[ring.next] = nowMs;
			ring.next = (ring.next + 1) % this.callsMax;
			ring.last = nowMs;
			this.#rings.delete(key);
			this.#rings.set(key, ring);
		}
		this.#forget(nowMs);
		const { calls: within } = this.callsOf(key, nowMs);
		const first = ring.times.reduce((min, time) => (time > nowMs - this.windowMs && time < min ? time : min), nowMs);
		return { allowed, remaining: this.callsMax - within, resetMs: first + this.windowMs - nowMs };
	}

	/** Removes the key's newest call, which should not count. */
	uncount(key: string): void {
		const ring = this.#rings.get(key);
		if (!ring) return;
		ring.next = (ring.next + this.callsMax - 1) % this.callsMax;
		ring.times[ring.next] = Number.NEGATIVE_INFINITY;
	}

	/** Whether the next call of this key would be rejected. Counts nothing. */
	isFull(key: string, nowMs: number): boolean {
		const ring = this.#rings.get(key);
		return ring !== undefined && (ring.times[ring.next] ?? Number.NEGATIVE_INFINITY) > nowMs - this.windowMs;
	}

	/** Returns the calls of the key within the window, and the time of the newest. Counts nothing. */
	callsOf(key: string, nowMs: number): { readonly calls: number; readonly newestMs: number } {
		let calls = 0;
		let newestMs = Number.NEGATIVE_INFINITY;
		for (const time of this.#rings.get(key)?.times ?? []) {
			if (time <= nowMs - this.windowMs) continue;
			calls += 1;
			newestMs = Math.max(newestMs, time);
		}
		return { calls, newestMs };
	}

	/** The number of keys; for tests and metrics. */
	get size(): number {
		return this.#rings.size;
	}

	#forget(nowMs: number): void {
		for (const [key, { last }] of this.#rings) {
			if (last > nowMs - this.windowMs && this.#rings.size <= this.keysMax) return;
			this.#rings.delete(key);
		}
	}
}

interface Ring {
	readonly times: Float64Array;
	next: number;
	last: number;
}

export interface WindowState {
	readonly allowed: boolean;
	readonly remaining: number;
	/** The time until the oldest counted call leaves the window. */
	readonly resetMs: number;
}
