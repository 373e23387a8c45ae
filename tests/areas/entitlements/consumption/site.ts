import { preparedWorld, type World } from "../../../support/world";
import { maker, metered, seats } from "../../packages/catalogue";

/**
 * A plan `team` with ten `tokens` a month (hard), five `seats` (hard), soft `mails` and unlimited `pages`; `calls` has a
 * meter, `sso` and `region` count nothing. The customer `acme` subscribes at the start of the clock.
 */
export async function site() {
	const ours = await preparedWorld("consumption", fill);
	const [subscription] = (await ours.call("GET", "/subscriptions?customerId=acme")).body.data;
	const path = "/customers/acme/entitlements";
	return {
		...ours,
		report: (...usages: object[]) =>
			ours.call("POST", "/usage", { body: { usages: usages.map((one) => ({ customerId: "acme", ...one })) } }),
		check: async (featureId: string, more = "") =>
			(await ours.call("GET", `${path}/check?featureId=${featureId}${more}`)).body.data,
		consume: (featureId: string, body: object = {}) => ours.call("POST", `${path}/${featureId}/consume`, { body }),
		reserve: (featureId: string, body: object = {}) => ours.call("POST", `${path}/${featureId}/reservations`, { body }),
		subscriptionId: subscription.id as string,
	};
}

async function fill(ours: World): Promise<void> {
	const make = maker(ours);
	await make.product();
	await make.feature("sso");
	await make.feature("depth", { featureType: "NUMBER" });
	for (const id of ["tokens", "mails", "pages", "calls", "unsold"]) await make.feature(id, metered);
	await make.feature("seats", seats);
	await make.feature("blocks", { ...metered, unitTransformation: { divide: 1000, round: "UP" } });
	const meter = { aggregation: { function: "COUNT" }, filters: [] };
	await ours.call("PATCH", "/features/calls", { body: { meter } });
	await make.plan("team");
	const monthly = {
		resetPeriod: "MONTH",
		monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	};
	await make.entitle(
		"/plans/team",
		{ type: "FEATURE", id: "sso" },
		{ type: "FEATURE", id: "depth", usageLimit: 3 },
		{ type: "FEATURE", id: "tokens", usageLimit: 10, ...monthly },
		{ type: "FEATURE", id: "mails", usageLimit: 10, hasSoftLimit: true },
		{ type: "FEATURE", id: "pages", hasUnlimitedUsage: true },
		{ type: "FEATURE", id: "calls", usageLimit: 10 },
		{ type: "FEATURE", id: "seats", usageLimit: 5 },
		{ type: "FEATURE", id: "blocks", usageLimit: 2 },
	);
	await make.charge("/plans/team", { pricingType: "FREE", pricingModels: [] });
	await make.publish("/plans/team");
	await ours.call("POST", "/customers", { body: { id: "acme" } });
	const subscribed = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "team" } });
	if (subscribed.status !== 201) throw new Error(JSON.stringify(subscribed.body));
}

export type Site = Awaited<ReturnType<typeof site>>;
