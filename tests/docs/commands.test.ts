import { beforeAll, describe, expect, test } from "bun:test";
import { assertKnown } from "../../src/config";
import { commandsOf, continues, pages, textOf } from "./pages";
import { runPages } from "./run-pages";

/** The pages with commands, each after the page that it says it continues. */
const inOrder = new Map<string, string>();
const add = async (page: string): Promise<void> => {
	const text = await textOf(page);
	const before = continues(page, text);
	if (before !== undefined && !inOrder.has(before)) await add(before);
	const commands = commandsOf(text).join("\n");
	if (commands !== "") inOrder.set(page, commands);
};
for (const page of pages) await add(page);

/** What a command prints that did not do what it should. */
const refusals = (printed: string): string[] =>
	printed.split("\n").filter((line) => /^\{"message":|"errors":\[|^curl:|^tollgate:|^error|^Error/.test(line));

// The commands are written for curl, which a bare machine need not have.
describe.skipIf(Bun.which("curl") === null)("the commands of README.md and docs/", () => {
	let ran: Awaited<ReturnType<typeof runPages>>;
	beforeAll(async () => {
		ran = await runPages(inOrder);
	}, 120_000);

	test.each([...inOrder.keys()])("%s: they work as pasted", (page) => {
		expect(refusals(ran.printed.get(page) ?? "error: it was not reached")).toEqual([]);
		if (ran.status !== 0) expect([...ran.printed].at(-1)).not.toEqual([page, expect.anything()]);
	});

	test("all of them run to their end", () => {
		expect({ status: ran.status, pages: [...ran.printed.keys()] }).toEqual({ status: 0, pages: [...inOrder.keys()] });
	});

	test("what they make a reader export stops no start of the server in that shell", () => {
		const exported = [...inOrder.values()].flatMap((script) => [...script.matchAll(/\bexport (\w+)=/g)]);
		expect(exported).not.toEqual([]);
		expect(() => assertKnown(Object.fromEntries(exported.map(([, name]) => [name, "set"])))).not.toThrow();
	});

	/** What a call of the page answered, the last one that has such a text in it. */
	const answered = (page: string, text: string) =>
		JSON.parse(
			(ran.printed.get(page) ?? "").split("\n").findLast((line) => line.startsWith("{") && line.includes(text)) ?? "{}",
		);

	test("README.md: of the dollars for credits as much is deferred and earned as it says", async () => {
		const said = /dollars: ([\d.]+) are deferred, ([\d.]+) are earned/.exec(await textOf("README.md")) ?? [];
		const { sums } = answered("README.md", '"deferred"');
		expect(sums).toMatchObject([{ deferred: Number(said[1]), recognised: Number(said[2]) }]);
	});

	test("docs/credits.md: the ledger of the test clock is as its table says", async () => {
		const rows = [...(await textOf("docs/credits.md")).matchAll(/^\| (\d+ \w+) \| (\w+).* \| (\d+) \|$/gm)];
		const { data }: { data: ReadonlyArray<{ timestamp: string; eventType: string; amount: number }> } = answered(
			"docs/credits.md",
			'"timestamp":"2030-01-20T',
		);
		const day = (timestamp: string) =>
			new Date(timestamp).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
		expect(rows).toHaveLength(6);
		expect(data.map(({ timestamp, eventType, amount }) => [day(timestamp), eventType, `${amount}`]).reverse()).toEqual(
			rows.map(([, ...row]) => row),
		);
	});

	test("docs/test-clocks.md: the year is invoiced as its table says", async () => {
		const table = [...(await textOf("docs/test-clocks.md")).matchAll(/\| (\d+\.\d\d) \|$/gm)];
		const [first = 0, same = 0, change = 0, rest = 0] = table.map(([, total]) => Number(total));
		const printed = ran.printed.get("docs/test-clocks.md")?.split("\n") ?? [];
		const list = printed.find((line) => line.includes('"invoiceId"') && line.includes('"pagination"')) ?? "{}";
		const { data }: { data: ReadonlyArray<{ total: number }> } = JSON.parse(list);
		expect(data.map(({ total }) => total)).toEqual([first, same, same, same, change, ...Array(8).fill(rest)]);
	});
});
