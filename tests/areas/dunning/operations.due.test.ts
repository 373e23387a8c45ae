import { describe, expect, test } from "bun:test";
import { dunningSite } from "./site";

const reminder = (days: number, at: string, outcome = "DONE") => `REMINDER ${days} ${outcome} ${at}`;

describe("reminders of an invoice paid by transfer (money-and-books.md, section 3)", () => {
	test("run at -3, 0, +7, +14 and +28 days at 08:00 of the customer's zone, across a clock change", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-03-25");
		expect((await site.shown(id)).case).toMatchObject({
			state: "REMINDING",
			policySource: "ENVIRONMENT",
			next: { kind: "REMINDER", days: -3, at: "2026-03-22T07:00:00.000Z" },
		});
		await site.advance("2026-08-01T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			reminder(-3, "2026-03-22T07:00:00.000Z"),
			reminder(0, "2026-03-25T07:00:00.000Z"),
			reminder(7, "2026-04-01T06:00:00.000Z"),
			reminder(14, "2026-04-08T06:00:00.000Z"),
			reminder(28, "2026-04-22T06:00:00.000Z"),
			"END 42 DONE 2026-05-06T06:00:00.000Z",
		]);
		expect((await site.shown(id)).case).toMatchObject({ state: "ENDED", endReason: "POLICY_END", next: null });
		const kinds = (await site.mails()).map(({ kind }: { kind: string }) => kind);
		expect(kinds).toEqual(["BEFORE_DUE", "DUE", "OVERDUE", "OVERDUE", "FINAL"]);
	});

	test("the first runs at the issue if its time has passed, a later one at the next 08:00", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-01");
		await site.advance("2026-02-12T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			reminder(-3, "2026-02-01T12:00:00.000Z"),
			reminder(0, "2026-02-02T07:00:00.000Z"),
			reminder(7, "2026-02-08T07:00:00.000Z"),
		]);
		const kinds = (await site.mails()).map(({ kind }: { kind: string }) => kind);
		expect(kinds).toEqual(["DUE", "OVERDUE", "OVERDUE"]);
	});

	test("only the last one of several later reminders that have passed runs, and the last days run in full", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2025-12-20");
		await site.advance("2026-06-01T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			reminder(-3, "2026-02-01T12:00:00.000Z"),
			...[0, 7, 14].map((days) => reminder(days, "2026-02-02T07:00:00.000Z", "SKIPPED")),
			reminder(28, "2026-02-02T07:00:00.000Z"),
			"END 42 DONE 2026-02-16T07:00:00.000Z",
		]);
	});

	test("share one mail for each customer and day", async () => {
		const site = await dunningSite();
		const one = await site.bill("2026-03-10");
		const two = await site.bill("2026-03-03");
		await site.advance("2026-03-11T00:00:00Z");
		const mails = await site.mails();
		const together = mails.find(({ invoiceIds }: { invoiceIds: string[] }) => invoiceIds.length === 2);
		expect(together).toMatchObject({ at: "2026-03-10T07:00:00.000Z", kind: "OVERDUE", status: "TEST_CLOCK" });
		expect([...together.invoiceIds].sort()).toEqual([one.id, two.id].sort());
		expect(mails).toHaveLength(4);
		expect(together.text).toContain("Total: $200.00");
	});

	test("end with the payment, and continue after a reversed one, moved by the days between", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-15");
		await site.advance("2026-02-16T00:00:00Z");
		const { paymentId } = await site.pay(id);
		await site.advance("2026-03-01T12:00:00Z");
		expect((await site.shown(id)).case).toMatchObject({ state: "ENDED", endReason: "PAID" });
		const reversed = await site.send("POST", `/customers/cust-1/invoices/${id}/payments/${paymentId}/reverse`, {
			reason: "RETURNED",
		});
		expect(reversed.status).toBe(201);
		await site.advance("2026-05-01T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			reminder(-3, "2026-02-12T07:00:00.000Z"),
			reminder(0, "2026-02-15T07:00:00.000Z"),
			// 13 days stood still: 22 February moves to 7 March.
			reminder(7, "2026-03-07T07:00:00.000Z"),
			reminder(14, "2026-03-14T07:00:00.000Z"),
			reminder(28, "2026-03-28T07:00:00.000Z"),
			"END 42 DONE 2026-04-11T06:00:00.000Z",
		]);
	});

	test("an installation without a policy has no cases, and no further steps of a test clock", async () => {
		const site = await dunningSite(null);
		const { id } = await site.bill("2026-02-15");
		expect(await site.advance("2026-06-01T00:00:00Z")).toMatchObject({ steps: 1 });
		expect(await site.shown(id)).toMatchObject({ case: null, steps: [], amountDue: 100, isOverdue: true });
		expect((await site.send("GET", "/dunning-cases")).data).toEqual([]);
	});
});
