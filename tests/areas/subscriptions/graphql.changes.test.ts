import { beforeEach, describe, expect, test } from "bun:test";
import { codes, data } from "../../graphql/ask";
import { monthEnd, now, openShop, ours, patch, provisioned, read, run } from "./graphql/bought";
import { invoicesOf } from "./shop";

beforeEach(openShop);

const buy = async (input: object) => {
	const body = await run("provisionSubscription", { customerId: "acme", ...input }, { selection: provisioned });
	if (body.errors) throw new Error(JSON.stringify(body.errors));
	return body.data.provisionSubscription;
};

describe.each(["updateOneSubscription", "updateSubscription"])("%s", (name) => {
	test("changes what is sent; null clears, what is left out stays", async () => {
		await buy({ planId: "pro", billingPeriod: "MONTHLY", refId: "s", additionalMetaData: { a: "b" } });
		const change = (input: object) => run(name, input);
		const more = await change({
			refId: "s",
			unitQuantity: 5,
			addons: [{ addonId: "extra", quantity: 2 }],
			additionalMetaData: { c: "d" },
			budget: { limit: 9, hasSoftLimit: false },
			minimumSpend: { amount: 1, currency: "USD" },
			salesforceId: "x",
			cancellationDate: "2026-09-01T00:00:00Z",
			billingInformation: { couponId: "TEN", metadata: { k: "v" } },
			environmentId: "any",
		});
		expect(more.errors).toBeUndefined();
		expect(more.data[name]).toMatchObject({
			refId: "s",
			addons: [{ quantity: 2, addon: { refId: "extra" } }],
			effectiveEndDate: "2026-09-01T00:00:00.000Z",
			// 20, five seats, two addons, 1 at least; 10 % off.
			totalPrice: { subTotal: { amount: 52.66 }, total: { amount: 47.39 } },
		});
		const after = await read("s");
		expect(after).toMatchObject({ metadata: { c: "d" }, coupons: [{ id: "TEN" }], budget: { limit: 9 } });
		await change({ subscriptionId: "s", billingInformation: {} });
		expect(await read("s")).toEqual(after);
		await change({ refId: "s", budget: null, minimumSpend: null, salesforceId: null, cancellationDate: null });
		const cleared = await read("s");
		expect(cleared).toMatchObject({ budget: null, minimumSpend: null, cancellationDate: null, metadata: { c: "d" } });
		await change({ refId: "s", billableFeatures: [{ featureId: "seats", quantity: 6 }] });
		expect((await invoicesOf(ours)).flatMap(({ lineItems }) => lineItems)).toContainEqual(
			expect.objectContaining({ quantity: 6, description: "Seats (Pro)" }),
		);
	});

	test("refuses as REST does", async () => {
		await buy({ planId: "basic", refId: "s" });
		const refused = async (input: object) => codes(await run(name, input));
		expect(await refused({ refId: "none" })).toEqual(["SubscriptionNotFound"]);
		expect(await refused({ refId: "none", unitQuantity: 1 })).toEqual(["SubscriptionNotFound"]);
		expect(await refused({ refId: "s", unitQuantity: 1 })).toEqual(["InvalidQuantity"]);
		expect(await refused({ refId: "s", addons: [{ addonId: "nope" }] })).toEqual(["AddonNotFound"]);
		expect(await refused({ refId: "s", scheduleStrategy: "NEVER" })).toEqual(["BadUserInput"]);
		expect(await refused({ unitQuantity: 1 })).toEqual(["BadUserInput"]);
		expect(await refused({ refId: "s", trialEndDate: monthEnd })).toEqual(["InvalidSubscriptionStatus"]);
	});
});

test("units that two names give differently are refused; the same is fine", async () => {
	await buy({ planId: "pro", billingPeriod: "MONTHLY", refId: "s" });
	const charges = [{ id: "seats", quantity: 4, type: "FEATURE" }];
	expect(codes(await run("updateSubscription", { refId: "s", charges, unitQuantity: 5 }))).toEqual(["InvalidQuantity"]);
	expect(await run("updateSubscription", { refId: "s", charges, unitQuantity: 4 })).toMatchObject({
		data: { updateSubscription: { totalPrice: { total: { amount: 40 } } } },
	});
});

test("cancelling, at each time", async () => {
	await buy({ planId: "pro", billingPeriod: "MONTHLY", refId: "s" });
	const cancel = (input: object) => run("cancelSubscription", { subscriptionRefId: "s", ...input });
	const later = await cancel({ subscriptionCancellationTime: "END_OF_BILLING_PERIOD" });
	expect(later.data.cancelSubscription).toMatchObject({ status: "ACTIVE", effectiveEndDate: monthEnd });
	const endDate = "2026-02-10T00:00:00.000Z";
	const dated = await cancel({ subscriptionCancellationTime: "SPECIFIC_DATE", endDate });
	expect(dated.data.cancelSubscription).toMatchObject({ status: "ACTIVE", effectiveEndDate: endDate });
	expect(codes(await cancel({ subscriptionCancellationTime: "SPECIFIC_DATE" }))).toEqual(["InvalidCancellationDate"]);
	const ended = await cancel({
		subscriptionCancellationTime: "IMMEDIATE",
		subscriptionCancellationAction: "REVOKE_ENTITLEMENTS",
		prorate: false,
	});
	expect(ended.data.cancelSubscription).toMatchObject({ status: "CANCELED", effectiveEndDate: now });
	expect(codes(await cancel({}))).toEqual(["SubscriptionAlreadyCanceledOrExpired"]);
	const notes = (await ours.call("GET", "/customers/acme/credit-notes")).body.data;
	expect(notes).toEqual([]);
});

test("migrating to the newest version, now or with the period", async () => {
	await buy({ planId: "basic", refId: "s" });
	const migrate = (input: object = {}) =>
		run("migrateSubscriptionToLatest", { subscriptionId: "s", ...input }, { selection: "{ subscriptionId }" });
	expect(codes(await migrate())).toEqual(["SubscriptionAlreadyOnLatestPlan"]);
	const publish = async (displayName: string) => {
		await ours.call("POST", "/plans/basic/draft");
		await patch("/plans/basic", { displayName });
		await ours.call("POST", "/plans/basic/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
	};
	await publish("Two");
	expect((await migrate({ subscriptionMigrationTime: "IMMEDIATE" })).data).toEqual({
		migrateSubscriptionToLatest: { subscriptionId: "s" },
	});
	await publish("Three");
	expect(await migrate()).not.toHaveProperty("errors");
	const query = `{ getSubscription(input: { subscriptionId: "s" }) { plan { versionNumber } futureUpdates {
		subscriptionScheduleType scheduleStatus scheduledExecutionTime targetPackage { refId displayName } } } }`;
	expect((await data(ours, query)).getSubscription).toEqual({
		plan: { versionNumber: 2 },
		futureUpdates: [
			{
				subscriptionScheduleType: "MigrateToLatest",
				scheduleStatus: "Scheduled",
				scheduledExecutionTime: monthEnd,
				targetPackage: { refId: "basic", displayName: "Two" },
			},
		],
	});
	expect(codes(await migrate())).toEqual(["ScheduledMigrationAlreadyExistsError"]);
});

test("transferring to another resource; delegating to another customer", async () => {
	await patch("/products/app", { multipleSubscriptions: true });
	await buy({ planId: "free", refId: "a", resourceId: "one" });
	const place = (name: string, input: object) => run(name, input, { selection: "{ refId resource { resourceId } }" });
	for (const [name, to] of Object.entries({ transferSubscription: "two", transferSubscriptionToResource: "three" }))
		expect((await place(name, { subscriptionId: "a", destinationResourceId: to })).data[name]).toEqual({
			refId: "a",
			resource: { resourceId: to },
		});
	expect(codes(await place("transferSubscription", { subscriptionId: "b", destinationResourceId: "x" }))).toEqual([
		"SubscriptionNotFound",
	]);

	await ours.call("POST", "/customers", { body: { id: "beta" } });
	const delegate = (targetCustomerId: string) =>
		run(
			"delegateSubscriptionToCustomer",
			{ subscriptionId: "a", targetCustomerId },
			{ selection: "{ payingCustomer { refId } }" },
		);
	expect((await delegate("beta")).data.delegateSubscriptionToCustomer).toEqual({ payingCustomer: { refId: "beta" } });
	expect(codes(await delegate("none"))).toEqual(["CustomerNotFound"]);
});

test("cancelSchedule drops scheduled updates and updates that wait for a payment", async () => {
	await buy({ planId: "pro", billingPeriod: "MONTHLY", refId: "s", unitQuantity: 5 });
	const drop = (input: object = {}) => run("cancelSchedule", { subscriptionId: "s", ...input }, { selection: "" });
	expect(codes(await drop())).toEqual(["FutureUpdateNotFound"]);
	const selection =
		"{ futureUpdates { subscriptionScheduleType scheduleStatus scheduledExecutionTime targetPackage { refId } } }";
	const change = (input: object) => run("updateSubscription", { refId: "s", ...input }, { selection });
	const units = await change({ unitQuantity: 2, scheduleStrategy: "END_OF_BILLING_PERIOD" });
	expect(units.data.updateSubscription.futureUpdates).toEqual([
		{
			subscriptionScheduleType: "UnitAmount",
			scheduleStatus: "Scheduled",
			scheduledExecutionTime: monthEnd,
			targetPackage: null,
		},
	]);
	expect(codes(await drop({ status: "PendingPayment" }))).toEqual(["FutureUpdateNotFound"]);
	expect((await drop({ status: "Scheduled" })).data).toEqual({ cancelSchedule: "s" });
	const awaited = await change({ unitQuantity: 9, awaitPaymentConfirmation: true });
	expect(awaited.data.updateSubscription.futureUpdates).toMatchObject([
		{ subscriptionScheduleType: "UnitAmount", scheduleStatus: "PendingPayment" },
	]);
	expect((await drop({ status: "PendingPayment" })).data).toEqual({ cancelSchedule: "s" });
	expect((await read("s")).futureUpdates).toEqual([]);
	expect(codes(await drop({ status: "Done" }))).toEqual(["BadUserInput"]);
	await buy({ planId: "basic", scheduleStrategy: "END_OF_BILLING_PERIOD" });
	const shown = `{ getSubscription(input: { subscriptionId: "s" }) ${selection} }`;
	expect((await data(ours, shown)).getSubscription.futureUpdates).toEqual([
		{
			subscriptionScheduleType: "Downgrade",
			scheduleStatus: "Scheduled",
			scheduledExecutionTime: monthEnd,
			targetPackage: { refId: "basic" },
		},
	]);
	expect((await drop()).data).toEqual({ cancelSchedule: "s" });
});

test("the latest invoice is paid, usage is charged, and nothing is synchronised", async () => {
	await buy({ planId: "basic", refId: "s" });
	const input = { subscriptionId: "s", environmentId: "any" };
	const pay = () => run("markInvoiceAsPaid", input, { selection: "{ refId latestInvoice { status } }" });
	expect((await pay()).data.markInvoiceAsPaid).toEqual({ refId: "s", latestInvoice: { status: "PAID" } });
	expect(codes(await pay())).toEqual(["BillingInvoiceStatusError"]);
	const selection = "{ subscriptionId periodStart periodEnd invoiceBillingId usageCharged { featureId usageAmount } }";
	const charge = (more: object = {}) => run("chargeSubscriptionUsage", { ...input, ...more }, { selection });
	expect((await charge({ untilDate: now })).data.chargeSubscriptionUsage).toEqual({
		subscriptionId: "s",
		periodStart: now,
		periodEnd: now,
		invoiceBillingId: null,
		usageCharged: [],
	});
	expect(codes(await charge({ untilDate: "2027-01-01T00:00:00Z" }))).toEqual(["InvalidArgumentError"]);
	const sync = await run("triggerSubscriptionUsageSync", input, { selection: "{ triggered }" });
	expect(sync.data.triggerSubscriptionUsageSync).toEqual({ triggered: false });
	const stranger = { subscriptionId: "none" };
	for (const name of ["markInvoiceAsPaid", "chargeSubscriptionUsage", "triggerSubscriptionUsageSync"])
		expect(codes(await run(name, stranger, { selection: "{ __typename }" }))).toEqual(["SubscriptionNotFound"]);
});
