import { expect, setDefaultTimeout, test } from "bun:test";
import { withinLines } from "../../../../src/areas/invoices/check/store.pages";
import { flat, till } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

test("a page of documents ends before it has too many lines, and has at least one", async () => {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", { invoiceGrouping: "CONSOLIDATED" });
	await ours.plan("pro", [flat({ month: 30 })]);
	for (const id of ["north", "south", "west"]) {
		await ours.customer(id, { parentCustomerId: "group", billsTo: "PARENT" });
		await ours.buy("pro", { id: `of-${id}`, customerId: id });
	}
	await ours.advance("2026-06-01T00:00:00Z");
	// Three invoices of one line, then three of three lines.
	const rows = ours.db.$client
		.query<{ id: string; lines: number }, []>(
			`SELECT i.id, count(*) AS lines FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
			GROUP BY i.id ORDER BY i.sequence`,
		)
		.all();
	expect(rows.map(({ lines }) => lines)).toEqual([1, 1, 1, 3, 3, 3]);
	const linesOf = (from: number, most?: number): number[] =>
		ours.transactions
			.read(ours.actor, (work) => withinLines(work, "invoices", rows.slice(from), ({ id }) => id, most))
			.map(({ lines }) => lines);
	expect(linesOf(0)).toEqual([1, 1, 1, 3, 3, 3]);
	expect(linesOf(0, 6)).toEqual([1, 1, 1, 3]);
	expect(linesOf(0, 5)).toEqual([1, 1, 1]);
	expect(linesOf(3, 2)).toEqual([3]);
	expect(linesOf(6, 2)).toEqual([]);
});
