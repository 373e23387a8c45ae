import type { Clock } from "../../../kernel/clock";
import type { FingerprintSet } from "../fingerprints/fingerprint-set";
import type { LogFingerprints } from "./log-fingerprints";
import type { LogReader } from "./log-reader";

const dayMs = 86_400_000;

/** Our choice: how often it is looked whether the oldest have become old enough. */
const lookEveryMs = 3_600_000;

/** Our choice: blocks that are looked at in one step, some milliseconds at most. */
const blocksAtOnce = 32;

export interface KnownWindowOptions {
	readonly reader: LogReader;
	readonly kept: LogFingerprints;
	readonly fingerprints: () => FingerprintSet;
	/** Events that are younger by their own time stay known. */
	readonly days: number;
	readonly clock: Clock;
}

/** Forgets the fingerprints of events that need not be known any more: whole files of them, of which each event is too old. */
export class KnownWindow {
	readonly #options: KnownWindowOptions;
	#lookAtMs = Number.NEGATIVE_INFINITY;
	/** Up to which event of the oldest file all are too old. */
	#oldTo = 0;

	constructor(options: KnownWindowOptions) {
		this.#options = options;
	}

	/** A piece of the work; answers whether there is more. */
	step(): boolean {
		if (performance.now() < this.#lookAtMs) return false;
		const { reader, kept, fingerprints } = this.#options;
		const oldest = fingerprints().oldest;
		// None, or it is being merged with others: at the next step it may be there.
		if (!oldest) return false;
		if (!this.#isOld(oldest.lastEvent)) return this.#rest();
		let next = Math.max(this.#oldTo + 1, oldest.firstEvent);
		for (let blocks = 0; blocks < blocksAtOnce && next <= oldest.lastEvent; blocks += 1) {
			if (!this.#isOld(next)) return this.#rest();
			next = (reader.spanOf(next)?.lastEvent ?? oldest.lastEvent) + 1;
		}
		this.#oldTo = next - 1;
		if (next <= oldest.lastEvent) return true;
		const last = kept.ofLast(oldest.lastEvent);
		if (!last) return this.#rest();
		fingerprints().forgetOldest(last);
		return true;
	}

	/** Whether all events of the block of an event are too old. */
	#isOld(event: number): boolean {
		const { reader, days, clock } = this.#options;
		const span = reader.spanOf(event);
		return span === undefined || span.lastAt < clock.now() - days * dayMs;
	}

	#rest(): false {
		this.#lookAtMs = performance.now() + lookEveryMs;
		return false;
	}
}
