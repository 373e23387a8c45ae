import type { Log } from "../http/log";

/** More than the largest number of threads. */
const placesMax = 32;

/** The interval of a thread's beats, and the time without a beat after which the log names the thread. */
const beatMs = 250;
const stalledMs = 1000;

/**
 * A process is idle if it used less than this share of a core for this time. Its threads then beat more slowly, so that
 * it hardly wakes. The log names a stalled thread that much later.
 */
const idleShareMax = 0.03;
const idleAfterMs = 5_000;
const idleBeatMs = 2_000;

/** The place where the main thread writes whether the process is idle. */
const idlePlace = placesMax - 1;

/** A counter for each thread, in shared memory: a thread that hangs cannot report it. */
export class Heartbeats {
	/** The memory to send to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer(placesMax * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/**
	 * Beats until the returned function is called, and calls `onBeat` with the time that each beat was due. The main thread also measures
	 * how busy the process is.
	 */
	beat(place: number, onBeat: (dueMs: number) => void = () => {}): () => void {
		const measure = place === mainHeartbeat ? this.#measuring() : () => {};
		return repeat(
			(dueMs) => {
				Atomics.add(this.#counts, place, 1);
				measure();
				onBeat(dueMs);
			},
			() => this.beatEveryMs,
		);
	}

	get isIdle(): boolean {
		return Atomics.load(this.#counts, idlePlace) === 1;
	}

	get beatEveryMs(): number {
		return this.isIdle ? idleBeatMs : beatMs;
	}

	of(place: number): number {
		return Atomics.load(this.#counts, place);
	}

	#measuring(): () => void {
		let [measuredAtMs, cpuMs] = [performance.now(), processCpuMs()];
		let busyAtMs = measuredAtMs;
		return () => {
			const [nowMs, cpuNowMs] = [performance.now(), processCpuMs()];
			if (cpuNowMs - cpuMs > (nowMs - measuredAtMs) * idleShareMax) busyAtMs = nowMs;
			[measuredAtMs, cpuMs] = [nowMs, cpuNowMs];
			Atomics.store(this.#counts, idlePlace, nowMs - busyAtMs >= idleAfterMs ? 1 : 0);
		};
	}
}

/** CPU time of the process, over all threads. */
function processCpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/**
 * Calls `act` with its due time, repeatedly until the returned function is called; `everyMs` gives each interval. It waits until a multiple of
 * the interval, so that equal timers of a thread wake it once. The runtime truncates a wait to whole milliseconds: without rounding up, every
 * call would come early and again at its time.
 */
function repeat(act: (dueMs: number) => void, everyMs: () => number): () => void {
	const wait = () => {
		const ms = everyMs();
		const nowMs = performance.now();
		const waitMs = ms - (nowMs % ms);
		return setTimeout(next, Math.ceil(waitMs), nowMs + waitMs);
	};
	const next = (dueMs: number) => {
		act(dueMs);
		timer = wait();
	};
	let timer = wait();
	return () => clearTimeout(timer);
}

/** The main thread's place. Those of the other threads follow in the order in which they are made. */
export const mainHeartbeat = 0;

interface Seen {
	count: number;
	changedAtMs: number;
	isStalled: boolean;
	/** The longest time until the next beat. */
	allowedMs: number;
}

/**
 * Watches the heartbeats of other threads. The log names a thread without a beat for a second, or for three seconds in an idle process: its
 * work is blocked, or it hangs.
 */
export class HeartbeatMonitor {
	readonly #heartbeats: Heartbeats;
	readonly #log: Log;
	readonly #watched = new Map<string, { readonly place: number; readonly seen: Seen }>();
	readonly #stop: () => void;
	readonly #onStall: (name: string) => void;
	#wasIdle = false;

	constructor(heartbeats: Heartbeats, log: Log, onStall: (name: string) => void = () => {}) {
		this.#heartbeats = heartbeats;
		this.#log = log;
		this.#onStall = onStall;
		this.#stop = repeat(
			(dueMs) => this.#look(dueMs, performance.now()),
			() => heartbeats.beatEveryMs,
		);
	}

	watch(name: string, place: number): void {
		const seen = {
			count: this.#heartbeats.of(place),
			changedAtMs: performance.now(),
			isStalled: false,
			allowedMs: this.#allowedMs(),
		};
		this.#watched.set(name, { place, seen });
	}

	/** Called when the thread has ended or is about to. */
	leave(name: string): void {
		this.#watched.delete(name);
	}

	stop(): void {
		this.#stop();
	}

	/** Allows more time while the process is idle, and for the first beat after that. */
	#allowedMs(): number {
		return stalledMs + (this.#wasIdle || this.#heartbeats.isIdle ? idleBeatMs : 0);
	}

	#look(dueMs: number, nowMs: number): void {
		// If this thread itself was blocked, or the machine slept, the counts prove nothing.
		const isLate = nowMs - dueMs > stalledMs / 4;
		const allowedMs = this.#allowedMs();
		this.#wasIdle = this.#heartbeats.isIdle;
		for (const [name, { place, seen }] of this.#watched) {
			const count = this.#heartbeats.of(place);
			// The thread has not started.
			if (count === 0) continue;
			const forMs = Math.round(nowMs - seen.changedAtMs);
			if (count !== seen.count) {
				if (seen.isStalled) this.#log.warn({ thread: name, stalledMs: forMs }, "a thread continues");
				seen.isStalled = false;
			}
			if (count !== seen.count || isLate) {
				seen.count = count;
				seen.changedAtMs = nowMs;
				seen.allowedMs = allowedMs;
			} else if (forMs >= seen.allowedMs && !seen.isStalled) {
				seen.isStalled = true;
				this.#log.warn({ thread: name, stalledMs: forMs }, "a thread stalls: its work waits");
				this.#onStall(name);
			}
		}
	}
}
