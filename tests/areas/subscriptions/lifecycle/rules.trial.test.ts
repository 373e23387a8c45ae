import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../packages/guards";
import { scenario } from "../scenario";

const mine = scenario();
const override = (trial: object) => ({ trialOverrideConfiguration: { isTrial: true, ...trial } });
const until = (trialEndDate: string, more: object = {}) => override({ trialEndDate, ...more });

describe("whether a subscription begins as a trial", () => {
	const begins: Array<[string, object, object]> = [
		[
			"by the plan, to be converted",
			{ planId: "try" },
			{
				status: "IN_TRIAL",
				trialEndDate: "2026-02-14T00:00:00.000Z",
				trial: { trialEndBehavior: "CONVERT_TO_PAID" },
				effectiveEndDate: null,
			},
		],
		[
			"by the plan, to be over",
			{ planId: "taste" },
			{
				status: "IN_TRIAL",
				trialEndDate: "2026-02-07T00:00:00.000Z",
				trial: { trialEndBehavior: "CANCEL_SUBSCRIPTION" },
				effectiveEndDate: "2026-02-07T00:00:00.000Z",
			},
		],
		[
			"asked for, with the plan's length",
			{ planId: "try", ...override({}) },
			{ status: "IN_TRIAL", trialEndDate: "2026-02-14T00:00:00.000Z" },
		],
		[
			"asked for, with an end of its own",
			{ planId: "try", ...until("2026-03-01T12:00:00Z", { trialEndBehavior: "CANCEL_SUBSCRIPTION" }) },
			{
				status: "IN_TRIAL",
				trialEndDate: "2026-03-01T12:00:00.000Z",
				trial: { trialEndBehavior: "CANCEL_SUBSCRIPTION" },
			},
		],
		[
			"asked for where the plan has none",
			{ planId: "plain", ...until("2026-02-10T00:00:00Z") },
			{ status: "IN_TRIAL", trial: { trialEndBehavior: "CONVERT_TO_PAID" } },
		],
		[
			"asked for on a custom plan",
			{ planId: "custom", ...until("2026-02-10T00:00:00Z") },
			{ status: "IN_TRIAL", pricingType: "CUSTOM" },
		],
	];
	test.each(begins)("%s: it costs nothing", async (_, body, shown) => {
		const customerId = await mine.customer();
		const { id, subscription, isScheduled } = await mine.provision({ customerId, ...body });
		expect(isScheduled).toBe(false);
		expect(subscription).toMatchObject({
			...shown,
			cancelReason: null,
			billingCycleAnchor: null,
			currentBillingPeriodStart: null,
			currentBillingPeriodEnd: null,
			latestInvoice: null,
		});
		expect(await mine.get(id)).toEqual(subscription);
		expect(await mine.bills(customerId)).toEqual([]);
	});

	const paysAtOnce: Array<[string, object[], object, string[]]> = [
		["suppressed", [], { planId: "try", trialOverrideConfiguration: { isTrial: false } }, ["2026-01-31 30 OPEN"]],
		["a plan without a trial", [], { planId: "plain" }, ["2026-01-31 50 OPEN"]],
		[
			"who has paid for the product",
			[{ planId: "plain", billingInformation: { isInvoicePaid: true, prorationBehavior: "NONE" } }],
			{ planId: "try", billingInformation: { prorationBehavior: "NONE" }, billingCycleAnchor: "NOW" },
			["2026-01-31 50 PAID", "2026-01-31 30 OPEN"],
		],
		["a free plan", [], { planId: "gratis", ...until("2026-02-10T00:00:00Z") }, []],
	];
	test.each(paysAtOnce)("%s: ACTIVE at once", async (_, before, body, bills) => {
		const customerId = await mine.customer();
		for (const one of before) await mine.provision({ customerId, ...one });
		const { subscription } = await mine.provision({ customerId, ...body });
		expect(subscription).toMatchObject({ status: "ACTIVE", trial: null, trialEndDate: null });
		expect(await mine.bills(customerId)).toEqual(bills);
	});

	test("once for a customer and product; who asks for another gets it", async () => {
		const customerId = await mine.customer();
		const first = await mine.provision({ customerId, planId: "taste" });
		await mine.cancel(first.id);
		const second = await mine.provision({ customerId, planId: "try" });
		expect(second.subscription).toMatchObject({ status: "ACTIVE", trial: null });
		await mine.cancel(second.id);
		const third = await mine.provision({ customerId, planId: "try", ...override({}) });
		expect(third.subscription).toMatchObject({ status: "IN_TRIAL", trialEndDate: "2026-02-14T00:00:00.000Z" });
		expect(await mine.states(customerId)).toEqual([
			"try IN_TRIAL",
			"try CANCELED Immediate",
			"taste CANCELED Immediate",
		]);
		const other = await mine.provision({ customerId: await mine.customer(), planId: "try" });
		expect(other.subscription.status).toBe("IN_TRIAL");
	});

	test("a free subscription is no payment, and goes on alongside the trial", async () => {
		const customerId = await mine.customer();
		await mine.provision({ customerId, planId: "gratis" });
		await mine.provision({ customerId, planId: "try" });
		expect(await mine.states(customerId)).toEqual(["try IN_TRIAL", "gratis ACTIVE"]);
	});

	const refused: Array<[object, string]> = [
		[override({}), "trialEndDate"],
		[until("2026-01-31T00:00:00Z"), "after the start"],
		[{ trialOverrideConfiguration: {} }, "isTrial"],
		[until("soon"), "trialEndDate"],
	];
	test.each(refused)("refuses %j on a plan without a trial", async (body, says) => {
		const customerId = await mine.customer();
		isRefusal(await mine.post("/subscriptions", { customerId, planId: "plain", ...body }), 400, "BadUserInput", says);
		expect(await mine.states(customerId)).toEqual([]);
	});
});

describe("how a trial ends", () => {
	test("converted: charged from its end, and by the month from there", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "try" });
		mine.turn(customerId, "2026-02-13T23:59:59.999Z");
		expect((await mine.get(id)).status).toBe("IN_TRIAL");
		mine.turn(customerId, "2026-02-14T00:00:00Z");
		expect(await mine.get(id)).toMatchObject({
			status: "ACTIVE",
			cancelReason: null,
			trialEndDate: "2026-02-14T00:00:00.000Z",
			billingCycleAnchor: "2026-02-14T00:00:00.000Z",
			currentBillingPeriodStart: "2026-02-14T00:00:00.000Z",
			currentBillingPeriodEnd: "2026-03-14T00:00:00.000Z",
			latestInvoice: { billingReason: "SUBSCRIPTION_CREATION", total: 30 },
		});
		mine.turn(customerId, "2026-03-20T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-02-14 30 OPEN", "2026-03-14 30 OPEN"]);
	});

	test("over: EXPIRED with TRIAL_ENDED from the very instant, written down or not, and never charged", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "taste" });
		const expired = {
			status: "EXPIRED",
			cancelReason: "TRIAL_ENDED",
			effectiveEndDate: "2026-02-07T00:00:00.000Z",
		};
		mine.at("2026-02-07T00:00:00Z");
		expect(await mine.get(id)).toMatchObject(expired);
		expect(await mine.states(customerId)).toEqual(["taste EXPIRED TRIAL_ENDED"]);
		mine.turn(customerId, "2026-04-07T00:00:00Z");
		expect(await mine.get(id)).toMatchObject(expired);
		expect(await mine.bills(customerId)).toEqual([]);
		isRefusal(await mine.cancel(id), 400, "SubscriptionAlreadyCanceledOrExpired");
		isRefusal(await mine.patch(id, {}), 400, "SubscriptionAlreadyCanceledOrExpired");
	});

	test("over, where the product goes on with a free plan", async () => {
		const customerId = await mine.customer();
		await mine.provision({
			customerId,
			planId: "slow-pro",
			billingPeriod: "MONTHLY",
			...until("2026-02-10T00:00:00Z", { trialEndBehavior: "CANCEL_SUBSCRIPTION" }),
		});
		mine.turn(customerId, "2026-02-10T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(["slow-free ACTIVE", "slow-pro EXPIRED TRIAL_ENDED"]);
		expect(await mine.bills(customerId)).toEqual([]);
	});

	test("converted, it replaces the free plan alongside it", async () => {
		const customerId = await mine.customer();
		await mine.provision({ customerId, planId: "gratis" });
		await mine.provision({ customerId, planId: "try" });
		mine.turn(customerId, "2026-02-14T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(["try ACTIVE", "gratis CANCELED UPGRADE_OR_DOWNGRADE"]);
	});

	const paysAlready: Array<[string, string, string]> = [
		["paid", "plain", "try"],
		["custom", "custom", "pro"],
	];
	test.each(paysAlready)("alongside a %s subscription it ends, and is not charged", async (_, has, tries) => {
		const customerId = await mine.customer();
		await mine.provision({ customerId, planId: has });
		const bills = await mine.bills(customerId);
		await mine.provision({
			customerId,
			planId: tries,
			billingPeriod: "MONTHLY",
			...until("2026-02-10T00:00:00Z"),
		});
		expect(await mine.states(customerId)).toEqual([`${tries} IN_TRIAL`, `${has} ACTIVE`]);
		mine.turn(customerId, "2026-02-10T00:00:00Z");
		expect(await mine.states(customerId)).toEqual([`${tries} EXPIRED TRIAL_ENDED`, `${has} ACTIVE`]);
		expect(await mine.bills(customerId)).toEqual(bills);
	});

	test("one that is to start later begins as a trial, and is charged from its end", async () => {
		const customerId = await mine.customer();
		const { id, isScheduled } = await mine.provision({
			customerId,
			planId: "try",
			startDate: "2026-02-10T00:00:00Z",
		});
		expect(isScheduled).toBe(true);
		expect(await mine.get(id)).toMatchObject({ status: "NOT_STARTED", trialEndDate: "2026-02-24T00:00:00.000Z" });
		mine.turn(customerId, "2026-02-10T00:00:00Z");
		expect((await mine.get(id)).status).toBe("IN_TRIAL");
		mine.turn(customerId, "2026-02-24T00:00:00Z");
		expect((await mine.get(id)).status).toBe("ACTIVE");
		expect(await mine.bills(customerId)).toEqual(["2026-02-24 30 OPEN"]);
	});
});

describe("provisioning while a trial runs", () => {
	const cases: Array<[string, object, string[], string[]]> = [
		[
			"another plan converts it now",
			{ planId: "plain" },
			["plain ACTIVE", "try CANCELED TRIAL_CONVERTED"],
			["2026-02-05 50 OPEN"],
		],
		[
			"the same plan converts it now",
			{ planId: "try" },
			["try ACTIVE", "try CANCELED TRIAL_CONVERTED"],
			["2026-02-05 30 OPEN"],
		],
		[
			"without a trial by its own words, it is paid in addition to it",
			{ planId: "plain", trialOverrideConfiguration: { isTrial: false } },
			["plain ACTIVE", "try IN_TRIAL"],
			["2026-02-05 50 OPEN"],
		],
		[
			"another trial takes its place",
			{ planId: "taste", trialOverrideConfiguration: { isTrial: true } },
			["taste IN_TRIAL", "try CANCELED UPGRADE_OR_DOWNGRADE"],
			[],
		],
	];
	test.each(cases)("%s", async (_, body, states, bills) => {
		const customerId = await mine.customer();
		await mine.provision({ customerId, planId: "try" });
		mine.at("2026-02-05T00:00:00Z");
		await mine.provision({ customerId, ...body });
		expect(await mine.states(customerId)).toEqual(states);
		expect(await mine.bills(customerId)).toEqual(bills);
	});
});

describe("changing a trial", () => {
	const begun = async (body: object = { planId: "try" }) => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, ...body });
		return { customerId, id };
	};

	test("lengthened, it is charged later; shortened, sooner", async () => {
		const { customerId, id } = await begun();
		const longer = await mine.patch(id, { trialEndDate: "2026-03-01T00:00:00Z" });
		expect(longer.status).toBe(200);
		expect(longer.body.data).toMatchObject({ status: "IN_TRIAL", trialEndDate: "2026-03-01T00:00:00.000Z" });
		mine.turn(customerId, "2026-02-20T00:00:00Z");
		expect((await mine.get(id)).status).toBe("IN_TRIAL");
		await mine.patch(id, { trialEndDate: "2026-02-21T00:00:00Z" });
		mine.turn(customerId, "2026-02-21T00:00:00Z");
		expect((await mine.get(id)).status).toBe("ACTIVE");
		expect(await mine.bills(customerId)).toEqual(["2026-02-21 30 OPEN"]);
	});

	test("lengthening takes a scheduled cancellation back, shortening does not", async () => {
		const { id } = await begun();
		await mine.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: "2026-02-10T00:00:00Z" });
		await mine.patch(id, { trialEndDate: "2026-02-12T00:00:00Z" });
		expect((await mine.get(id)).cancellationDate).toBe("2026-02-10T00:00:00.000Z");
		await mine.patch(id, { trialEndDate: "2026-02-20T00:00:00Z" });
		expect((await mine.get(id)).cancellationDate).toBeNull();
	});

	test("the subscription may change without a charge", async () => {
		const { customerId, id } = await begun({
			planId: "pro",
			billingPeriod: "MONTHLY",
			...until("2026-02-10T00:00:00Z"),
		});
		const changed = await mine.patch(id, { charges: [{ id: "seats", quantity: 4, type: "FEATURE" }] });
		expect(changed.body.data).toMatchObject({ status: "IN_TRIAL", latestInvoice: null });
		mine.turn(customerId, "2026-02-10T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-02-10 40 OPEN"]);
	});

	test("an end that has passed is refused, and so is one of what is no trial", async () => {
		const { id } = await begun();
		isRefusal(await mine.patch(id, { trialEndDate: "2026-01-31T00:00:00Z" }), 400, "InvalidArgumentError");
		expect((await mine.get(id)).trialEndDate).toBe("2026-02-14T00:00:00.000Z");
		const { id: active } = await begun({ planId: "plain" });
		isRefusal(await mine.patch(active, { trialEndDate: "2026-03-01T00:00:00Z" }), 400, "InvalidSubscriptionStatus");
		expect((await mine.get(active)).trialEndDate).toBeNull();
	});
});

describe("cancelling a trial", () => {
	const date = (endDate: string) => ({ cancellationTime: "SPECIFIC_DATE", endDate });
	const cases: Array<[string, object | undefined, string[], object]> = [
		["at once, when nothing is said", undefined, ["try CANCELED Immediate"], {}],
		["at once", { cancellationTime: "IMMEDIATE" }, ["try CANCELED Immediate"], {}],
		[
			"on a date within it",
			date("2026-02-10T00:00:00Z"),
			["try CANCELED ScheduledCancellation"],
			{ effectiveEndDate: "2026-02-10T00:00:00.000Z" },
		],
		[
			"on the very end",
			date("2026-02-14T00:00:00Z"),
			["try CANCELED ScheduledCancellation"],
			{ effectiveEndDate: "2026-02-14T00:00:00.000Z" },
		],
		[
			"on a date beyond it, which extends it",
			date("2026-03-10T00:00:00Z"),
			["try CANCELED ScheduledCancellation"],
			{ trialEndDate: "2026-03-10T00:00:00.000Z", effectiveEndDate: "2026-03-10T00:00:00.000Z" },
		],
	];
	test.each(cases)("%s: never charged", async (_, body, states, shown) => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({ customerId, planId: "try" });
		const answer = await mine.cancel(id, body);
		expect(answer.status).toBe(200);
		expect(answer.body.data).toMatchObject(shown);
		mine.turn(customerId, "2026-05-01T00:00:00Z");
		expect(await mine.states(customerId)).toEqual(states);
		expect(await mine.get(id)).toMatchObject(shown);
		expect(await mine.bills(customerId)).toEqual([]);
	});

	const refused: Array<[object, string]> = [
		[{ cancellationTime: "END_OF_BILLING_PERIOD" }, "TrialMustBeCancelledImmediately"],
		[{ cancellationTime: "SPECIFIC_DATE" }, "InvalidCancellationDate"],
		[date("2026-01-31T00:00:00Z"), "InvalidCancellationDate"],
	];
	test.each(refused)("refuses %j with %s, and lets it run", async (body, code) => {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, planId: "try" });
		isRefusal(await mine.cancel(id, body), 400, code);
		expect(await mine.get(id)).toEqual(subscription);
	});

	test("ends at once where the product would wait for a period that a trial does not have", async () => {
		const customerId = await mine.customer();
		const { id } = await mine.provision({
			customerId,
			planId: "slow-pro",
			billingPeriod: "MONTHLY",
			...until("2026-02-10T00:00:00Z"),
		});
		await mine.cancel(id);
		expect(await mine.states(customerId)).toEqual(["slow-free ACTIVE", "slow-pro CANCELED Immediate"]);
	});
});
