import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ancestorsOf, levelsMax } from "../../../src/areas/governance/placement/rules";
import { attributionsOf } from "../../../src/areas/governance/rules.attribution";
import { parseCadence, windowAt } from "../../../src/areas/governance/rules.cadence";
import { allows, appliesTo, usedAfter, utilizationOf } from "../../../src/areas/governance/rules.chains";
import { decodePlace, encodePlace } from "../../../src/areas/governance/tree/rules.cursor";
import type { Instant } from "../../../src/kernel/clock";
import type { Decimal } from "../../../src/kernel/decimal";

const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }).map((at) => at as Instant);
const cadence = fc.constantFrom("PT1M", "PT36H", "P1D", "P30D", "P1W", "P1M", "P3M", "P1Y");
const amount = fc.integer({ min: 0, max: 20 }).map((value) => String(value) as Decimal);

describe("cadences", () => {
	test("a window contains its instant, and the next window begins where it ends", () => {
		fc.assert(
			fc.property(cadence, instant, instant, (text, anchorAt, at) => {
				const of = { cadence: text, anchorAt };
				const window = windowAt(of, at);
				expect(window.start <= at && at < window.end).toBe(true);
				expect(windowAt(of, window.end).start).toBe(window.end);
				expect(windowAt(of, (window.end - 1) as Instant)).toEqual(window);
			}),
		);
	});

	test("the anchor begins a window, and a month that is too short uses its last day", () => {
		fc.assert(
			fc.property(cadence, instant, (text, anchorAt) =>
				expect(windowAt({ cadence: text, anchorAt }, anchorAt).start).toBe(anchorAt),
			),
		);
		const anchorAt = Date.UTC(2026, 0, 31) as Instant;
		const { start, end } = windowAt({ cadence: "P1M", anchorAt }, Date.UTC(2026, 2, 1) as Instant);
		expect([start, end]).toEqual([Date.UTC(2026, 1, 28) as Instant, Date.UTC(2026, 2, 31) as Instant]);
	});

	test.each(["P1M15D", "P0D", "P", "PT", "1D", "P1.5D", "P-1D", "PT1S", "P1000Y", "p1m"])("%s is none", (text) => {
		expect(parseCadence(text)).toBeUndefined();
	});
});

describe("the decision", () => {
	test("granted uses never exceed a limit, in any order", () => {
		fc.assert(
			fc.property(amount, fc.array(amount), (usageLimit, amounts) => {
				let used = "0" as Decimal;
				for (const one of amounts)
					if (
						allows(
							{ usageLimit, hasSoftLimit: false, allocatedToOthers: "0" as Decimal, used, reserved: "0" as Decimal },
							{ amount: one, units: null },
						)
					)
						used = usedAfter(used, one);
				expect(Number(used)).toBeLessThanOrEqual(Number(usageLimit));
			}),
		);
	});

	test("a reserved amount counts as a used one, and an unknown amount needs anything below the limit", () => {
		fc.assert(
			fc.property(amount, amount, amount, amount, (usageLimit, used, reserved, more) => {
				const total = String(Number(used) + Number(reserved)) as Decimal;
				const demand = { amount: more, units: null };
				const none = "0" as Decimal;
				const hasSoftLimit = false;
				expect(allows({ usageLimit, hasSoftLimit, allocatedToOthers: none, used, reserved }, demand)).toBe(
					allows({ usageLimit, hasSoftLimit, allocatedToOthers: none, used: total, reserved: none }, demand),
				);
				expect(
					allows({ usageLimit, hasSoftLimit, allocatedToOthers: none, used, reserved }, { amount: null, units: null }),
				).toBe(Number(total) < Number(usageLimit));
			}),
		);
	});

	test("no limit allows everything, and usage never falls below zero", () => {
		expect(
			allows(
				{
					usageLimit: null,
					hasSoftLimit: false,
					allocatedToOthers: "0" as Decimal,
					used: "9" as Decimal,
					reserved: "9" as Decimal,
				},
				{ amount: "9" as Decimal, units: null },
			),
		).toBe(true);
		expect(usedAfter("3" as Decimal, "-5" as Decimal)).toBe("0" as Decimal);
		expect([utilizationOf("0" as Decimal, "0" as Decimal), utilizationOf("1" as Decimal, null)]).toEqual([1, null]);
	});

	test("a scope applies where the use belongs to all its entities", () => {
		const entity = fc.constantFrom("a", "b", "c", "d");
		fc.assert(
			fc.property(fc.array(entity), fc.array(entity), (scope, attributed) => {
				const missing = scope.filter((one) => !attributed.includes(one));
				expect(appliesTo(scope, new Set(attributed))).toBe(missing.length === 0);
			}),
		);
	});

	test("the first key that the dimensions have names the entity", () => {
		const types = [
			{ id: "agent", attributionKeys: ["agentId", "userId"] },
			{ id: "none", attributionKeys: [] },
		];
		const refs = (dimensions: Record<string, string | number>) =>
			attributionsOf(types, dimensions).map(({ entityRef }) => entityRef);
		expect([refs({ userId: 7 }), refs({ userId: "u", agentId: "a" }), refs({ other: "x" })]).toEqual([
			["7"],
			["a"],
			[],
		]);
	});
});

describe("placement", () => {
	/** Nodes that each name an earlier or a later node as parent, or none. */
	const parents = fc.array(fc.integer({ min: -1, max: 7 }), { minLength: 1, maxLength: 8 });

	test("every path leads to a root within four levels, or the request is refused", () => {
		fc.assert(
			fc.property(parents, (of) => {
				const placed = of.map((parent, at) => ({
					...{ id: `${at}`, entityRef: `e${at}`, where: `body/assignments/${at}` },
					parentId: parent < 0 || parent >= of.length ? null : `${parent}`,
				}));
				const parentOf = (id: string): string | null => placed.find((one) => one.id === id)?.parentId ?? null;
				const depthOf = (id: string, steps = 1): number => {
					const parent = parentOf(id);
					if (steps > of.length) return Number.POSITIVE_INFINITY;
					return parent === null ? steps : depthOf(parent, steps + 1);
				};
				const isValid = placed.every(({ id }) => depthOf(id) <= levelsMax);
				const place = () => ancestorsOf(placed, () => []);
				if (!isValid) return expect(place).toThrow();
				for (const [id, path] of place()) {
					expect(path[0] ?? null).toBe(parentOf(id));
					expect(path.slice(1)).toEqual(path.length === 0 ? [] : [...(place().get(path[0] ?? "") ?? [])]);
				}
			}),
		);
	});
});

test("a cursor of the tree is read back as it was written, and other texts are refused", () => {
	const value = fc.constantFrom<(string | number | null)[]>(null, 0.1, 3, "drafter", "ü");
	fc.assert(
		fc.property(fc.record({ value, id: fc.constantFrom("a", "b") }), (place) =>
			expect(decodePlace(encodePlace(place))).toEqual(place),
		),
	);
	for (const text of ["", "x", Buffer.from("[{},1]").toString("base64url")]) expect(() => decodePlace(text)).toThrow();
});
