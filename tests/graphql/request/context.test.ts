import { describe, expect, test } from "bun:test";
import { Budget, costs } from "../../../src/graphql/request/budget";
import { OperationContext } from "../../../src/graphql/request/context";
import { world } from "../../support/world";

interface Parent {
	readonly id: string;
	readonly child: string | null;
}

const parents = (size: number): Parent[] =>
	Array.from({ length: size }, (_, at) => ({ id: `${at}`, child: at % 2 ? `c${at}` : null }));

const within = (body: (context: OperationContext) => void, budget = new Budget()): void => {
	const { transactions, actor } = world();
	transactions.read(actor, (work) => {
		body(new OperationContext(work, budget));
	});
};

/** Remembers what it was asked for; "c3" does not exist. */
const countCallsOf = () => {
	const calls: (readonly string[])[] = [];
	const load = (_: unknown, keys: readonly string[]) => {
		calls.push(keys);
		return new Map(keys.filter((key) => key !== "c3").map((key) => [key, { key, child: `${key}!` }]));
	};
	return { calls, load };
};

describe("references of rows", () => {
	test("are read once for all that arrive together, missing ones included", () => {
		const { calls, load } = countCallsOf();
		within((context) => {
			const rows = context.together(parents(8));
			const found = rows.map((row) => context.related(row, ({ child }) => child, load)?.key);
			expect(found).toEqual([undefined, "c1", undefined, undefined, undefined, "c5", undefined, "c7"]);
		});
		expect(calls).toEqual([["c1", "c3", "c5", "c7"]]);
	});

	test("resolve together, so that the next step is one query too", () => {
		const [first, second] = [countCallsOf(), countCallsOf()];
		within((context) => {
			for (const row of context.together(parents(8))) {
				const child = context.related(row, ({ child }) => child, first.load);
				if (child) expect(context.related(child, (of) => of.child, second.load)?.key).toBe(`${child.key}!`);
			}
		});
		expect(second.calls).toEqual([["c1!", "c5!", "c7!"]]);
	});

	test("are read in parts where there are many", () => {
		const { calls, load } = countCallsOf();
		within((context) => {
			const [, row] = context.together(parents(2400));
			if (row) context.related(row, ({ child }) => child, load);
		});
		expect(calls.map(({ length }) => length)).toEqual([500, 500, 200]);
	});

	test("with several keys return rows in their order, without those that do not exist", () => {
		const { load } = countCallsOf();
		within((context) => {
			const found = context.relatedAll({ id: "x" }, () => ["c9", null, "c3", "c1"], load);
			expect(found.map(({ key }) => key)).toEqual(["c9", "c1"]);
		});
	});
});

describe("beyond what a request may cost", () => {
	const refusal = expect.objectContaining({ code: "BadUserInput" });

	test("nothing more is read, and the operation is not answered", () => {
		const { calls, load } = countCallsOf();
		const budget = new Budget(costs.statement + 4 * costs.loadedRow);
		within((context) => {
			const rows = context.together(parents(8));
			context.related(rows[1] ?? {}, () => "a", load);
			expect(() => context.related(rows[1] ?? {}, () => "b", load)).toThrow(refusal);
			expect(() => context.assertWhole()).toThrow(refusal);
			expect(context.mayAnswer()).toBe(false);
		}, budget);
		expect(calls).toEqual([["a"]]);
		// A refused operation costs nothing: the next one of the batch has the rest.
		within((context) => {
			expect(context.mayAnswer()).toBe(true);
			expect(() => context.assertWhole()).not.toThrow();
		}, budget);
	});

	test("the rows of lists inside objects count one by one", () => {
		const list = (_: unknown, keys: readonly string[]) => new Map(keys.map((key) => [key, Array(100).fill({})]));
		within(
			(context) => {
				expect(() => context.related({}, () => "many", list)).toThrow(refusal);
			},
			new Budget(costs.statement + 50 * costs.loadedRow),
		);
	});

	test("each value that is answered counts", () => {
		within(
			(context) => {
				expect([context.mayAnswer(), context.mayAnswer(), context.mayAnswer()]).toEqual([true, true, false]);
				expect(() => context.assertWhole()).toThrow(refusal);
			},
			new Budget(2 * costs.value),
		);
	});
});
