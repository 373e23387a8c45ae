import { describe, expect, test } from "bun:test";
import { dunningSite, standard } from "./site";

const refused = (
	answer: { status: number; code?: string; message?: string },
	says: string,
	code = "InvalidArgumentError",
) => {
	expect(answer).toMatchObject({ status: 400, code });
	expect(answer.message).toContain(says);
};

describe("a suspended case (money-and-books.md, section 3)", () => {
	test("a promise stands still until its day is over, and the steps move by the days between", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		await site.advance("2026-02-11T09:00:00Z");
		const suspended = await site.collection(id, "suspend", {
			reason: "PROMISE",
			untilDay: "2026-02-20",
			note: "phone",
		});
		expect(suspended).toMatchObject({
			status: 200,
			data: {
				case: {
					state: "SUSPENDED",
					suspension: { reason: "PROMISE", since: "2026-02-11T09:00:00.000Z", untilDay: "2026-02-20" },
					next: { kind: "RESUME", at: "2026-02-21T07:00:00.000Z" },
					note: "phone",
				},
			},
		});
		await site.advance("2026-06-01T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			"REMINDER -3 DONE 2026-02-07T07:00:00.000Z",
			"REMINDER 0 DONE 2026-02-10T07:00:00.000Z",
			// Ten days stood still.
			"REMINDER 7 DONE 2026-02-27T07:00:00.000Z",
			"REMINDER 14 DONE 2026-03-06T07:00:00.000Z",
			"REMINDER 28 DONE 2026-03-20T07:00:00.000Z",
			"END 42 DONE 2026-04-03T06:00:00.000Z",
		]);
	});

	test("a hold ends by a person, and a payment ends the case", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		expect((await site.collection(id, "suspend", { reason: "DISPUTE" })).data.case).toMatchObject({ next: null });
		await site.advance("2026-02-15T12:00:00Z");
		expect(await site.steps(id)).toEqual([]);
		const resumed = await site.collection(id, "resume");
		expect(resumed.data.case).toMatchObject({ state: "REMINDING", next: { days: -3, at: "2026-02-21T07:00:00.000Z" } });
		await site.collection(id, "suspend", { reason: "HOLD" });
		await site.pay(id);
		await site.advance("2026-02-16T12:00:00Z");
		expect((await site.shown(id)).case).toMatchObject({ state: "ENDED", endReason: "PAID", suspension: null });
	});

	test("a person stops a case and starts it again, with another policy", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		expect((await site.collection(id, "stop", { note: "by phone" })).data.case).toMatchObject({
			...{ state: "ENDED", endReason: "STOPPED", note: "by phone" },
		});
		await site.advance("2026-02-20T12:00:00Z");
		expect(await site.steps(id)).toEqual([]);
		await site.send("POST", "/dunning-policies", { ...standard, id: "short", reminders: [0, 5, 20] });
		const started = await site.collection(id, "start", { policyId: "short" });
		// Both passed reminders run as one at the next 08:00.
		expect(started.data.case).toMatchObject({
			...{ policyId: "short", policySource: null, state: "REMINDING" },
			next: { kind: "REMINDER", days: 5, at: "2026-02-21T07:00:00.000Z" },
		});
		await site.advance("2026-03-03T00:00:00Z");
		expect(await site.steps(id)).toEqual([
			"REMINDER 0 SKIPPED 2026-02-21T07:00:00.000Z",
			"REMINDER 5 DONE 2026-02-21T07:00:00.000Z",
			"REMINDER 20 DONE 2026-03-02T07:00:00.000Z",
		]);
	});

	test("credit notes and a cancellation end the case", async () => {
		const site = await dunningSite();
		const credited = await site.bill("2026-02-10");
		await site.send("POST", `/customers/cust-1/invoices/${credited.id}/credit-note`, {});
		await site.advance("2026-02-02T00:00:00Z");
		expect((await site.shown(credited.id)).case).toMatchObject({ state: "ENDED", endReason: "CREDITED" });
		expect(await site.steps(credited.id)).toEqual([]);
	});
});

test("a dispute of a part payment suspends the case by itself, and its end resumes it", async () => {
	const site = await dunningSite();
	const { id } = await site.bill("2026-02-10");
	await site.send("POST", `/customers/cust-1/invoices/${id}/payments`, { amount: 40 });
	const [{ receiptId }] = (await site.send("GET", "/receipts")).data;
	await site.advance("2026-02-11T12:00:00Z");
	const { data } = await site.send("POST", `/receipts/${receiptId}/disputes`, {});
	await site.advance("2026-02-11T12:00:01Z");
	expect((await site.shown(id)).case).toMatchObject({
		state: "SUSPENDED",
		suspension: { reason: "DISPUTE" },
		next: null,
	});
	await site.advance("2026-02-21T12:00:00Z");
	await site.send("POST", `/disputes/${data.disputeId}/state`, { state: "WON" });
	await site.advance("2026-02-21T12:00:01Z");
	// Ten days stood still: 17 February moves to 27 February.
	expect((await site.shown(id)).case).toMatchObject({
		state: "REMINDING",
		next: { days: 7, at: "2026-02-27T07:00:00.000Z" },
	});
	expect((await site.steps(id)).length).toBe(2);
});

describe("bad input of a case", () => {
	test("changes nothing, and says what to do", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		const before = await site.shown(id);
		const suspend = (body: object) => site.collection(id, "suspend", body);
		refused(await suspend({ reason: "PROMISE" }), "needs 'untilDay'");
		refused(await suspend({ reason: "PROMISE", untilDay: "2026-02-30" }), "no day 2026-02-30");
		refused(await suspend({ reason: "PROMISE", untilDay: "2026-01-31" }), "is past");
		refused(await suspend({ reason: "PROMISE", untilDay: "2027-03-01" }), "366 days");
		refused(await suspend({ reason: "DISPUTE", untilDay: "2026-02-20" }), "does not go with a DISPUTE");
		refused(await suspend({ reason: "OTHER" }), "reason", "BadUserInput");
		refused(await suspend({ reason: "HOLD", until: "2026-02-20" }), "until", "BadUserInput");
		refused(await site.collection(id, "resume"), "only a SUSPENDED one resumes");
		refused(await site.collection(id, "start"), "stop it first");
		expect(await site.collection(id, "start", { policyId: "none" })).toMatchObject({ status: 400 });
		expect(await site.shown(id)).toEqual(before);
	});

	test("is refused for an invoice without a case, and for a settled one", async () => {
		const site = await dunningSite({ appliesTo: {} });
		const { id } = await site.bill("2026-02-10");
		refused(await site.collection(id, "stop"), "has no dunning case");
		refused(await site.collection(id, "start"), "No dunning policy applies");
		expect(await site.collection(id, "start", { policyId: "none" })).toMatchObject({ status: 404 });
		await site.pay(id);
		refused(await site.collection(id, "start", { policyId: "standard" }), "is PAID");
	});
});
