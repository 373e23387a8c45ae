/** The time until the log reports how often a fault was repeated. Each further line comes after twice that time. */
const countMsMin = 60_000;
const countMsMax = 60 * countMsMin;

/** Further kinds of faults are counted together. */
const faultsMax = 100;

/** Writes the number of repeats since the last line. */
type Report = (repeats: number) => void;

/** Bounds the log lines about faults that repeat with every request, such as those of a full disk. */
export class RepeatedFaults {
	readonly #repeats = new Map<string, number>();
	readonly #countMs: number;

	constructor(countMs = countMsMin) {
		this.#countMs = countMs;
	}

	/** Returns whether the fault is new. A known one is counted, and the `report` of its first line writes the count later. */
	isNew(fault: string, report: Report): boolean {
		const key = this.#repeats.size < faultsMax || this.#repeats.has(fault) ? fault : "";
		const repeats = this.#repeats.get(key);
		this.#repeats.set(key, repeats === undefined ? 0 : repeats + 1);
		if (repeats === undefined) this.#countLater(key, report, this.#countMs);
		return repeats === undefined;
	}

	/** A fault without repeats in the meantime is over, so its next line is written immediately. */
	#countLater(key: string, report: Report, afterMs: number): void {
		const timer = setTimeout(() => {
			const repeats = this.#repeats.get(key);
			if (!repeats) return void this.#repeats.delete(key);
			this.#repeats.set(key, 0);
			report(repeats);
			this.#countLater(key, report, Math.min(countMsMax, 2 * afterMs));
		}, afterMs);
		timer.unref();
	}
}
