import { describe, expect, test } from "bun:test";
import { chargedSite } from "./charged";

const kinds = (mails: { kind: string }[]) => mails.map(({ kind }) => kind);

describe("charges of an invoice that failed (money-and-books.md, section 3)", () => {
	test("are tried again 2, 5, 9, 14 and 21 days after the due date at 08:00 of the customer's zone, then the last days run", async () => {
		const site = await chargedSite(["RETRY_LATER"]);
		await site.sell();
		expect(await site.shown()).toMatchObject({
			case: { state: "RETRYING", next: { kind: "RETRY", days: 2, at: "2026-02-04T07:00:00.000Z" } },
			lastAttempt: { state: "FAILED", trigger: "ISSUE", failure: { bucket: "RETRY_LATER" } },
		});
		for (const day of ["05", "08", "12", "17", "24"]) await site.until(`2026-02-${day}T00:00:00Z`);
		const tries = ["04", "07", "11", "16", "23"].map((day) => `2026-02-${day}T07:00:00.000Z`);
		expect(await site.tries()).toEqual([
			"ISSUE FAILED 2026-02-02T12:00:00.000Z",
			...tries.map((at) => `RETRY FAILED ${at}`),
		]);
		expect((await site.shown()).case).toMatchObject({
			...{ state: "FINAL_NOTICE", next: { kind: "END", days: 42, at: "2026-03-16T07:00:00.000Z" } },
		});
		await site.until("2026-04-01T00:00:00Z");
		const days = [2, 5, 9, 14, 21];
		expect(await site.steps()).toEqual([
			"RETRY 0 FAILED 2026-02-02T12:00:00.000Z",
			...tries.map((at, index) => `RETRY ${days[index]} FAILED ${at}`),
			"END 42 DONE 2026-03-16T07:00:00.000Z",
		]);
		expect(kinds(await site.mails())).toEqual([...Array(5).fill("CHARGE_FAILED"), "FINAL"]);
	});

	test("follow the same schedule when the clock passes all of it at once", async () => {
		const site = await chargedSite(["RETRY_LATER"]);
		await site.sell();
		await site.until("2026-04-01T00:00:00Z");
		expect(await site.steps()).toEqual([
			"RETRY 0 FAILED 2026-02-02T12:00:00.000Z",
			...["2 FAILED 2026-02-04", "5 FAILED 2026-02-07", "9 FAILED 2026-02-11", "14 FAILED 2026-02-16"].map(
				(step) => `RETRY ${step}T07:00:00.000Z`,
			),
			"RETRY 21 FAILED 2026-02-23T07:00:00.000Z",
			"END 42 DONE 2026-03-16T07:00:00.000Z",
		]);
		expect((await site.tries()).length).toBe(6);
		expect(kinds(await site.mails())).toEqual([...Array(5).fill("CHARGE_FAILED"), "FINAL"]);
	});

	test("end with the money, and the mail names the next try", async () => {
		const site = await chargedSite(["RETRY_LATER", "RETRY_LATER", "PAID"]);
		await site.sell();
		await site.until("2026-02-08T00:00:00Z");
		expect(await site.shown()).toMatchObject({ state: "PAID", case: { state: "ENDED", endReason: "PAID" } });
		expect(await site.steps()).toEqual([
			"RETRY 0 FAILED 2026-02-02T12:00:00.000Z",
			"RETRY 2 FAILED 2026-02-04T07:00:00.000Z",
			"RETRY 5 DONE 2026-02-07T07:00:00.000Z",
		]);
		const [first] = await site.mails();
		expect(first).toMatchObject({
			kind: "CHARGE_FAILED",
			subject: "We could not charge INV-000001",
			status: "TEST_CLOCK",
		});
		expect(first.text).toContain("INV-000001 · $9.99 USD · due 2 Feb 2026 · next attempt 4 Feb 2026");
	});

	test("INSUFFICIENT_FUNDS moves a step to the next 1st, 15th or Friday if that is nearer", async () => {
		const site = await chargedSite(["INSUFFICIENT_FUNDS"]);
		await site.sell();
		await site.until("2026-04-01T00:00:00Z");
		expect((await site.tries()).map((one) => one.split(" ")[2]?.slice(0, 10))).toEqual([
			// Wednesday the 4th comes before Friday the 6th; Friday the 6th before day 5, Saturday the 7th.
			...["2026-02-02", "2026-02-04", "2026-02-06"],
			// Day 9 is Wednesday the 11th; then Friday the 13th before day 14, the 16th; Sunday the 15th before day 21.
			...["2026-02-11", "2026-02-13", "2026-02-15"],
		]);
	});

	test("OURS uses no step: the same one is tried at the next 08:00, and the customer gets no mail", async () => {
		const site = await chargedSite(["OURS", "OURS", "PAID"]);
		await site.sell();
		await site.until("2026-02-10T00:00:00Z");
		expect(await site.tries()).toEqual([
			"ISSUE FAILED 2026-02-02T12:00:00.000Z",
			"RETRY FAILED 2026-02-03T07:00:00.000Z",
			"RETRY SUCCEEDED 2026-02-04T07:00:00.000Z",
		]);
		expect(await site.steps()).toEqual(["RETRY 0 DONE 2026-02-04T07:00:00.000Z"]);
		expect(await site.mails()).toEqual([]);
	});
});

describe("a charge that waits for the customer (money-and-books.md, section 3)", () => {
	for (const bucket of ["NEW_METHOD", "NEVER"] as const)
		test(`after ${bucket} no try is made, and a new method is charged at once without a step`, async () => {
			const site = await chargedSite([bucket, "RETRY_LATER", "PAID"]);
			await site.sell();
			expect((await site.shown()).case).toMatchObject({
				...{ state: "WAITING", waitingFor: bucket },
				next: { kind: "FINAL_NOTICE", at: "2026-02-23T07:00:00.000Z" },
			});
			await site.until("2026-02-06T12:00:00Z");
			expect(site.charges).toEqual(["pm_1"]);
			await site.saveMethod("pm_2");
			await site.settle();
			expect(site.charges).toEqual(["pm_1", "pm_2"]);
			expect((await site.shown()).case).toMatchObject({
				...{ state: "RETRYING", waitingFor: null, next: { kind: "RETRY", days: 2, at: "2026-02-07T07:00:00.000Z" } },
			});
			await site.until("2026-02-08T00:00:00Z");
			expect(await site.tries()).toEqual([
				"ISSUE FAILED 2026-02-02T12:00:00.000Z",
				"NEW_METHOD FAILED 2026-02-06T12:00:00.000Z",
				"RETRY SUCCEEDED 2026-02-07T07:00:00.000Z",
			]);
			expect(kinds(await site.mails())).toEqual(["METHOD_NEEDED", "CHARGE_FAILED"]);
		});

	test("the days of the tries still count: then the last days run, and the end follows", async () => {
		const site = await chargedSite(["NEVER"], { end: { action: "CANCEL", afterDays: 30 } });
		await site.sell();
		await site.until("2026-03-10T00:00:00Z");
		expect(await site.steps()).toEqual([
			"RETRY 0 FAILED 2026-02-02T12:00:00.000Z",
			...[2, 5, 9, 14, 21].map((days) => `RETRY ${days} SKIPPED 2026-02-23T07:00:00.000Z`),
			"END 30 DONE 2026-03-04T07:00:00.000Z",
		]);
		expect(kinds(await site.mails())).toEqual(["METHOD_NEEDED", "FINAL"]);
		expect((await site.send("GET", "/subscriptions/s1")).data.status).toBe("CANCELED");
	});

	test("a method that failed with NEVER is not tried for another invoice either", async () => {
		const site = await chargedSite(["NEVER"]);
		await site.sell();
		const seat = [{ id: "seats", type: "FEATURE", quantity: 1 }];
		await site.sell({ id: "s2", planId: "pro", charges: seat });
		expect(site.charges).toEqual(["pm_1"]);
		const [, second] = (await site.send("GET", "/customers/acme/collection")).data.invoices;
		expect(second).toMatchObject({ lastAttempt: null, case: { state: "WAITING", waitingFor: "NEVER" } });
		await site.until("2026-02-02T13:00:00Z");
		// Both invoices share a mail.
		expect((await site.mails()).map(({ invoiceIds }: { invoiceIds: string[] }) => invoiceIds.length)).toEqual([2]);
	});

	test("an authentication: the mail has the link, and after seven days the case waits for another method", async () => {
		const site = await chargedSite(["ACTION", "PAID"]);
		await site.sell();
		expect(await site.shown()).toMatchObject({
			case: { state: "WAITING", waitingFor: "AUTHENTICATE", next: null },
			lastAttempt: { state: "REQUIRES_ACTION", actionUrl: "https://example.com/authenticate" },
		});
		await site.until("2026-02-02T12:30:00Z");
		const [mail] = await site.mails();
		expect(mail).toMatchObject({ kind: "AUTHENTICATION_NEEDED" });
		expect(mail.text).toContain("\nhttps://example.com/authenticate\n");
		await site.saveMethod("pm_2");
		await site.settle();
		expect(await site.tries()).toEqual([
			"ISSUE CANCELED 2026-02-02T12:00:00.000Z",
			"NEW_METHOD SUCCEEDED 2026-02-02T12:30:00.000Z",
		]);
		expect((await site.shown()).case).toMatchObject({ state: "ENDED", endReason: "PAID" });
	});
});

describe("a person and the charges", () => {
	test("a hold makes no try, and the schedule goes on after it", async () => {
		const site = await chargedSite(["RETRY_LATER"]);
		await site.sell();
		await site.collection("suspend", { reason: "HOLD" });
		await site.until("2026-02-12T12:00:00Z");
		expect(site.charges.length).toBe(1);
		const resumed = await site.collection("resume");
		expect(resumed.data.case).toMatchObject({ state: "RETRYING", next: { days: 2, at: "2026-02-14T07:00:00.000Z" } });
	});

	test("a charge by hand uses no step, and no second one runs at the same time", async () => {
		const site = await chargedSite(["RETRY_LATER"]);
		await site.sell();
		const { invoiceId } = await site.only();
		await site.send("POST", "/attempts", { invoiceId });
		await site.advance("2026-02-05T00:00:00Z");
		expect((await site.shown()).case).toMatchObject({ state: "RETRYING", next: null });
		expect((await site.tries()).length).toBe(2);
		await site.settle();
		expect((await site.tries()).map((one) => one.split(" ")[0])).toEqual(["ISSUE", "MANUAL", "RETRY"]);
		expect((await site.shown()).case.next).toMatchObject({ days: 5 });
	});

	test("reversed money is not charged again by itself", async () => {
		const site = await chargedSite(["PAID"]);
		await site.sell();
		const { invoiceId } = await site.only();
		const [{ paymentId }] = (await site.send("GET", `/customers/acme/invoices/${invoiceId}/payments`)).data;
		await site.send("POST", `/customers/acme/invoices/${invoiceId}/payments/${paymentId}/reverse`, {
			reason: "RETURNED",
		});
		await site.settle();
		expect(await site.shown()).toMatchObject({ state: "OPEN", case: { state: "WAITING", waitingFor: "REVERSED" } });
		await site.until("2026-02-20T00:00:00Z");
		expect(site.charges.length).toBe(1);
	});

	test("an invoice without retries in its policy is reminded as before", async () => {
		const site = await chargedSite(["RETRY_LATER"], { retries: null });
		await site.sell();
		await site.until("2026-02-20T00:00:00Z");
		expect(site.charges.length).toBe(1);
		expect((await site.shown()).case).toMatchObject({ state: "REMINDING", waitingFor: null });
	});
});
