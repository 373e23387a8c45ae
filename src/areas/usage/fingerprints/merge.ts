import { entryWords } from "./recent-table";
import { type Run, RunWriter } from "./run-file";
import { comesBefore } from "./sort";

/** Entries that are read from each run, and written, at once: 64 KiB. */
const bufferEntries = 4096;

/** The reading position in one run. */
class Source {
	readonly buffer = new Uint32Array(bufferEntries * entryWords);
	/** In words. */
	at = 0;
	#filled = 0;
	#read = 0;

	constructor(private readonly run: Run) {}

	/** Whether there is an entry at `at`. */
	hasEntry(): boolean {
		if (this.at < this.#filled) return true;
		if (this.#read >= this.run.header.entries) return false;
		const entries = this.run.readEntries(this.#read, this.buffer);
		this.#read += entries;
		this.#filled = entries * entryWords;
		this.at = 0;
		return entries > 0;
	}
}

/** Merges neighboring runs into one, a few entries at a time, so that ingest never waits for a large merge. */
export class Merge {
	readonly #sources: Source[];
	readonly #writer: RunWriter;
	readonly #out = new Uint32Array(bufferEntries * entryWords);
	#filled = 0;

	/** `runs` are neighbors, in the order of the log. */
	constructor(
		readonly runs: readonly Run[],
		readonly path: string,
	) {
		this.#sources = runs.map((run) => new Source(run));
		this.#writer = new RunWriter(path, {
			entries: runs.reduce((sum, { header }) => sum + header.entries, 0),
			firstEvent: runs[0]?.header.firstEvent ?? 0,
			lastEvent: runs.at(-1)?.header.lastEvent ?? 0,
		});
	}

	/** Merges further entries; returns whether the new run is whole and on disk. */
	step(entriesMax: number): boolean {
		for (let left = entriesMax; left > 0; left -= 1) {
			const least = this.#least();
			if (!least) {
				this.#flush();
				this.#writer.finish();
				return true;
			}
			for (let word = 0; word < entryWords; word += 1)
				this.#out[this.#filled + word] = least.buffer[least.at + word] ?? 0;
			least.at += entryWords;
			this.#filled += entryWords;
			if (this.#filled === this.#out.length) this.#flush();
		}
		return false;
	}

	/** Its memory in addition to the runs, in bytes. */
	get memoryBytes(): number {
		return this.#writer.memoryBytes + (this.#sources.length + 1) * this.#out.byteLength;
	}

	abandon(): void {
		this.#writer.abandon();
	}

	#least(): Source | undefined {
		let least: Source | undefined;
		for (const source of this.#sources) {
			if (!source.hasEntry()) continue;
			if (!least || comesBefore(source.buffer, source.at, least.buffer, least.at)) least = source;
		}
		return least;
	}

	#flush(): void {
		this.#writer.append(this.#out.subarray(0, this.#filled));
		this.#filled = 0;
	}
}
