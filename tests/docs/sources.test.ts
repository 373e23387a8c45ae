import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { anchorsOf, textOf } from "./pages";

const root = resolve(import.meta.dir, "../..");

interface Comment {
	readonly place: string;
	readonly text: string;
}

/** Returns the comments of a file on one line each: blocks, and adjoining lines of `//`. */
const commentsOf = (path: string, code: string): Comment[] =>
	[...code.matchAll(/\/\*[\s\S]*?\*\/|(?:^[\t ]*\/\/.*\n?)+/gm)].map((match) => ({
		place: `${path}:${code.slice(0, match.index).split("\n").length}`,
		text: match[0].replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, " "),
	}));

const comments = (
	await Promise.all(
		readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name))
			.map(async (name) => commentsOf(`src/${name}`, await Bun.file(join(root, "src", name)).text())),
	)
).flat();

const link = String.raw`docs/interface/[A-Za-z]+\.md#[a-z0-9-]+`;
const claim = /\b[Oo]ur choices?\b|\bSource:|[(;] source:/g;
const linkedClaim = new RegExp(String.raw`\b[Oo]ur choices? \(${link}\)|\bSource: ${link}`, "g");

describe("comments about the interface", () => {
	test('"Our choice" and "Source" are followed by a link to a heading of docs/interface', () => {
		const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
		expect(comments.filter(({ text }) => count(text, claim) !== count(text, linkedClaim))).toEqual([]);
		expect(comments.filter(({ text }) => count(text, linkedClaim) > 0).length).toBeGreaterThan(50);
	});

	test("the page and the heading of every link exist", async () => {
		const missing: string[] = [];
		for (const { place, text } of comments)
			for (const [, page = "", anchor] of text.matchAll(/(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)) {
				const exists = await Bun.file(join(root, page)).exists();
				if (!exists || (anchor !== undefined && !anchorsOf(await textOf(page)).includes(anchor)))
					missing.push(`${place}: ${page}${anchor ? `#${anchor}` : ""}`);
			}
		expect(missing).toEqual([]);
	});
});
