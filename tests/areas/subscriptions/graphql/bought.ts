import { mutate } from "../../../graphql/mutate";
import type { World } from "../../../support/world";
import { shop } from "../shop";

export let ours: World;

/** Opens a new shop. Each test file calls this before each test. */
export async function openShop(): Promise<void> {
	ours = await shop();
}

export const now = "2026-01-31T00:00:00.000Z";
export const monthEnd = "2026-02-28T00:00:00.000Z";

/** The fields that known clients select of a subscription in the response of a mutation. */
const slim = `{ __typename id refId subscriptionId status additionalMetaData billingId billingLinkUrl effectiveEndDate
	currentBillingPeriodEnd pricingType experimentInfo { id } prices { usageLimit price { billingModel price { amount currency } } }
	totalPrice { subTotal { amount currency } total { amount currency } } plan { id refId } addons { quantity addon { id refId } }
	customer { id refId } resource { resourceId } latestInvoice { status total updatedAt } paymentCollection billingSyncError }`;

export const run = (name: string, input: object, options: Parameters<typeof mutate>[3] = {}) =>
	mutate(ours, name, input, { selection: slim, ...options });

export const provisioned = `{ status checkoutUrl checkoutBillingId isScheduled subscription ${slim}
	entitlementsV2 { __typename ... on FeatureEntitlement { isGranted usageLimit feature { refId } }
		... on CreditEntitlement { currency { currencyId } } } }`;

export const read = async (id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;
export const patch = (path: string, body: object) => ours.call("PATCH", path, { body });
