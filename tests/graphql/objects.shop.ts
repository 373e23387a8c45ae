import { provision, stock } from "../areas/subscriptions/shop";
import { type World, world } from "../support/world";

/** The shop with two customers who have subscribed. */
export async function soldShop(ours = world()): Promise<World> {
	await stock(ours);
	// Before the product begins a subscription for each new customer: what this one has, it is given below.
	await ours.call("POST", "/customers", {
		body: {
			id: "beta",
			defaultPaymentMethod: {
				type: "CARD",
				billingId: null,
				cardExpiryMonth: 4,
				cardExpiryYear: 2030,
				cardLast4Digits: "4242",
			},
			integrations: [{ id: "i", vendorIdentifier: "AWS_MARKETPLACE", syncedEntityId: "aws-1" }],
		},
	});
	await ours.call("PATCH", "/products/app", {
		body: {
			metadata: { team: "core" },
			productSettings: {
				subscriptionStartSetup: "FREE_PLAN",
				subscriptionStartPlanId: "free",
				subscriptionEndSetup: "DOWNGRADE_TO_FREE",
				downgradePlanId: "free",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		},
	});
	await ours.call("PATCH", "/customers/acme", {
		body: { couponId: "TEN", billingCurrency: "usd", metadata: { size: "big" } },
	});
	await provision(ours, {
		id: "sub-1",
		planId: "pro",
		billingPeriod: "MONTHLY",
		addons: [{ id: "extra", quantity: 2 }],
		charges: [{ id: "seats", type: "FEATURE", quantity: 7 }],
		metadata: { channel: "web" },
	});
	await provision(ours, { customerId: "beta", id: "sub-2", planId: "free", resourceId: "site" });
	return ours;
}
