import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
	addToLine,
	bloomLines,
	bloomWords,
	lineMayHold,
	lineOf,
	lineWords,
} from "../../../../src/areas/usage/fingerprints/bloom";
import { fingerprintOf, wyhash } from "../../../../src/areas/usage/fingerprints/fingerprint";
import { FingerprintSet } from "../../../../src/areas/usage/fingerprints/fingerprint-set";
import { entryWords, RecentTable } from "../../../../src/areas/usage/fingerprints/recent-table";
import { comesBefore, sortEntries } from "../../../../src/areas/usage/fingerprints/sort";
import { folderOfTest } from "../../../support/folders";
import { slowRuns } from "../../../support/runs";

/** Few values, so that chains, equal fingerprints and wrapped slots abound. */
const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(4094, 4095, 4096, 2 ** 32 - 1));

interface Collection {
	some(high: number, low: number, visit: (event: number) => boolean): boolean;
}

function eventsUnder(set: Collection, high: number, low: number): number[] {
	const events: number[] = [];
	set.some(high, low, (event) => {
		events.push(event);
		return false;
	});
	return events.sort((one, other) => one - other);
}

describe("the table of recent fingerprints", () => {
	test("holds added events until they are removed, several under one fingerprint", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.boolean(), word, word), { maxLength: 60 }), (steps) => {
				const table = new RecentTable();
				const held: Array<[number, number, number]> = [];
				for (const [index, [adds, high, low]] of steps.entries()) {
					const gone = held.findIndex(([h, l]) => h === high && l === low);
					if (adds || gone < 0) {
						table.add(high, low, index + 1);
						held.push([high, low, index + 1]);
					} else {
						const [[h, l, event] = [0, 0, 0]] = held.splice(gone, 1);
						table.remove(h, l, event);
					}
				}
				expect(table.size).toBe(held.length);
				for (const [, high, low] of steps) {
					const expected = held.filter(([h, l]) => h === high && l === low).map(([, , event]) => event);
					expect(eventsUnder(table, high, low)).toEqual(expected);
				}
			}),
			{ numRuns: 200 },
		);
	});

	test("grows, and stores row ids beyond 2^32", () => {
		const table = new RecentTable();
		for (let event = 1; event <= 10_000; event += 1) table.add(event % 7, event, 2 ** 40 + event);
		expect(eventsUnder(table, 9999 % 7, 9999)).toEqual([2 ** 40 + 9999]);
		expect(table.entries().length).toBe(10_000 * entryWords);
	});
});

test("entries are sorted by fingerprint, then by event", () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.oneof(word, fc.nat(2 ** 32 - 1)), word, fc.nat(9)), { maxLength: 50 }),
			(entries) => {
				const sorted = sortEntries(new Uint32Array(entries.flatMap(([high, low, event]) => [high, low, 0, event])));
				for (let at = entryWords; at < sorted.length; at += entryWords)
					expect(comesBefore(sorted, at, sorted, at - entryWords)).toBe(false);
				const texts = Array.from({ length: entries.length }, (_, at) => sorted.slice(at * 4, at * 4 + 4).join());
				expect(texts.sort()).toEqual(entries.map(([high, low, event]) => [high, low, 0, event].join()).sort());
			},
		),
		{ numRuns: 200 },
	);
});

test("the Bloom filter finds all added fingerprints, and few others", () => {
	const events = 20_000;
	const words = new Uint32Array(bloomWords(events));
	const beginOf = (high: number) => lineOf(high, bloomLines(events)) * lineWords;
	const print = (text: string) => fingerprintOf(wyhash, text);
	for (let event = 0; event < events; event += 1) {
		const { high, low } = print(`in ${event}`);
		addToLine(words, beginOf(high), low);
	}
	const mayHold = (text: string) => {
		const { high, low } = print(text);
		return lineMayHold(words, beginOf(high), low);
	};
	const names = Array.from({ length: events }, (_, event) => event);
	expect(names.filter((event) => mayHold(`in ${event}`)).length).toBe(events);
	expect(names.filter((event) => mayHold(`out ${event}`)).length / events).toBeLessThan(0.025);
});

describe("the set of all fingerprints", () => {
	const open = (folder: string, isOurs = true) =>
		new FingerprintSet({
			folder,
			recentMax: 8,
			isOurs: () => isOurs,
			isLast: () => true,
			onTrouble: (error) => {
				throw error;
			},
		});

	const print = (event: number) => ({ high: (event * 2654435761) % 2 ** 32, low: event % 5 });
	/** Adds the events of a log from where the files end, as the log does after a start. */
	const replay = (set: FingerprintSet, to: number, mergeEntries: number) => {
		for (let event = set.coveredTo + 1; event <= to; event += 1) {
			set.add(print(event).high, print(event).low, event);
			if (event % 3 === 0) set.tidy(event, mergeEntries);
		}
	};
	const knowsAll = (set: FingerprintSet, to: number) =>
		Array.from({ length: to }, (_, at) => at + 1).every((event) => {
			const { high, low } = print(event);
			return set.some(high, low, (found) => found === event);
		});

	test("knows every event through spills, merges and restarts, whichever files a crash left", () => {
		fc.assert(
			fc.property(
				fc.nat(300),
				fc.nat(300),
				fc.integer({ min: 1, max: 40 }),
				fc.nat(20),
				(first, second, mergeEntries, lost) => {
					const folder = folderOfTest();
					const before = open(folder);
					replay(before, first, mergeEntries);
					expect(knowsAll(before, first)).toBe(true);
					// No close: a kill leaves half-written files. In addition, one of the others is lost.
					const names = readdirSync(folder).sort();
					const victim = names[lost];
					if (victim) rmSync(join(folder, victim));
					const after = open(folder);
					replay(after, first + second, mergeEntries);
					expect(knowsAll(after, first + second)).toBe(true);
					const { high, low } = print(first + second + 1);
					expect(after.some(high, low, (found) => found === first + second + 1)).toBe(false);
					after.close();
				},
			),
			slowRuns(15),
		);
	}, 30_000);

	test("merges, so that lookups read few files", () => {
		const set = open(folderOfTest());
		replay(set, 1000, 200);
		while (set.tidy(1000, 1000));
		expect(set.runs).toBeLessThan(12);
		expect(knowsAll(set, 1000)).toBe(true);
	}, 30_000);

	test("finds equal fingerprints on whichever page of a file they stand", () => {
		const set = new FingerprintSet({
			folder: folderOfTest(),
			recentMax: 1000,
			isOurs: () => true,
			isLast: () => true,
			onTrouble: () => {},
		});
		for (let event = 1; event <= 1000; event += 1) set.add(event < 200 ? event : 7_000_000, 3, event);
		set.tidy(1000, 1);
		expect(set.runs).toBe(1);
		expect(eventsUnder(set, 7_000_000, 3).length).toBe(801);
		expect(eventsUnder(set, 199, 3)).toEqual([199]);
		expect(eventsUnder(set, 200, 3)).toEqual([]);
	});

	describe("its memory", () => {
		const keys = 200_000;
		const recentMax = 1024;
		/** Fingerprints as evenly spread as by the hash. */
		const spread = (event: number) => fingerprintOf(wyhash, `event ${event}`);
		const filled = (memoryBytesMax: number, onStep: (set: FingerprintSet, event: number) => void, keys = 200_000) => {
			const set = new FingerprintSet({
				...{ folder: folderOfTest(), recentMax, memoryBytesMax, isOurs: () => true, isLast: () => true },
				onTrouble: (error) => {
					throw error;
				},
			});
			for (let event = 1; event <= keys; event += 1) {
				const { high, low } = spread(event);
				set.add(high, low, event);
				if (event % 100 !== 0) continue;
				set.tidy(event, 1000);
				onStep(set, event);
			}
			return set;
		};
		const knows = (set: FingerprintSet, event: number) => {
			const { high, low } = spread(event);
			return set.some(high, low, (found) => found === event);
		};

		test("is at most two bytes a key, with the table of the newest, at every moment of a merge", () => {
			let most = 0;
			// A merge takes half a megabyte, however many keys there are: a million keys show the memory for each.
			const many = 1_000_000;
			const observe = ({ memoryBytes }: FingerprintSet, event: number) => {
				if (event > many * 0.95) most = Math.max(most, memoryBytes / event);
			};
			const set = filled(Number.MAX_SAFE_INTEGER, observe, many);
			expect(most).toBeGreaterThan(1);
			expect(most).toBeLessThan(2);
			set.close();
		}, 60_000);

		test("is no more than is set: beyond it filters stay in their files, and every key is known all the same", () => {
			// The table of the newest events and a merge take about 500 KB of it; all filters would take 250 KB.
			const bound = 640 * 1024;
			let most = 0;
			const set = filled(bound, ({ memoryBytes }) => {
				most = Math.max(most, memoryBytes);
			});
			expect(most).toBeLessThanOrEqual(bound);
			while (set.tidy(keys, 100_000));
			expect(set.memoryBytes).toBeLessThanOrEqual(bound);
			for (let event = 1; event <= keys; event += 41) expect(knows(set, event)).toBe(true);
			for (let event = keys + 1; event <= keys + 2000; event += 1) expect(knows(set, event)).toBe(false);
			set.close();
		}, 60_000);

		test("with no room for any filter, still every key is known", () => {
			const set = filled(0, () => {});
			const { memoryBytes } = set;
			expect(memoryBytes / keys).toBeLessThan(2);
			for (let event = 1; event <= keys; event += 97) expect(knows(set, event)).toBe(true);
			set.close();
		}, 60_000);
	});

	test("deletes a damaged file, and files of another log", () => {
		const folder = folderOfTest();
		const set = open(folder);
		replay(set, 30, 0);
		set.close();
		const [name = ""] = readdirSync(folder).sort();
		const bytes = readFileSync(join(folder, name));
		bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
		writeFileSync(join(folder, name), bytes);
		writeFileSync(join(folder, "other.run"), "no run at all");
		expect(open(folder).coveredTo).toBe(0);
		replay(open(folder), 30, 0);
		expect(open(folder, false).coveredTo).toBe(0);
		expect(readdirSync(folder)).toEqual([]);
	});
});
