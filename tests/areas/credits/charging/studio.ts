import { expect } from "bun:test";
import { preparedWorld, type World } from "../../../support/world";
import { maker, metered } from "../../packages/catalogue";

/** The plan `ai` grants 100 `gold` a month and prices features in it. */
export async function studio() {
	const ours = await preparedWorld("studio", fillStudio);
	const estimate = (path: string) => (body: object) =>
		ours.call("POST", `/${path}/estimate`, { body: { customerId: "acme", ...body } });
	return { ...ours, ofUsage: estimate("usage"), ofEvent: estimate("events") };
}

async function fillStudio(ours: World): Promise<void> {
	const make = maker(ours);
	await make.product();
	await make.currency("gold");
	const rates: Readonly<Record<string, object>> = {
		// 2 gold for each.
		images: { amount: 2 },
		// 3 gold for each started hundred.
		pages: { amount: 3 },
		// By the dimensions of a report or event.
		tokens: { amount: 1, costFormula: "(input + 4 * output) / 1000" },
		// With meters.
		calls: { amount: 0.5 },
		bytes: { amount: 0.25 },
		peak: { amount: 7 },
	};
	for (const id of [...Object.keys(rates), "free"]) await make.feature(id, metered);
	const named = (name: string) => [{ conditions: [{ field: "eventName", operation: "EQUALS", value: name }] }];
	for (const [id, aggregation] of Object.entries({
		calls: { function: "COUNT" },
		bytes: { function: "SUM", field: "size" },
		peak: { function: "MAX", field: "size" },
	})) {
		const meter = { aggregation, filters: named("call") };
		expect((await ours.call("PATCH", `/features/${id}`, { body: { meter } })).status).toBe(200);
	}
	await make.plan("ai");
	await make.entitle("/plans/ai", { type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH" });
	await make.entitle("/plans/ai", ...[...Object.keys(rates), "free"].map((id) => ({ type: "FEATURE", id })));
	await make.charge("/plans/ai", {
		pricingType: "PAID",
		pricingModels: Object.entries(rates).map(([featureId, rate]) => ({
			billingModel: "CREDIT_BASED",
			featureId,
			pricePeriods: [
				{
					billingPeriod: "MONTHLY",
					creditRate: { ...rate, currencyId: "gold" },
					...(featureId === "pages" && { blockSize: 100 }),
				},
			],
		})),
	});
	await make.publish("/plans/ai");
	for (const id of ["acme", "new"]) await ours.call("POST", "/customers", { body: { id } });
	const sold = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "ai" } });
	if (sold.status !== 201) throw new Error(JSON.stringify(sold.body));
}
