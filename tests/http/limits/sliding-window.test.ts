import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SlidingWindow } from "../../../src/http/limits/sliding-window";

describe("a sliding window", () => {
	test("serves 30 calls and refuses the 31st, until the first has left the window", () => {
		const window = new SlidingWindow(30, 60_000);
		for (let call = 0; call < 30; call += 1) expect(window.count("a", call).allowed).toBe(true);
		expect(window.count("a", 59_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
		expect(window.count("a", 60_000).allowed).toBe(true);
		expect(window.count("a", 60_000).allowed).toBe(false);
	});

	test("counts each key for itself", () => {
		const window = new SlidingWindow(1, 60_000);
		expect(window.count("a", 0).allowed).toBe(true);
		expect(window.count("b", 0).allowed).toBe(true);
		expect(window.count("a", 1).allowed).toBe(false);
	});

	test("a canceled call does not count", () => {
		const window = new SlidingWindow(2, 60_000);
		window.count("a", 0);
		window.count("a", 1);
		window.uncount("a");
		expect(window.count("a", 2)).toMatchObject({ allowed: true, remaining: 0 });
		expect(window.count("a", 3).allowed).toBe(false);
		window.uncount("unknown");
	});

	test("tells the calls within the window, and when the newest was", () => {
		const window = new SlidingWindow(3, 100);
		expect(window.callsOf("a", 0)).toEqual({ calls: 0, newestMs: Number.NEGATIVE_INFINITY });
		for (const at of [0, 10, 50]) window.count("a", at);
		expect(window.callsOf("a", 99)).toEqual({ calls: 3, newestMs: 50 });
		expect(window.callsOf("a", 110)).toEqual({ calls: 1, newestMs: 50 });
		window.uncount("a");
		expect(window.callsOf("a", 111).calls).toBe(0);
	});

	test("agrees with a plain list of times, whatever the calls", () => {
		const steps = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 40 })), { maxLength: 200 });
		fc.assert(
			fc.property(steps, fc.integer({ min: 1, max: 5 }), (calls, callsMax) => {
				const window = new SlidingWindow(callsMax, 100);
				const served: Record<string, number[]> = { a: [], b: [] };
				let now = 0;
				for (const [key, passed] of calls) {
					now += passed;
					const within = (served[key] ?? []).filter((time) => time > now - 100);
					const expected = within.length < callsMax;
					expect(window.isFull(key, now)).toBe(!expected);
					const state = window.count(key, now);
					expect(state.allowed).toBe(expected);
					if (expected) served[key] = [...within, now];
					expect(state.remaining).toBe(callsMax - within.length - (expected ? 1 : 0));
				}
			}),
			{ numRuns: 300 },
		);
	});

	test("evicts idle keys, so that memory is bounded by the last window", () => {
		const window = new SlidingWindow(30, 1000);
		for (let key = 0; key < 5000; key += 1) window.count(`key ${key}`, 0);
		expect(window.size).toBe(5000);
		window.count("late", 5000);
		expect(window.size).toBe(1);
	});

	test("keeps no more keys than it may, and evicts those with the oldest last call", () => {
		const window = new SlidingWindow(1, 60_000, 3);
		for (const [at, key] of ["a", "b", "c", "d", "e"].entries()) window.count(key, at);
		expect(window.size).toBe(3);
		expect(["a", "b", "c", "d", "e"].filter((key) => window.isFull(key, 5))).toEqual(["c", "d", "e"]);
	});
});
