import { expect, test } from "bun:test";
import { judge, type Sample } from "./memory";

/** A run of samples, one every ten seconds. */
const run = (minutes: number, residentMiBAt: (minute: number) => number): Sample[] =>
	Array.from({ length: minutes * 6 }, (_, at) => {
		const minute = (at + 1) / 6;
		return { minute, residentMiB: residentMiBAt(minute), anonymousMiB: 0, requests: 0, cpuSeconds: 0 };
	});

test("calls memory flat that only moves up and down, and that grew in the first half", () => {
	const { isFlat, text } = judge(run(60, (minute) => Math.min(300, 200 + 10 * minute) + 20 * Math.sin(minute)));
	expect(isFlat).toBe(true);
	expect(text).toMatch(/^flat: -?[0-5]\.\d MiB an hour over the last 30 minutes/);
});

test("says how much an hour memory grows that does not stop growing", () => {
	const { isFlat, text } = judge(run(60, (minute) => 200 + minute));
	expect(isFlat).toBe(false);
	expect(text).toStartWith("grows: 60.0 MiB an hour");
});

/** Garbage grows for so many minutes, and a collection frees it. */
const wave = (minute: number, minutes: number): number => 29 * ((minute / minutes) % 1);

test("calls memory flat that garbage collection moves in waves, wherever the waves begin", () => {
	for (const minutes of [0.7, 1.5, 3, 4])
		for (let shift = 0; shift < minutes; shift += minutes / 10) {
			const { isFlat, text } = judge(run(60, (minute) => 338 + wave(minute + shift, minutes)));
			expect(text).toStartWith("flat");
			expect(isFlat).toBe(true);
		}
});

test("says how much memory grows beneath the waves", () => {
	const { isFlat, text } = judge(run(60, (minute) => 338 + minute / 2 + wave(minute, 1.5)));
	expect(isFlat).toBe(false);
	expect(text).toMatch(/^grows: (2[5-9]|3[0-5])\.\d MiB an hour/);
});

test("does not judge a run in which one wave may decide the slope", () => {
	expect(judge(run(30, () => 338))).toEqual({ isFlat: false, text: "too short to tell: a run needs 40 minutes" });
	expect(judge(run(40, () => 338)).isFlat).toBe(true);
});
