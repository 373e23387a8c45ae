import { describe, expect, test } from "bun:test";
import { runningPerCustomerMax } from "../../../../src/areas/subscriptions/lifecycle/current";
import { getSubscription } from "../../../../src/areas/subscriptions/operations";
import { insertSubscription } from "../../../../src/areas/subscriptions/store";
import { isRefusal } from "../../packages/guards";
import { scenario } from "../scenario";

const mine = scenario();
const until = { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-03-01T00:00:00Z" } };
const transfer = (id: string, destinationResourceId: string) =>
	mine.post(`/subscriptions/${id}/transfer`, { destinationResourceId });
const delegate = (id: string, targetCustomerId: string) =>
	mine.post(`/subscriptions/${id}/delegate`, { targetCustomerId });

describe("POST /subscriptions/:id/transfer", () => {
	test("moves it to another resource, new or known, without a charge", async () => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, planId: "site", resourceId: "a" });
		const answer = await transfer(id, "b");
		expect(answer.status).toBe(200);
		expect(answer.body.data).toEqual({ ...subscription, resourceId: "b" });
		expect((await transfer(id, "b")).body.data.resourceId).toBe("b");
		await transfer(id, "a");
		const resources = (await mine.world.call("GET", `/customers/${customerId}/resources`)).body.data;
		expect(resources.map((one: { id: string }) => one.id).sort()).toEqual(["a", "b"]);
		const found = await mine.world.call("GET", `/subscriptions?customerId=${customerId}&resourceId=a`);
		expect(found.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 6 OPEN"]);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 6 OPEN", "2026-02-28 6 OPEN"]);
	});

	test("from none to one; a trial runs alongside what is paid there", async () => {
		const customerId = await mine.customer();
		const plain = await mine.provision({ customerId, planId: "site" });
		expect((await transfer(plain.id, "a")).body.data.resourceId).toBe("a");
		const trial = await mine.provision({ customerId, planId: "site", resourceId: "b", ...until });
		expect((await transfer(trial.id, "a")).body.data).toMatchObject({ resourceId: "a", status: "IN_TRIAL" });
		const second = await mine.provision({ customerId, planId: "site", resourceId: "b", ...until });
		isRefusal(await transfer(second.id, "a"), 409, "DuplicatedEntityNotAllowed", trial.id);
		expect((await mine.get(second.id)).resourceId).toBe("b");
	});

	test("credits its own invoice's unused time, not that of another that ended elsewhere at that instant", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "site", resourceId: "b" });
		const gone = await mine.provision({ customerId, planId: "site", resourceId: "a" });
		await mine.cancel(gone.id, { cancellationTime: "IMMEDIATE", prorate: false });
		await mine.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
		const [own, other] = (await mine.world.call("GET", `/customers/${customerId}/invoices`)).body.data;
		const { data: notes } = (await mine.world.call("GET", `/customers/${customerId}/credit-notes`)).body;
		expect(notes.map((note: { invoiceNumber: string; total: number }) => [note.invoiceNumber, note.total])).toEqual([
			[own.invoiceNumber, 6],
		]);
		expect(other.state).toBe("OPEN");
	});

	test("is refused where one runs, where the product has only one, and when it is over", async () => {
		const customerId = await mine.customer();
		const [one, other] = [
			await mine.provision({ customerId, planId: "site", resourceId: "a" }),
			await mine.provision({ customerId, planId: "site", resourceId: "b" }),
		];
		isRefusal(await transfer(other.id, "a"), 409, "DuplicatedEntityNotAllowed", one.id);
		expect((await mine.get(other.id)).resourceId).toBe("b");
		await mine.cancel(one.id);
		expect((await transfer(other.id, "a")).status).toBe(200);
		isRefusal(await transfer(one.id, "c"), 400, "SubscriptionAlreadyCanceledOrExpired");
		const single = await mine.provision({ customerId, planId: "basic", resourceId: "a" });
		isRefusal(await transfer(single.id, "b"), 400, "InvalidArgumentError", "'app'");
		isRefusal(await transfer("none", "b"), 404, "SubscriptionNotFound");
	});

	const wrong: Array<[object | undefined, string]> = [
		[undefined, "body"],
		[{}, "destinationResourceId"],
		[{ destinationResourceId: "a b" }, "destinationResourceId"],
		[{ destinationResourceId: null }, "destinationResourceId"],
		[{ destinationResourceId: "a", customerId: "acme" }, "customerId"],
	];
	test.each(wrong)("refuses %j", async (body, says) => {
		isRefusal(await mine.post("/subscriptions/some/transfer", body), 400, "BadUserInput", says);
	});
});

test("a customer has at most a thousand that run or wait", async () => {
	const customerId = await mine.customer();
	const sold = { customerId, planId: "site", startDate: "2026-03-01T00:00:00Z" };
	const { id } = await mine.provision(sold);
	const { transactions, actor } = mine.world;
	transactions.write(actor, (work) => {
		const row = getSubscription(work, id);
		for (let at = 1; at < runningPerCustomerMax; at += 1) insertSubscription(work, { ...row, refId: `${id}-${at}` });
	});
	const body = { customerId, planId: "site" };
	isRefusal(await mine.post("/subscriptions", body), 400, "TooManySubscriptionsPerCustomer", "cancel one");
	await mine.cancel(`${id}-1`);
	expect((await mine.post("/subscriptions", body)).status).toBe(201);
});

describe("POST /subscriptions/:id/delegate", () => {
	test("another customer pays from the next invoice on, and the customer itself again", async () => {
		const [customerId, payer] = [await mine.customer(), await mine.customer()];
		const { id, subscription } = await mine.provision({ customerId, planId: "basic" });
		const answer = await delegate(id, payer);
		expect(answer.status).toBe(200);
		expect(answer.body.data).toEqual({ ...subscription, payingCustomerId: payer });
		mine.turn(customerId, "2026-02-28T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN"]);
		expect(await mine.bills(payer)).toEqual(["2026-02-28 9.99 OPEN"]);
		expect((await delegate(id, customerId)).body.data.payingCustomerId).toBeNull();
		mine.turn(customerId, "2026-03-31T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN", "2026-03-31 9.99 OPEN"]);
		expect(await mine.bills(payer)).toHaveLength(1);
	});

	test("is refused for a customer that is not there or archived, and when it is over", async () => {
		const [customerId, gone] = [await mine.customer(), await mine.customer()];
		await mine.post(`/customers/${gone}/archive`);
		const { id } = await mine.provision({ customerId, planId: "basic" });
		isRefusal(await delegate(id, "nobody"), 404, "CustomerNotFound", "nobody");
		isRefusal(await delegate(id, gone), 400, "EntityIsArchivedError", gone);
		expect((await mine.get(id)).payingCustomerId).toBeNull();
		await mine.cancel(id);
		isRefusal(await delegate(id, customerId), 400, "SubscriptionAlreadyCanceledOrExpired");
		isRefusal(await delegate("none", customerId), 404, "SubscriptionNotFound");
		isRefusal(await mine.post(`/subscriptions/${id}/delegate`, {}), 400, "BadUserInput", "targetCustomerId");
	});
});

describe("POST /subscriptions/:id/usage/charge and /usage/sync", () => {
	const charge = (id: string, body?: object) => mine.post(`/subscriptions/${id}/usage/charge`, body);

	test("nothing used is nothing charged", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "basic" });
		mine.at("2026-02-10T00:00:00Z");
		const answer = await charge(id);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			data: {
				subscriptionId: id,
				periodStart: "2026-01-31T00:00:00.000Z",
				periodEnd: "2026-02-10T00:00:00.000Z",
				invoiceBillingId: null,
				usageCharged: [],
			},
		});
		expect((await charge(id, { untilDate: "2026-02-10T00:00:00Z" })).body.data.periodStart).toBe(
			"2026-02-10T00:00:00.000Z",
		);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN"]);
	});

	const refused: Array<[string, object, object, string]> = [
		["the future", { planId: "basic" }, { untilDate: "2026-02-01T00:00:00Z" }, "InvalidArgumentError"],
		["before the last charge", { planId: "basic" }, { untilDate: "2026-01-01T00:00:00Z" }, "InvalidArgumentError"],
		["a free plan", { planId: "free" }, {}, "InvalidArgumentError"],
		["a custom plan", { planId: "custom" }, {}, "InvalidArgumentError"],
		["what is billed elsewhere", { planId: "basic", paymentCollectionMethod: "NONE" }, {}, "InvalidArgumentError"],
		["a trial", { planId: "try" }, {}, "InvalidSubscriptionStatus"],
		["what has not started", { planId: "basic", startDate: "2026-02-01T00:00:00Z" }, {}, "InvalidSubscriptionStatus"],
		["what is not paid", { planId: "basic", awaitPaymentConfirmation: true }, {}, "InvalidSubscriptionStatus"],
		["no time at all", { planId: "basic" }, { untilDate: "today" }, "BadUserInput"],
	];
	test.each(refused)("refuses %s", async (_, sold, body, code) => {
		const { id } = await mine.provision({ customerId: await mine.customer(), ...sold });
		isRefusal(await charge(id, body), 400, code);
	});

	test("an ended subscription, and a missing one", async () => {
		const { id } = await mine.provision({ customerId: await mine.customer(), planId: "basic" });
		await mine.cancel(id);
		isRefusal(await charge(id), 400, "SubscriptionAlreadyCanceledOrExpired");
		isRefusal(await charge("none"), 404, "SubscriptionNotFound");
		isRefusal(await mine.post("/subscriptions/none/usage/sync"), 404, "SubscriptionNotFound");
	});

	test("usage is reported to no provider", async () => {
		const { id } = await mine.provision({ customerId: await mine.customer(), planId: "basic" });
		const answer = await mine.post(`/subscriptions/${id}/usage/sync`);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({ data: { triggered: false } });
	});
});
