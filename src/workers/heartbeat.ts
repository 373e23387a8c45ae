import type { Log } from "../http/log";

/** Our choice: as many threads as there may be at most, with room to spare. */
const placesMax = 32;

/** Our choices: how often a thread shows that it is alive, and how long it may not before the log says so. */
const beatMs = 250;
const stalledMs = 1000;

/**
 * Our choices: a process that used less of a core than this for so long is idle. Its threads beat more slowly, so that it hardly wakes, and a
 * thread that stalls is named that much later.
 */
const idleShareMax = 0.03;
const idleAfterMs = 5_000;
const idleBeatMs = 2_000;

/** Where the main thread tells the others whether the process is idle. */
const idlePlace = placesMax - 1;

/** A counter for each thread, in memory that all share: a thread that hangs cannot say so itself. */
export class Heartbeats {
	/** To be sent to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer(placesMax * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/** Beats until the answer is called. The main thread also measures how busy the process is. */
	beat(place: number): () => void {
		const measure = place === mainHeartbeat ? this.#measuring() : () => {};
		return repeat(
			() => {
				Atomics.add(this.#counts, place, 1);
				measure();
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
 * Calls `act` with the time at which it was due, again and again until the answer is called; each time asks how long to wait. It waits until a
 * multiple of that, so that timers of a thread that wait equally long wake it once. The runtime cuts a wait to whole milliseconds: without
 * rounding up, every call would come a moment early and again at its time.
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

/** The main thread's place; the others' follow in the order in which they are made. */
export const mainHeartbeat = 0;

interface Seen {
	count: number;
	changedAtMs: number;
	isStalled: boolean;
	/** How long the next beat may take to come. */
	allowedMs: number;
}

/**
 * Looks at other threads' heartbeats, and names a thread in the log that has none for a second, or for three while the process is idle: its
 * work stands still, or it hangs.
 */
export class HeartbeatMonitor {
	readonly #heartbeats: Heartbeats;
	readonly #log: Log;
	readonly #watched = new Map<string, { readonly place: number; readonly seen: Seen }>();
	readonly #stop: () => void;
	#wasIdle = false;

	constructor(heartbeats: Heartbeats, log: Log) {
		this.#heartbeats = heartbeats;
		this.#log = log;
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

	/** It has ended, or is about to. */
	leave(name: string): void {
		this.#watched.delete(name);
	}

	stop(): void {
		this.#stop();
	}

	/** A thread that beat while the process was idle waits longer for its next beat, whatever happens meanwhile. */
	#allowedMs(): number {
		return stalledMs + (this.#wasIdle || this.#heartbeats.isIdle ? idleBeatMs : 0);
	}

	#look(dueMs: number, nowMs: number): void {
		// Who has stood still itself, or a machine that slept, judges nobody.
		const isLate = nowMs - dueMs > stalledMs / 4;
		const allowedMs = this.#allowedMs();
		this.#wasIdle = this.#heartbeats.isIdle;
		for (const [name, { place, seen }] of this.#watched) {
			const count = this.#heartbeats.of(place);
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
				seen.allowedMs = allowedMs;
			} else if (forMs >= seen.allowedMs && !seen.isStalled) {
				seen.isStalled = true;
				this.#log.warn({ thread: name, stalledMs: forMs }, "a thread stalls: what it does has to wait");
			}
		}
	}
}
