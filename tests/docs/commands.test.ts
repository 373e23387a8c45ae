import { beforeAll, describe, expect, test } from "bun:test";
import { assertKnown } from "../../src/config/config";
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

/** The output of a command that failed. */
const refusals = (printed: string): string[] =>
	printed.split("\n").filter((line) => /^\{"message":|"errors":\[|^curl:|^tollgate:|^error|^Error/.test(line));

// The commands are written for curl, which a bare machine need not have.
describe.skipIf(Bun.which("curl") === null)("the commands of README.md and docs/", () => {
	let ran: Awaited<ReturnType<typeof runPages>>;
	beforeAll(async () => {
		ran = await runPages(inOrder);
	}, 240_000);

	test.each([...inOrder.keys()])("%s: they work as pasted", (page) => {
		expect(refusals(ran.printed.get(page) ?? "error: it was not reached")).toEqual([]);
		if (ran.status !== 0) expect([...ran.printed].at(-1)).not.toEqual([page, expect.anything()]);
	});

	test("all of them run to their end", () => {
		expect({ status: ran.status, pages: [...ran.printed.keys()] }).toEqual({ status: 0, pages: [...inOrder.keys()] });
	});

	test("exported variables stop no start of the server in that shell", () => {
		const exported = [...inOrder.values()].flatMap((script) => [...script.matchAll(/\bexport (\w+)=/g)]);
		expect(exported).not.toEqual([]);
		expect(() => assertKnown(Object.fromEntries(exported.map(([, name]) => [name, "set"])))).not.toThrow();
	});

	/** Returns the answer to a call of the page, the last one that has such a text in it. */
	const answered = (page: string, text: string) =>
		JSON.parse(
			(ran.printed.get(page) ?? "").split("\n").findLast((line) => line.startsWith("{") && line.includes(text)) ?? "{}",
		);

	test("docs/budgets.md: the lead approves a part of the request in the portal, and the next call passes", () => {
		const printed = (ran.printed.get("docs/budgets.md") ?? "").split("\n").filter((line) => line.startsWith("{"));
		const at = printed.findIndex((line) => line.includes('"status":"APPROVED"'));
		const [approved, used] = printed.slice(at, at + 2).map((line) => JSON.parse(line).data);
		expect(approved).toMatchObject({ entityId: "drafting", approvedAmount: 3, personId: "olga", isDecidable: false });
		expect(used).toMatchObject({ isGranted: true });
		expect(printed.slice(0, at).some((line) => line.includes('"accessDeniedReason":"BudgetExceeded"'))).toBe(true);
	});

	test("docs/credits.md: the revenue report defers and recognises the amounts that the page names", async () => {
		const page = "docs/credits.md";
		const said =
			/that ([\d.]+) dollars are deferred and ([\d.]+) dollars are\s+recognised/.exec(await textOf(page)) ?? [];
		const { sums } = JSON.parse(
			(ran.printed.get(page) ?? "").split("\n").find((line) => line.includes('"deferred"')) ?? "{}",
		);
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

	interface Issued {
		readonly issueDate: string;
		readonly dueDate: string;
		readonly subtotal: number;
		readonly discount: number;
		readonly tax: number;
		readonly total: number;
	}
	const amount = (value: number) => value.toLocaleString("en", { minimumFractionDigits: 2 });
	const longDay = (date: string) =>
		new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

	test("docs/enterprise-deal.md: the schedule begins with the two invoices that the page names", async () => {
		const page = "docs/enterprise-deal.md";
		const text = await textOf(page);
		const { invoices } = JSON.parse(
			(ran.printed.get(page) ?? "").split("\n").find((line) => line.includes('"invoiceCount"')) ?? "{}",
		).data;
		const bold = [...text.matchAll(/\*\*([\d,.]+) €\*\*/g)].map(([, figure]) => figure);
		expect(bold).toHaveLength(2);
		expect(invoices.slice(0, 2).map(({ total }: Issued) => amount(total))).toEqual(bold);
		for (const { issueDate, dueDate } of invoices.slice(0, 2))
			expect([longDay(issueDate), longDay(dueDate)]).toEqual(["1 January", "31 January"]);
		const { subTotal, discount, tax } = invoices[0];
		for (const figure of [subTotal, discount, tax]) expect(text).toContain(amount(figure));
	});

	test("docs/enterprise-deal.md: the year is invoiced as its table says, and the schedule tells the same", async () => {
		const page = "docs/enterprise-deal.md";
		const text = await textOf(page);
		const table = [
			...text.matchAll(/^\| (\d+ \w+)(?: \d{4})? \| (\d+ \w+) \|.*\| ([\d,.]+) \| ([\d,.]+) \| ([\d,.]+) \|$/gm),
		];
		expect(table).toHaveLength(10);
		const { data }: { data: readonly Issued[] } = answered(page, '"amountCredited"');
		expect(
			data.map(({ issueDate, dueDate, subtotal, discount, tax, total }) => [
				longDay(issueDate),
				longDay(dueDate),
				amount((Math.round(subtotal * 100) - Math.round(discount * 100)) / 100),
				amount(tax),
				amount(total),
			]),
		).toEqual(table.map(([, ...row]) => row));
		const cents = data.map(({ total }) => Math.round(total * 100));
		const ofTheYear = cents.slice(0, -2).reduce((sum, one) => sum + one, 0) / 100;
		expect(text).toContain(`total\n${amount(ofTheYear)}`);
		const { invoices } = answered(page, '"invoiceCount":41').data;
		expect(invoices.slice(0, 10).map(({ total }: Issued) => total)).toEqual(data.map(({ total }) => total));
		// A quarter of 150 seats in the third year: 14,460.00 less 723.00, and 2,610.03 VAT.
		const lastQuarters = invoices.filter(({ issueDate, total }: Issued) => issueDate >= "2032" && total > 0);
		expect(lastQuarters.map(({ total }: Issued) => total)).toEqual([16347.03, 16347.03, 16347.03, 16347.03]);
	});

	test("docs/enterprise-deal.md: the credit note is as it says, and so is what was paid", async () => {
		const page = "docs/enterprise-deal.md";
		const note = answered(page, '"creditNoteNumber":"CN-000001"').data[0];
		expect(note).toMatchObject({
			invoiceNumber: "INV-000006",
			total: 595,
			tax: 95,
			issueDate: "2030-08-20T09:00:00.000Z",
		});
		const july = answered(page, '"amountCredited"').data.find(
			({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber === "INV-000006",
		);
		expect(await textOf(page)).toContain(amount(july.amountPaid));
		expect(july).toMatchObject({ state: "PAID", amountDue: 0, amountCredited: 595 });
	});
});
