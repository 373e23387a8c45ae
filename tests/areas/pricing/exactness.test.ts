import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const area = join(import.meta.dir, "../../../src/areas/pricing");
const files = readdirSync(area).filter((name) => name.endsWith(".ts"));

/** What turns an exact decimal into a binary float, or rounds one; `Big.div` rounds twice (kernel/decimal). */
const inexact =
	/\b(?:Number\(|parseFloat|parseInt|toNumber|toWire|toPrecision|Math\.(?:round|floor|ceil|trunc|pow))|\.div\(/;

test("every file of the area is looked at", () => {
	expect(files).toContain("rate.ts");
	expect(inexact.test("Number(price)")).toBe(true);
	expect(inexact.test("exact(price).div(3)")).toBe(true);
});

test.each(files)("%s keeps amounts out of binary floats", (name) => {
	const lines = readFileSync(join(area, name), "utf8").split("\n");
	expect(lines.filter((line) => inexact.test(line) || /\.toFixed\(/.test(line))).toEqual([]);
});
