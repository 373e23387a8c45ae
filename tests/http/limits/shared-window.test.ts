import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newWindowMemory, SharedWindow } from "../../../src/http/limits/shared-window";

const windowMs = 100;
/** Keys that share a place count together, seldom and by chance: with this seed "a" and "b" never do. */
function memoryOfApart(): SharedArrayBuffer {
	const memory = newWindowMemory();
	new Uint32Array(memory, 0, 1)[0] = 1;
	return memory;
}

/** How much longer than the window a call may count. */
const stepMs = windowMs / 10;

describe("a window that threads share", () => {
	test("serves as many calls as it may and refuses the next, until the first has left it", () => {
		const window = new SharedWindow(30, windowMs);
		for (let call = 0; call < 30; call += 1)
			expect(window.count("a", 5)).toMatchObject({ allowed: true, remaining: 29 - call });
		expect(window.count("a", 99)).toEqual({ allowed: false, remaining: 0, resetMs: 11 });
		expect(window.count("a", 110)).toMatchObject({ allowed: true, remaining: 29 });
	});

	test("counts each key for itself", () => {
		const window = new SharedWindow(1, windowMs, memoryOfApart());
		expect(window.count("a", 0).allowed).toBe(true);
		expect(window.count("b", 0).allowed).toBe(true);
		expect(window.count("a", 1).allowed).toBe(false);
	});

	test("holds its bound on whichever thread a call comes, and refuses nobody for calls that are long over", () => {
		const steps = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(2), fc.integer({ min: 0, max: 40 })), {
			maxLength: 200,
		});
		// Where the numbers of steps wrap around, and where they do not.
		const beginnings = fc.constantFrom(0, 1_795_000_000_000, 2 ** 18 * stepMs - 50);
		fc.assert(
			fc.property(steps, fc.integer({ min: 1, max: 5 }), beginnings, (calls, callsMax, begun) => {
				const memory = memoryOfApart();
				const threads = [1, 2, 3].map(() => new SharedWindow(callsMax, windowMs, memory));
				const served: Record<string, number[]> = { a: [], b: [] };
				let now = begun;
				for (const [key, thread, passed] of calls) {
					now += passed;
					const within = (ms: number) => (served[key] ?? []).filter((time) => time > now - ms).length;
					const { allowed, remaining, resetMs } = threads[thread]?.count(key, now) ?? {};
					if (within(windowMs) >= callsMax) expect(allowed).toBe(false);
					if (within(windowMs + stepMs) < callsMax) expect(allowed).toBe(true);
					if (allowed) served[key]?.push(now);
					else expect(remaining).toBe(0);
					expect(resetMs).toBeGreaterThan(0);
					expect(resetMs).toBeLessThanOrEqual(windowMs + stepMs);
				}
			}),
			{ numRuns: 300 },
		);
	});

	test("goes on when the clock is turned back", () => {
		const window = new SharedWindow(1, windowMs);
		expect(window.count("a", 10_000).allowed).toBe(true);
		expect(window.count("a", 5_000).allowed).toBe(true);
		expect(window.count("a", 5_001).allowed).toBe(false);
	});
});
