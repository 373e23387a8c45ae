import { describe, expect, test } from "bun:test";
import { provision, shop } from "../../areas/subscriptions/shop";
import { world } from "../../support/world";
import { ask, codes, data, nodes } from "../ask";
import { shownTypes } from "../mutate";

/** As the known clients spell them (docs/interface/graphql.md); there may be more values. */
const enums: Readonly<Record<string, string>> = {
	SubscriptionStatus: "ACTIVE CANCELED EXPIRED IN_TRIAL NOT_STARTED PAYMENT_PENDING",
	BillingPeriod: "MONTHLY ANNUALLY",
	BillingModel: "FLAT_FEE PER_UNIT USAGE_BASED CREDIT_BASED MINIMUM_SPEND",
	PricingType: "FREE PAID CUSTOM",
	FeatureType: "BOOLEAN NUMBER ENUM",
	MeterType: "Fluctuating Incremental None",
	EntitlementResetPeriod: "HOUR DAY WEEK MONTH YEAR",
	MonthlyAccordingTo: "SubscriptionStart StartOfTheMonth",
	WeeklyAccordingTo:
		"SubscriptionStart EverySunday EveryMonday EveryTuesday EveryWednesday EveryThursday EveryFriday EverySaturday",
	ProvisionSubscriptionStatus: "SUCCESS PAYMENT_REQUIRED",
	SubscriptionCancellationTime: "IMMEDIATE END_OF_BILLING_PERIOD SPECIFIC_DATE",
	SubscriptionDecisionStrategy:
		"REQUESTED_PLAN PREDEFINED_FREE_PLAN PREDEFINED_TRIAL_PLAN SKIPPED_SUBSCRIPTION_CREATION",
	PromotionalEntitlementStatus: "Active Expired Paused",
	PromotionalEntitlementPeriod: "ONE_WEEK ONE_MONTH SIX_MONTH ONE_YEAR LIFETIME CUSTOM",
	TrialPeriodUnits: "DAY MONTH",
	CouponType: "FIXED PERCENTAGE",
	CouponStatus: "ACTIVE ARCHIVED",
	PublishMigrationType: "NEW_CUSTOMERS ALL_CUSTOMERS",
	AccessDeniedReason:
		"CustomerNotFound FeatureNotFound NoActiveSubscription NoFeatureEntitlementInSubscription RequestedUsageExceedingLimit Unknown FeatureTypeMismatch RequestedValuesMismatch",
	SubscriptionCancelReason:
		"UpgradeOrDowngrade CancelledByBilling Expired DetachBilling TrialEnded Immediate TrialConverted PendingPaymentExpired ScheduledCancellation CustomerArchived AutoCancellationRule",
	SortDirection: "ASC DESC",
	SortNulls: "NULLS_FIRST NULLS_LAST",
	ExperimentGroupType: "CONTROL VARIANT",
	SourceType: "NODE_SERVER_SDK JS_CLIENT_SDK",
};

const filters: Readonly<Record<string, string>> = {
	CustomerFilter:
		"id refId customerId name email billingId crmId createdAt updatedAt environmentId subscriptions promotionalEntitlements and or",
	CouponFilter: "id refId name description type status billingId createdAt updatedAt environmentId customers and or",
	CustomerSubscriptionFilter:
		"id refId subscriptionId status pricingType cancelReason billingId crmId startDate endDate trialEndDate effectiveEndDate cancellationDate createdAt environmentId customer addons prices customerId resourceId productId and or",
};

test("enums have the values that clients know", async () => {
	const types = await shownTypes(world());
	for (const [name, values] of Object.entries(enums)) {
		const there = new Set(types.get(name)?.enumValues?.map((value) => value.name));
		expect([name, values.split(" ").filter((value) => !there.has(value))]).toEqual([name, []]);
	}
});

test("filters have the fields that clients know", async () => {
	const types = await shownTypes(world());
	for (const [name, fields] of Object.entries(filters)) {
		const there = new Set(types.get(name)?.inputFields?.map((field) => field.name));
		expect([name, fields.split(" ").filter((field) => !there.has(field))]).toEqual([name, []]);
	}
});

describe("subscriptions", () => {
	const list = async (ours: Awaited<ReturnType<typeof shop>>, filter: object) =>
		nodes<{ refId: string; cancelReason: string | null }>(
			(
				await data(
					ours,
					"query ($filter: CustomerSubscriptionFilter) { subscriptions(filter: $filter) { edges { node { refId cancelReason } } } }",
					{ filter },
				)
			).subscriptions,
		);

	test("tell why they ended in Pascal case, and are found by it", async () => {
		const ours = await shop();
		await provision(ours, { id: "first", planId: "basic", billingPeriod: "MONTHLY" });
		await provision(ours, { id: "second", planId: "pro", billingPeriod: "MONTHLY" });
		const ended = { refId: "first", cancelReason: "UpgradeOrDowngrade" };
		expect(await list(ours, { cancelReason: { eq: "UpgradeOrDowngrade" } })).toEqual([ended]);
		expect(await list(ours, { cancelReason: { in: ["Immediate", "Expired"] } })).toEqual([]);
		expect(await list(ours, { cancelReason: { is: null } })).toEqual([{ refId: "second", cancelReason: null }]);
		await ours.call("POST", "/subscriptions/second/cancel", { body: { cancellationTime: "IMMEDIATE" } });
		expect(await list(ours, { cancelReason: { eq: "Immediate" } })).toMatchObject([{ refId: "second" }]);
	});

	test("are found by the units of their prices", async () => {
		const ours = await shop();
		await ours.call("POST", "/customers", { body: { id: "other" } });
		const seats = (quantity: number) => ({ charges: [{ id: "seats", type: "FEATURE", quantity }] });
		await provision(ours, { id: "few", planId: "pro", billingPeriod: "MONTHLY", ...seats(2) });
		await provision(ours, { customerId: "other", id: "many", planId: "pro", billingPeriod: "MONTHLY", ...seats(30) });
		const found = async (prices: object) => (await list(ours, { prices })).map(({ refId }) => refId);
		expect(await found({ usageLimit: { gt: 10 } })).toEqual(["many"]);
		expect(await found({ featureId: { eq: "seats" }, usageLimit: { lte: 10 } })).toEqual(["few"]);
		expect(await found({ featureId: { eq: "calls" } })).toEqual([]);
	});
});

test("a currency is a text, or the bare name", async () => {
	const ours = world();
	const coupon = (id: string, currency: string) =>
		ask(
			ours,
			`mutation { createOneCoupon(input: { refId: "${id}", name: "C", amountsOff: [{ amount: 5, currency: ${currency} }] })
				{ amountsOff { amount currency } } }`,
		);
	const made = { data: { createOneCoupon: { amountsOff: [{ amount: 5, currency: "EUR" }] } } };
	expect(await coupon("a", '"EUR"')).toEqual(made);
	expect(await coupon("b", "EUR")).toEqual(made);
	expect(codes(await coupon("c", "5"))).toEqual(["BadUserInput"]);
	expect(codes(await coupon("d", "XXZ"))).toEqual(["BadUserInput"]);
});

test("a plan has no groups of packages, and says so by an empty list", async () => {
	const ours = await shop();
	const groups =
		"compatiblePackageGroups { packageGroupId displayName addons { refId } options { minItems freeItems } }";
	expect((await data(ours, `{ plan(refId: "pro") { ${groups} } }`)).plan).toEqual({ compatiblePackageGroups: [] });
});
