import type { Clock } from "../../../kernel/clock";
import type { FingerprintSet } from "../fingerprints/fingerprint-set";
import type { LogFingerprints } from "./log-fingerprints";
import type { LogReader } from "./log-reader";

const dayMs = 86_400_000;

/** The interval between searches for events that are old enough. */
const searchEveryMs = 3_600_000;

/** Blocks that one step reads, a few milliseconds at most. */
const blocksAtOnce = 32;

export interface KnownWindowOptions {
	readonly reader: LogReader;
	readonly stored: LogFingerprints;
	readonly fingerprints: () => FingerprintSet;
	/** Events whose own time is younger stay known. */
	readonly days: number;
	readonly clock: Clock;
}

/** Drops the fingerprints of old events, as whole files in which each event is old enough. */
export class KnownWindow {
	readonly #options: KnownWindowOptions;
	#searchAtMs = Number.NEGATIVE_INFINITY;
	/** Up to this event, all events of the oldest file are old enough. */
	#oldTo = 0;

	constructor(options: KnownWindowOptions) {
		this.#options = options;
	}

	/** Runs one step; returns whether there is more. */
	step(): boolean {
		if (performance.now() < this.#searchAtMs) return false;
		const { reader, stored, fingerprints } = this.#options;
		const oldest = fingerprints().oldest;
		// No file, or it is being merged: the next step may find one.
		if (!oldest) return false;
		if (!this.#isOld(oldest.lastEvent)) return this.#rest();
		let next = Math.max(this.#oldTo + 1, oldest.firstEvent);
		for (let blocks = 0; blocks < blocksAtOnce && next <= oldest.lastEvent; blocks += 1) {
			if (!this.#isOld(next)) return this.#rest();
			next = (reader.spanOf(next)?.lastEvent ?? oldest.lastEvent) + 1;
		}
		this.#oldTo = next - 1;
		if (next <= oldest.lastEvent) return true;
		const last = stored.ofLast(oldest.lastEvent);
		if (!last) return this.#rest();
		fingerprints().dropOldest(last);
		return true;
	}

	/** Whether all events in the block of an event are old enough. */
	#isOld(event: number): boolean {
		const { reader, days, clock } = this.#options;
		const span = reader.spanOf(event);
		return span === undefined || span.lastAt < clock.now() - days * dayMs;
	}

	#rest(): false {
		this.#searchAtMs = performance.now() + searchEveryMs;
		return false;
	}
}
