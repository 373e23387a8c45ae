import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { distributeCredits } from "../../../../src/areas/invoices/credit-notes/rules.credited-invoices";
import { exact } from "../../../../src/kernel/decimal";
import { decimal, january, line } from "../samples";

type Made = Readonly<{ amount: number; charge: string | null; start: number }>;

const linesOf = (made: readonly Made[]) =>
	made.map(({ amount, charge, start }) =>
		line({
			...{ kind: "BaseCharge", amount: decimal(String(amount)), chargeId: charge },
			period: { ...january, start: (january.start + start) as typeof january.start },
		}),
	);

const invoicesOf = (invoices: ReadonlyArray<readonly [left: number, ...charges: string[]]>) =>
	invoices.map(([left, ...charges]) => ({ left: exact(decimal(String(left))), chargeIds: new Set(charges) }));

const cents = (lines: ReturnType<typeof linesOf>) => lines.map(({ amount }) => Number(amount));
const sumOf = (lines: ReturnType<typeof linesOf>) => cents(lines).reduce((sum, one) => sum + one, 0);

function distributed(made: readonly Made[], invoices: Parameters<typeof invoicesOf>[0]) {
	const { parts, rest } = distributeCredits(linesOf(made), invoicesOf(invoices), "jpy");
	return [...parts.map((part) => cents([...part])), cents([...rest])];
}

const credit = (amount: number, charge: string | null, start = 0): Made => ({ amount, charge, start });

describe("credits of several invoices", () => {
	for (const [name, made, invoices, expected] of [
		[
			"each its own",
			[credit(20, "a"), credit(30, "b")],
			[
				[45, "b"],
				[50, "a"],
			],
			[[30], [20], []],
		],
		["the newest first, without charges", [credit(20, null), credit(30, null)], [[45], [50]], [[20, 25], [5], []]],
		[
			"the rest on the newest",
			[credit(40, "b")],
			[
				[20, "b"],
				[30, "a"],
			],
			[[20], [20], []],
		],
		["beyond all", [credit(40, "a"), credit(9, null)], [[20, "a"], [3]], [[20], [3], [20, 6]]],
		["nothing left", [credit(40, "a")], [[0, "a"]], [[], [40]]],
		["the one with a rest of those that charged it", [credit(1, "a")], [[1], [0, "a"], [1, "a"]], [[], [], [1], []]],
		[
			"time that is charged again",
			[credit(30, "b", 1), credit(-10, "c", 1), credit(40, "a"), credit(-25, "d")],
			...[
				[
					[90, "b"],
					[90, "a"],
				],
				[[30, -10], [40, -25], []],
			],
		],
		[
			"other charges on the newest",
			[credit(30, "b", 1), credit(40, "a"), credit(-5, null, 2)],
			...[
				[
					[30, "b"],
					[90, "a"],
				],
				[[30, 5, -5], [35], []],
			],
		],
	] as const)
		test(name, () => {
			expect(distributed(made, invoices as never)).toEqual(expected as never);
		});

	test("sum to the whole, within the rest of each, own charges first", () => {
		const lines = fc.array(
			fc.record({
				amount: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: -20, max: -1 })),
				charge: fc.constantFrom("a", "b", "c", "d", null),
				start: fc.nat(2),
			}),
			{ minLength: 1, maxLength: 8 },
		);
		const invoices = fc.array(fc.tuple(fc.nat(120), fc.subarray(["a", "b", "c", "d"])), { maxLength: 4 });
		fc.assert(
			fc.property(lines, invoices, (made, given) => {
				fc.pre(made.reduce((sum, { amount }) => sum + amount, 0) > 0);
				const whole = linesOf(made);
				const of = invoicesOf(given.map(([left, charges]) => [left, ...charges]));
				const { parts, rest } = distributeCredits(whole, of, "jpy");
				const all = [...parts.flat(), ...rest];
				expect(sumOf(all)).toBe(sumOf(whole));
				expect(rest.every(({ amount }) => !amount.startsWith("-")) || rest.length === whole.length).toBe(true);
				let room = 0;
				for (const [nth, part] of parts.entries()) {
					const sum = sumOf([...part]);
					expect(sum).toBeGreaterThanOrEqual(0);
					expect(part.length === 0 || sum > 0).toBe(true);
					expect(sum).toBeLessThanOrEqual(given[nth]?.[0] ?? 0);
					room += (given[nth]?.[0] ?? 0) - sum;
				}
				// Nothing stays without an invoice as long as one has a rest.
				if (sumOf([...rest]) > 0) expect(room).toBe(0);
				// An invoice with credits of its own charges gets a part, unless the sum is used up.
				const first = given.findIndex(
					([left, charges]) =>
						left > 0 && made.some(({ charge, amount }) => amount > 0 && charges.includes(charge ?? "")),
				);
				if (first !== -1 && made.every(({ amount }) => amount > 0)) expect(parts[first]).not.toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});
});
