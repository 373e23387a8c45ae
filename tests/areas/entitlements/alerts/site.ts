import { AlertEvaluation } from "../../../../src/areas/entitlements/alerts/evaluate";
import { maker } from "../../packages/catalogue";
import { flat, till } from "../../subscriptions/billing";

/** `acme` and `beta` with a hard limit of 100 calls a month; the test starts each evaluation. */
export async function site(product: object = {}) {
	const ours = await till("2026-01-31T00:00:00Z");
	const make = maker(ours);
	await ours.insist("PATCH", "/products/app", { displayName: "App", ...product });
	await make.plan("pro", { displayName: "pro" });
	await make.entitle("/plans/pro", {
		type: "FEATURE",
		id: "calls",
		usageLimit: 100,
		resetPeriod: "MONTH",
		monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	});
	await make.charge("/plans/pro", { pricingType: "PAID", pricingModels: [flat({ month: 10 })] });
	await make.publish("/plans/pro");
	await ours.insist("POST", "/customers", { id: "beta" });
	for (const customerId of ["acme", "beta"])
		await ours.insist("POST", "/subscriptions", { customerId, planId: "pro", billingPeriod: "MONTHLY" });
	let keys = 0;
	const job = () => new AlertEvaluation(ours.thread);
	return {
		...ours,
		job,
		alert: (body: object) => ours.insist("POST", "/usage-alerts", { featureId: "calls", ...body }),
		/** Sends one event of `n` units, and counts it. */
		report: async (n: number, customerId = "acme", more: object = {}) => {
			keys += 1;
			const event = { eventName: "calls", customerId, idempotencyKey: `k${keys}`, dimensions: { n }, ...more };
			await ours.insist("POST", "/events", { events: [event] });
			ours.countUsage();
		},
		reached: async (query = "") => {
			const { body } = await ours.call("GET", `/usage-alerts/reached${query}`);
			return body.data.map(
				({ customerId, type, threshold, currentUsage }: Readonly<Record<string, unknown>>) =>
					`${customerId} ${type} ${threshold} at ${currentUsage}`,
			);
		},
	};
}
