import { expect, test } from "bun:test";
import { pages, textOf } from "./pages";

const decisions = pages.filter((page) => page.startsWith("docs/decisions/"));

test.each(decisions)("%s has a number, a status and a date", async (page) => {
	const [title, blank, status, date] = (await textOf(page)).split("\n");
	const number = /\/(\d{4})-/.exec(page)?.[1];
	expect([title?.slice(0, 8), blank]).toEqual([`# ${number}: `, ""]);
	expect(status).toMatch(/^- Status: (accepted|rejected|superseded by \[\d{4}\]\(\S+\))(, .+)?$/);
	expect(date).toMatch(/^- Date: 20\d\d-\d\d-\d\d( \(.+\))?$/);
});
