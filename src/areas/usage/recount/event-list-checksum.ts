import type { Database as SqliteFile } from "bun:sqlite";

/** A checksum over the events of each subject and hour, in any order: lists with equal checksums are the same. */
export class HourListsSum {
	#events = 0;
	#one = 0;
	#other = 0;

	add(subject: number, hour: number, event: number): void {
		this.#events += 1;
		this.#one = (this.#one + mixed(subject, hour, event, 0x9e3779b9)) >>> 0;
		this.#other = (this.#other + mixed(event, subject, hour, 0x85ebca6b)) >>> 0;
	}

	equals(sum: HourListsSum): boolean {
		return this.#events === sum.#events && this.#one === sum.#one && this.#other === sum.#other;
	}
}

/**
 * Returns the checksum of the lists in a file of totals, from an hour on. A list of one event is read without its
 * bytes.
 */
export function sumOfHourLists(db: SqliteFile, file: string, firstHour: number): HourListsSum {
	const sum = new HourListsSum();
	const rows = db
		.prepare<{ subject: number; hour: number; first: number; offsets: Uint8Array | null }, [number]>(
			`SELECT subject_id AS subject, hour, first_event AS first, nullif(offsets, x'00000000') AS offsets
			FROM ${file}.usage_events_by_hour WHERE hour >= ?`,
		)
		.iterate(firstHour);
	for (const { subject, hour, first, offsets } of rows)
		if (offsets === null) sum.add(subject, hour, first);
		else for (const offset of offsetsOf(offsets)) sum.add(subject, hour, first + offset);
	return sum;
}

/** Copies bytes: those of SQLite may not be aligned to words. */
const offsetsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** Mixes three whole numbers into 32 bits, each of which depends on all bits of the numbers. */
export function mixed(one: number, two: number, three: number, seed: number): number {
	const hash = withNumber(withNumber(withNumber(seed, one), two), three);
	const last = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
	return (last ^ (last >>> 16)) >>> 0;
}

const withNumber = (hash: number, value: number): number =>
	value === (value | 0) ? withWord(hash, value) : withWord(withWord(hash, value | 0), Math.floor(value / 2 ** 32) | 0);

function withWord(hash: number, word: number): number {
	const once = Math.imul(hash ^ word, 0xcc9e2d51);
	const twice = Math.imul(once ^ (once >>> 15), 0x85ebca6b);
	return twice ^ (twice >>> 13);
}
