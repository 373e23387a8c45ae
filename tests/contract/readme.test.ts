import { expect, test } from "bun:test";
import { join } from "node:path";
import { readme } from "./not-built";

test("every test that the README names exists", async () => {
	const named = [...readme.matchAll(/`([\w/.-]+\.test\.ts) › ([^`]+)`/g)].map(([, file = "", name = ""]) => ({
		file,
		name,
	}));
	expect(named.length).toBeGreaterThan(60);
	const missing: string[] = [];
	for (const { file, name } of named) {
		const source = Bun.file(join(import.meta.dir, "..", file));
		if (!(await source.exists()) || !(await source.text()).includes(name)) missing.push(`${file} › ${name}`);
	}
	expect(missing).toEqual([]);
});
