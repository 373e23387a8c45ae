import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { linked, pages, textOf } from "./pages";

const root = resolve(import.meta.dir, "../..");

describe("the pages that people read", () => {
	test.each(pages)("%s: every link leads somewhere", async (page) => {
		const links = [...(await textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
		const inside = links.filter((link) => !/^(https?:|#)/.test(link));
		expect(inside.filter((link) => !existsSync(join(root, linked(page, link))))).toEqual([]);
	});

	test("the README is read in one sitting, and leads to every page of docs/", async () => {
		const readme = await textOf("README.md");
		expect(readme.split("\n").length).toBeLessThan(250);
		const led = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && !readme.includes(`](${page})`));
		expect(led).toEqual([]);
	});
});
