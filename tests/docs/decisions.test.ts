import { expect, test } from "bun:test";
import { pages, textOf } from "./pages";

const index = "docs/decisions/README.md";
const decisions = pages.filter((page) => page.startsWith("docs/decisions/") && page !== index);

test.each(decisions)("%s has a number, a status and a date", async (page) => {
	const [title, blank, status, date] = (await textOf(page)).split("\n");
	const number = /\/(\d{4})-/.exec(page)?.[1];
	expect([title?.slice(0, 8), blank]).toEqual([`# ${number}: `, ""]);
	expect(status).toMatch(/^- Status: (accepted|rejected|superseded by \[\d{4}\]\(\S+\))(, .+)?$/);
	expect(date).toMatch(/^- Date: 20\d\d-\d\d-\d\d( \(.+\))?$/);
});

test("the table of decisions has the number, title, status and date of each record, and one sentence about it", async () => {
	const expected = await Promise.all(
		decisions.map(async (page) => {
			const [, number = "", title = "", status = "", date = ""] =
				/^# (\d{4}): (.+)\n\n- Status: (\w+).*\n- Date: (\S+)/.exec(await textOf(page)) ?? [];
			return [`[${number}](${page.replace("docs/decisions/", "")})`, title, status, date];
		}),
	);
	const rows = [...(await textOf(index)).matchAll(/^\| (\[\d.+) \|$/gm)].map(([, row = ""]) => row.split(" | "));
	expect(rows.map((row) => row.slice(0, 4))).toEqual(expected);
	for (const row of rows) expect(row[4]).toMatch(/^[\w`].{30,}\.$/);
});
