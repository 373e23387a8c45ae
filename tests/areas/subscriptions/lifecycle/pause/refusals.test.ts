import { describe, expect, test } from "bun:test";
import { data } from "../../../../graphql/ask";
import { flat, type Till, till } from "../../billing";

/** A plan of 31.00 from 1 January 2026; now it is 11 January. */
async function selling(body: object = {}) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })]);
	const id = await ours.buy("pro", body);
	await ours.advance("2026-01-11T00:00:00Z");
	return { ours, id };
}

const call = async (ours: Till, id: string, action: "pause" | "resume", body: object = {}) => {
	const { status, body: answer } = await ours.call("POST", `/subscriptions/${id}/${action}`, { body });
	return { status, code: answer.code };
};

const pastDate = "2026-01-10T00:00:00Z";
const day = (date: number) => `2026-01-${date}T00:00:00Z`;

describe("refused calls leave no trace", () => {
	test.each([
		["a date in the past", "pause", { at: "SPECIFIC_DATE", date: pastDate }, 400, "BadUserInput"],
		["SPECIFIC_DATE without a date", "pause", { at: "SPECIFIC_DATE" }, 400, "BadUserInput"],
		["a date without SPECIFIC_DATE", "pause", { date: day(20) }, 400, "BadUserInput"],
		[
			"a resumption before the pause",
			"pause",
			{ at: "SPECIFIC_DATE", date: day(20), resumeAt: day(19) },
			400,
			"BadUserInput",
		],
		["a resumption in the past", "pause", { resumeAt: pastDate }, 400, "BadUserInput"],
		["a pause after the end", "pause", { at: "SPECIFIC_DATE", date: day(28) }, 400, "BadUserInput"],
		["a resumption after the end", "pause", { resumeAt: day(28) }, 400, "BadUserInput"],
		["an unknown field", "pause", { until: day(20) }, 400, "BadUserInput"],
		["a time that does not exist", "pause", { at: "NEXT_WEEK" }, 400, "BadUserInput"],
		["a resumption without a pause", "resume", {}, 400, "InvalidSubscriptionStatus"],
		["an unknown field of a resumption", "resume", { prorate: true }, 400, "BadUserInput"],
	] as const)("%s", async (_, action, body, status, code) => {
		const { ours, id } = await selling();
		await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: day(25) });
		const before = (await ours.call("GET", `/subscriptions/${id}`)).body;
		expect(await call(ours, id, action, body)).toEqual({ status, code });
		expect((await ours.call("GET", `/subscriptions/${id}`)).body).toEqual(before);
	});

	test("a paused subscription cannot be paused again, nor resumed at a past time or after its end", async () => {
		const { ours, id } = await selling();
		await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: day(25) });
		expect((await call(ours, id, "pause")).status).toBe(200);
		expect(await call(ours, id, "pause")).toEqual({ status: 400, code: "InvalidSubscriptionStatus" });
		for (const date of [pastDate, day(25)])
			expect(await call(ours, id, "resume", { at: "SPECIFIC_DATE", date })).toEqual({
				status: 400,
				code: "BadUserInput",
			});
	});

	test("a trial and an ended subscription cannot be paused", async () => {
		const { ours, id } = await selling({ trialOverrideConfiguration: { isTrial: true, trialEndDate: day(20) } });
		expect(await call(ours, id, "pause")).toEqual({ status: 400, code: "InvalidSubscriptionStatus" });
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		for (const action of ["pause", "resume"] as const)
			expect(await call(ours, id, action)).toEqual({ status: 400, code: "SubscriptionAlreadyCanceledOrExpired" });
	});

	test("a free subscription has no billing period to wait for, and can be paused now", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("free", []);
		const id = await ours.buy("free");
		expect(await call(ours, id, "pause", { at: "END_OF_BILLING_PERIOD" })).toEqual({
			status: 400,
			code: "SubscriptionDoesNotHaveBillingPeriod",
		});
		expect((await call(ours, id, "pause")).status).toBe(200);
		expect((await call(ours, id, "resume")).status).toBe(200);
		expect(await ours.books()).toEqual([]);
	});
});

describe("a scheduled pause", () => {
	test("begins at the end of the billing period, and credits nothing", async () => {
		const { ours, id } = await selling();
		await call(ours, id, "pause", { at: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-02-10T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-01-01: 31 = pro 31"]);
		expect((await ours.call("GET", "/subscriptions?status=PAUSED")).body.data).toMatchObject([{ id }]);
		expect((await ours.call("GET", "/subscriptions?status=ACTIVE")).body.data).toEqual([]);
		await call(ours, id, "resume", { at: "END_OF_BILLING_PERIOD" });
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual(["2026-03-01: 31 = pro 31"]);
	});

	test("is withdrawn by a resumption, and gets an end by a later one", async () => {
		const { ours, id } = await selling();
		const pause = { at: "SPECIFIC_DATE", date: day(20) };
		await call(ours, id, "pause", pause);
		expect(await call(ours, id, "resume", { at: "SPECIFIC_DATE", date: day(15) })).toMatchObject({
			code: "BadUserInput",
		});
		await call(ours, id, "resume", { at: "SPECIFIC_DATE", date: day(22) });
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data.pause).toMatchObject({
			resumeAt: "2026-01-22T00:00:00.000Z",
		});
		await call(ours, id, "resume");
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data).not.toHaveProperty("pause");
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-01-01: 31 = pro 31", "2026-02-01: 31 = pro 31"]);
	});
});

test("GraphQL pauses, resumes and previews both", async () => {
	const { ours, id } = await selling();
	const ask = async (field: string, input: string, selection: string) =>
		(await data(ours, `mutation { ${field}(input: { subscriptionId: "${id}" ${input} }) { ${selection} } }`))[field];
	const total = "immediateInvoice { total { amount } }";
	expect(await ask("previewPauseSubscription", "", total)).toEqual({ immediateInvoice: { total: { amount: -21 } } });
	expect(
		await ask("pauseSubscription", 'resumeAt: "2026-04-01T00:00:00Z"', "status pause { resumeAt prorate }"),
	).toEqual({
		status: "PAUSED",
		pause: { resumeAt: "2026-04-01T00:00:00.000Z", prorate: true },
	});
	expect(await ask("previewResumeSubscription", "", total)).toEqual({ immediateInvoice: { total: { amount: 21 } } });
	expect(await ask("resumeSubscription", "billingCycleAnchor: NOW", "status pause { date }")).toEqual({
		status: "ACTIVE",
		pause: null,
	});
});

test("a paused subscription gives no access", async () => {
	const { ours, id } = await selling();
	const feature = "/customers/acme/entitlements/check?featureId=calls";
	await call(ours, id, "pause");
	expect((await ours.call("GET", feature)).body.data).toMatchObject({
		isGranted: false,
		accessDeniedReason: "NoActiveSubscription",
	});
	await call(ours, id, "resume");
	expect((await ours.call("GET", feature)).body.data).not.toMatchObject({ accessDeniedReason: "NoActiveSubscription" });
});
