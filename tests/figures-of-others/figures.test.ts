import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { documentOf } from "./document";
import { play } from "./play";
import { rules } from "./rules";
import { systems } from "./systems";

setDefaultTimeout(60_000);

const scenarios = systems.flatMap((system) => system.scenarios);

describe.each(systems.map((system) => [system.name, system] as const))("%s", (_, system) => {
	let figures = new Map<string, string>();
	let drift: string[] = [];
	beforeAll(async () => {
		({ figures, drift } = await play(system.scenarios));
	});

	test("the drift check finds nothing in these bills", () => {
		expect(drift).toEqual([]);
	});

	test.each(system.scenarios.map((scenario) => [scenario.id, scenario.title, scenario] as const))(
		"%s: %s",
		(id, _, { theirs, ours }) => {
			const [figure, rule] = ours ?? [theirs];
			expect(figures.get(id)).toBe(figure);
			// A figure that differs from theirs names the rule that causes it.
			expect(figure === theirs ? rule : rules[rule ?? ""]).toEqual(figure === theirs ? undefined : expect.any(String));
		},
	);
});

test("each scenario has an id of its own, and each rule causes a difference", () => {
	const ids = scenarios.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const used = new Set(scenarios.flatMap(({ ours }) => (ours ? [ours[1]] : [])));
	expect(Object.keys(rules).filter((rule) => !used.has(rule))).toEqual([]);
});

test("the page lists exactly these scenarios", async () => {
	const page = await Bun.file(join(import.meta.dir, "../../docs/figures-of-others.md")).text();
	expect(page).toBe(documentOf(systems));
});
