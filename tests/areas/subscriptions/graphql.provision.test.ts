import { beforeEach, describe, expect, test } from "bun:test";
import { ask, codes, data } from "../../graphql/ask";
import { monthEnd, now, openShop, ours, patch, provisioned, read, run } from "./graphql/bought";

beforeEach(openShop);

describe("provisioning", () => {
	const asked = {
		customerId: "acme",
		planId: "pro",
		refId: "sub-1",
		billingPeriod: "MONTHLY",
		addons: [{ addonId: "extra" }, { addonId: "needy", quantity: 2 }],
		unitQuantity: 3,
		additionalMetaData: { refId: "kept" },
		billingInformation: {
			taxPercentage: 19,
			billingAddress: { country: "DE", addressLine1: "Dom", phoneNumber: "1" },
			isInvoicePaid: true,
		},
		minimumSpend: { amount: 100, currency: "USD" },
		budget: { limit: 50, hasSoftLimit: true },
		subscriptionEntitlements: [{ featureId: "sso" }],
		entitlements: [{ type: "CREDIT", id: "gold", amount: 5, cadence: "MONTH" }],
		priceOverrides: [{ baseCharge: true, amount: 15, currency: "USD" }],
		appliedCoupon: { discount: { name: "Deal", percentOff: 10 } },
		cancellationDate: "2026-06-01T00:00:00Z",
		paymentCollectionMethod: "INVOICE",
		salesforceId: "sf-1",
		payingCustomerId: "beta",
		resourceId: "site",
		environmentId: "any",
	};

	test.each(["provisionSubscription", "provisionSubscriptionV2"])("%s: every field has its place", async (name) => {
		await ours.call("POST", "/customers", { body: { id: "beta" } });
		const { data: answer, errors } = await run(name, asked, { selection: provisioned });
		expect(errors).toBeUndefined();
		const { subscription, entitlementsV2, ...rest } = answer[name];
		expect(rest).toEqual({ status: "SUCCESS", checkoutUrl: null, checkoutBillingId: null, isScheduled: false });
		expect(subscription).toMatchObject({
			__typename: "CustomerSubscription",
			refId: "sub-1",
			subscriptionId: "sub-1",
			status: "ACTIVE",
			additionalMetaData: { refId: "kept" },
			currentBillingPeriodEnd: monthEnd,
			effectiveEndDate: "2026-06-01T00:00:00.000Z",
			plan: { refId: "pro" },
			addons: [
				{ quantity: 1, addon: { refId: "extra" } },
				{ quantity: 2, addon: { refId: "needy" } },
			],
			customer: { refId: "acme" },
			resource: { resourceId: "site" },
			paymentCollection: "NOT_REQUIRED",
			billingSyncError: null,
			// 15, three seats of 5, three addons of 3.33, and 100 at least; 10 % off, 19 % on.
			totalPrice: { subTotal: { amount: 139.99, currency: "USD" }, total: { amount: 149.94, currency: "USD" } },
			latestInvoice: { status: "PAID", total: 149.94, updatedAt: now },
		});
		expect(entitlementsV2).toContainEqual({
			__typename: "FeatureEntitlement",
			isGranted: true,
			usageLimit: 1500,
			feature: { refId: "calls" },
		});
		expect(entitlementsV2).toContainEqual({ __typename: "CreditEntitlement", currency: { currencyId: "gold" } });
		expect(await read("sub-1")).toMatchObject({
			payingCustomerId: "beta",
			cancellationDate: "2026-06-01T00:00:00.000Z",
			paymentCollectionMethod: "INVOICE",
			minimumSpend: { amount: 100, currency: "usd" },
			budget: { limit: 50, hasSoftLimit: true },
			coupons: [{ name: "Deal", percentOff: 10 }],
			subscriptionEntitlements: [
				{ id: "gold", type: "CREDIT" },
				{ id: "sso", type: "FEATURE" },
			],
		});
	});

	test("the words of the first release: its type, its names, an empty billing information", async () => {
		const query = `mutation ProvisionSubscription($input: ProvisionSubscription!) {
			provisionSubscription(input: $input) { checkoutUrl status subscription { __typename id refId } } }`;
		const input = {
			customerId: "acme",
			planId: "pro",
			subscriptionId: "sub-a",
			priceUnitAmount: 4,
			billingPeriod: "ANNUALLY",
			startDate: "2026-02-28T00:00:00.000Z",
			skipTrial: true,
			awaitPaymentConfirmation: false,
			billingInformation: {},
		};
		const body = await ask(ours, query, { input });
		expect(body.data.provisionSubscription).toMatchObject({ status: "SUCCESS", subscription: { refId: "sub-a" } });
		expect(await read("sub-a")).toMatchObject({ status: "NOT_STARTED", startDate: "2026-02-28T00:00:00.000Z" });
		const { createSubscription } = await data(
			ours,
			`mutation ($subscription: SubscriptionInput!) { createSubscription(subscription: $subscription) { refId status crmId trialEndDate cancellationDate } }`,
			{
				subscription: {
					customerId: "acme",
					planId: "basic",
					crmId: "sf-2",
					refId: "sub-b",
					endDate: "2026-05-01T00:00:00Z",
					isOverridingTrialConfig: true,
					isTrial: false,
					isCustomPriceSubscription: false,
				},
			},
		);
		expect(createSubscription).toEqual({
			refId: "sub-b",
			status: "ACTIVE",
			crmId: "sf-2",
			trialEndDate: null,
			cancellationDate: "2026-05-01T00:00:00.000Z",
		});
	});

	test("isOverridingTrialConfig says whether it begins as a trial; alone it says nothing", async () => {
		await ours.call("POST", "/plans/basic/draft");
		await patch("/plans/basic", { defaultTrialConfig: { duration: 7, units: "DAY" } });
		await ours.call("POST", "/plans/basic/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		const created = async (more: object) =>
			ask(
				ours,
				`mutation ($subscription: SubscriptionInput!) { createSubscription(subscription: $subscription) { status trialEndDate trial { trialEndBehavior } } }`,
				{ subscription: { customerId: "acme", planId: "basic", ...more } },
			);
		const trial = { trialEndDate: "2026-02-07T00:00:00.000Z", trial: { trialEndBehavior: "CONVERT_TO_PAID" } };
		expect((await created({ isOverridingTrialConfig: true, isTrial: true })).data.createSubscription).toEqual({
			status: "IN_TRIAL",
			...trial,
		});
		const paid = { status: "ACTIVE", trialEndDate: null, trial: null };
		expect((await created({ isOverridingTrialConfig: true, isTrial: false })).data.createSubscription).toEqual(paid);
		expect(codes(await created({ isOverridingTrialConfig: true }))).toEqual(["BadUserInput"]);
	});

	test("applySubscription answers the subscription and what it allows", async () => {
		const input = { customerId: "acme", planId: "free" };
		const selection = "{ subscription { refId plan { refId } } entitlementsV2 { __typename } }";
		const { data: answer } = await run("applySubscription", input, { selection });
		expect(answer.applySubscription).toMatchObject({
			subscription: { plan: { refId: "free" } },
			entitlementsV2: [{ __typename: "FeatureEntitlement" }],
		});
	});

	test("importSubscriptionsBulk answers a task; a member says what REST's says", async () => {
		const item = {
			subscriptionId: "moved",
			customerId: "acme",
			planId: "pro",
			billingPeriod: "MONTHLY",
			startDate: "2025-01-31T00:00:00Z",
			endDate: null,
			billingId: null,
			addons: [{ addonId: "extra", quantity: 2 }],
			billableFeatures: [{ featureId: "seats", quantity: 4 }],
			additionalMetaData: { from: "old" },
		};
		const bulk = (subscriptions: object[], more: object = {}) =>
			run("importSubscriptionsBulk", { subscriptions, ...more }, { selection: "" });
		const { data: answer } = await bulk([item]);
		const task = (await ours.call("GET", `/tasks/${answer.importSubscriptionsBulk}`)).body.data;
		expect(task).toMatchObject({ id: answer.importSubscriptionsBulk, status: "PENDING" });
		expect(ours.woken).toContain("importer");
		expect(codes(await bulk([]))).toEqual(["BadUserInput"]);
		expect(codes(await bulk([{ customerId: "acme", planId: "pro" }]))).toEqual(["BadUserInput"]);
		expect(codes(await bulk([{ ...item, customerId: "none" }]))).toEqual(["CustomerNotFound"]);
		expect(codes(await bulk([item], { integrationId: "i" }))).toEqual(["IntegrationNotFound"]);
	});
});
