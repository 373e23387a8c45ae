import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { anchorsOf, linked, pages, textOf } from "./pages";

const root = resolve(import.meta.dir, "../..");

describe("the pages that people read", () => {
	test.each(pages)("%s: every link leads somewhere", async (page) => {
		const links = [...(await textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
		const inside = links.filter((link) => !/^(https?:|#)/.test(link));
		expect(inside.filter((link) => !existsSync(join(root, linked(page, link))))).toEqual([]);
	});

	test.each(pages)("%s: every link to a heading has the heading", async (page) => {
		const links = [...(await textOf(page)).matchAll(/\]\((?!https?:)([^)\s]*)#([^)\s]+)\)/g)];
		const missing: string[] = [];
		for (const [, path = "", anchor = ""] of links) {
			const target = path === "" ? page : linked(page, path);
			if (!anchorsOf(await textOf(target)).includes(anchor)) missing.push(`${path}#${anchor}`);
		}
		expect(missing).toEqual([]);
	});

	test("the README has at most 120 lines and links to every page of docs/", async () => {
		const readme = await textOf("README.md");
		expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
		const led = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && !readme.includes(`](${page})`));
		expect(led).toEqual([]);
	});
});
