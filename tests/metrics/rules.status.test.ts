import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { conditionsOf, runbookOf, statusRules } from "../../src/metrics/rules.status";

const text = readFileSync(resolve(import.meta.dir, "../../ops/prometheus/alerts.yaml"), "utf8");
const alerts: Array<{ alert: string; expr: string }> = parse(text).groups.flatMap(
	({ rules }: { rules: object[] }) => rules,
);

test.each(statusRules.map((rule) => [rule.alert, rule] as const))("%s has the threshold of its alert", (name, rule) => {
	const expression = alerts.find(({ alert }) => alert === name)?.expr ?? "";
	const [, age, metric, comparison, limit] = /^(time\(\) - )?(\w+) ([<>]) ([\de]+)$/.exec(expression) ?? [];
	expect([age !== undefined, metric, comparison, Number(limit)]).toEqual([
		rule.isAge === true,
		rule.metric,
		rule.below === undefined ? ">" : "<",
		rule.below ?? rule.above ?? Number.NaN,
	]);
	const { summary, steps } = runbookOf(name);
	expect(summary).toMatch(/^tollgate .*\.$|^[A-Z].*\.$/);
	expect(steps.length).toBeGreaterThan(0);
	expect(steps.join()).not.toMatch(/[`\]]/);
});

test("each condition is good or bad by its figure, and unknown without one", () => {
	const now = 1_000_000;
	const states = (figures: ReadonlyArray<readonly [string, number]>) =>
		Object.fromEntries(conditionsOf(new Map(figures), now).map(({ alert, state }) => [alert, state]));
	expect(new Set(Object.values(states([])))).toEqual(new Set(["UNKNOWN"]));
	const limits = (over: number) =>
		statusRules.map(({ metric, isAge, below, above = 0 }) => {
			const value = below === undefined ? above + over : below - over;
			return [metric, isAge ? now - value : value] as const;
		});
	expect(new Set(Object.values(states(limits(0))))).toEqual(new Set(["GOOD"]));
	expect(new Set(Object.values(states(limits(1))))).toEqual(new Set(["BAD"]));
});
