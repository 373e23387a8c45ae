import { expect, test } from "bun:test";
import { granted, item } from "../../../areas/promotional-entitlements/grants";
import { provision, shop } from "../../../areas/subscriptions/shop";
import { ask } from "../../ask";

// As far as docs/interface/graphql.md tells what the known client selects; names that nobody serves yet are among them.
const fragments = `
	fragment FeatureFields on Feature { __typename featureUnits featureUnitsPlural displayName description refId featureType meterType }
	fragment EntitlementFields on PackageEntitlement { __typename usageLimit hasUnlimitedUsage featureId resetPeriod feature { ...FeatureFields } }
	fragment PriceFields on Price { __typename billingModel billingPeriod minUnitQuantity maxUnitQuantity
		price { __typename amount currency } feature { __typename featureUnits featureUnitsPlural displayName } }
	fragment AddonFields on Addon { __typename id refId displayName description additionalMetaData pricingType
		entitlements { ...EntitlementFields } prices { ...PriceFields } }
	fragment PlanFields on Plan { __typename id refId displayName description additionalMetaData pricingType
		product { __typename refId displayName description additionalMetaData productSettings { __typename downgradePlan { __typename refId displayName } } }
		basePlan { __typename id refId displayName } entitlements { ...EntitlementFields } inheritedEntitlements { ...EntitlementFields }
		prices { ...PriceFields } defaultTrialConfig { __typename duration units } compatibleAddons { ...AddonFields } }
	fragment PromotionalFields on PromotionalEntitlement { __typename status usageLimit featureId hasUnlimitedUsage resetPeriod
		endDate isVisible feature { ...FeatureFields } }
	fragment SubscriptionFields on CustomerSubscription { __typename id refId status additionalMetaData billingId billingLinkUrl
		effectiveEndDate currentBillingPeriodEnd pricingType experimentInfo { __typename id name groupName groupType }
		prices { __typename usageLimit price { ...PriceFields } } totalPrice { subTotal { amount } total { amount } }
		plan { ...PlanFields } addons { __typename id quantity addon { ...AddonFields } } customer { __typename id refId }
		startDate endDate trialEndDate cancellationDate }
	fragment CustomerFields on Customer { __typename id refId name email createdAt updatedAt billingId additionalMetaData hasPaymentMethod
		defaultPaymentExpirationMonth defaultPaymentExpirationYear defaultPaymentMethodLast4Digits
		trialedPlans { __typename planRefId productRefId } experimentInfo { __typename id name groupName groupType }
		coupon { __typename id refId name discountValue type status } promotionalEntitlements { ...PromotionalFields }
		subscriptions { ...SubscriptionFields } }
`;

const byFilter = `query GetCustomerByRefId($filter: CustomerFilter) { customers(filter: $filter) { __typename edges { __typename node { ...CustomerFields } } } } ${fragments}`;

test("the known client's largest read is answered whole, with null for what there is none of", async () => {
	const ours = await shop();
	await provision(ours, { planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "extra", quantity: 2 }] });
	await granted(ours, item("calls", { usageLimit: 5, resetPeriod: "DAY" }));
	const body = await ask(ours, byFilter, { filter: { refId: { eq: "acme" } } });
	expect(body).not.toHaveProperty("errors");
	expect(body.data.customers.edges).toMatchObject([
		{
			__typename: "CustomerEdge",
			node: {
				refId: "acme",
				promotionalEntitlements: [
					{
						__typename: "PromotionalEntitlement",
						status: "Active",
						usageLimit: 5,
						featureId: "calls",
						hasUnlimitedUsage: null,
						resetPeriod: "DAY",
						endDate: "2026-02-28T00:00:00.000Z",
						isVisible: true,
						feature: { refId: "calls", featureType: "NUMBER", meterType: "Incremental" },
					},
				],
				subscriptions: [
					{
						__typename: "CustomerSubscription",
						// The plan, the one seat that comes with it, and two addons.
						totalPrice: { subTotal: { amount: 31.66 }, total: { amount: 31.66 } },
						customer: { refId: "acme" },
						plan: {
							refId: "pro",
							product: { refId: "app", productSettings: { downgradePlan: null } },
							compatibleAddons: expect.arrayContaining([expect.objectContaining({ refId: "extra" })]),
						},
						addons: [{ quantity: 2, addon: { refId: "extra", entitlements: [{ usageLimit: 500 }] } }],
					},
				],
			},
		},
	]);
	expect((await ask(ours, byFilter, { filter: { refId: { eq: "nobody" } } })).data.customers.edges).toEqual([]);
});
