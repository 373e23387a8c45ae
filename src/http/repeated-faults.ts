/** Our choice: how soon the log says how often a fault was repeated. Each further line comes after twice as long. */
const countMsMin = 60_000;
const countMsMax = 60 * countMsMin;

/** Our choice: a disk fails in a few ways. Beyond so many, faults are counted together. */
const faultsMax = 100;

/** Writes that a fault was repeated so many times since its line before. */
type Report = (repeats: number) => void;

/** Bounds the lines of the log about faults that repeat with every request, such as those of a full disk. */
export class RepeatedFaults {
	readonly #repeats = new Map<string, number>();
	readonly #countMs: number;

	constructor(countMs = countMsMin) {
		this.#countMs = countMs;
	}

	/** Answers whether the fault is new. One that is known is counted; `report` of its first line writes the count later. */
	isNew(fault: string, report: Report): boolean {
		const key = this.#repeats.size < faultsMax || this.#repeats.has(fault) ? fault : "";
		const repeats = this.#repeats.get(key);
		this.#repeats.set(key, repeats === undefined ? 0 : repeats + 1);
		if (repeats === undefined) this.#countLater(key, report, this.#countMs);
		return repeats === undefined;
	}

	/** A fault that was not repeated in the meantime is over: its next line is written at once. */
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
