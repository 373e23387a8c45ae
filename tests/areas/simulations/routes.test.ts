import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { data } from "../../graphql/ask";
import { isRefusal } from "../packages/guards";
import { flat, till } from "../subscriptions/billing";
import { answerOf, ask, claim, draft, total, work } from "./simulation";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(120_000);

describe("an answer is about one price list", () => {
	test("a draft that is changed or removed while it is simulated ends the task; so does the next simulation", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		await ours.buy("pro");
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 15 }));
		const first = await ask(ours, "pro");
		await draft(ours, "pro", flat({ month: 16 }));
		await work(ours);
		expect(await answerOf(ours, "pro", first)).toMatchObject({ status: "CANCELED", currencyTotals: [] });
		expect((await ours.insist("GET", `/tasks/${first}`)).importErrors).toEqual([
			{ id: first, error: expect.stringContaining("changed or removed") },
		]);
		const second = await ask(ours, "pro");
		const third = await ask(ours, "pro");
		await work(ours);
		expect((await ours.insist("GET", `/tasks/${second}`)).status).toBe("CANCELED");
		expect((await ours.call("GET", `/plans/pro/simulations/${second}`)).status).toBe(404);
		expect(await answerOf(ours, "pro", third)).toMatchObject({ status: "COMPLETED", currencyTotals: [total(10, 16)] });
		const fourth = await ask(ours, "pro");
		await ours.insist("DELETE", "/plans/pro/draft");
		await work(ours);
		expect((await answerOf(ours, "pro", fourth)).status).toBe("CANCELED");
		const rows = ours.db.$client
			.query<{ rows: number }, []>("SELECT count(*) AS rows FROM plan_simulation_costs")
			.get();
		expect(rows?.rows).toBe(0);
	});

	test("a draft that is published meanwhile is still the one that was asked about", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		await ours.buy("pro");
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 15 }));
		const taskId = await ask(ours, "pro");
		await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
		await ours.advance("2026-06-10T00:00:00Z");
		await work(ours);
		expect(await answerOf(ours, "pro", taskId)).toMatchObject({ status: "COMPLETED", currencyTotals: [total(10, 15)] });
	});
});

describe("POST /plans/{id}/simulate refuses", () => {
	test("missing versions, versions that cannot be published, and dates that make no span", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		await ours.plan("old", [flat({ month: 10 })]);
		await ours.insist("POST", "/plans/old/archive");
		await ours.insist("POST", "/plans", { id: "blank", displayName: "Blank", productId: "app" });
		await ours.insist("POST", "/plans", { id: "custom", displayName: "C", productId: "app", pricingType: "CUSTOM" });
		const cases: Array<[string, object, number, string, string]> = [
			["nothing", {}, 404, "PlanNotFound", "nothing"],
			["pro", {}, 400, "PackageAlreadyPublished", "no draft"],
			["pro", { versionNumber: 2 }, 404, "PlanNotFound", "version 2"],
			["old", {}, 400, "EntityIsArchivedError", "archived"],
			["blank", {}, 400, "PackagePricingTypeNotSet", "pricing"],
			["blank", { versionNumber: 1 }, 400, "PackagePricingTypeNotSet", "pricing"],
			["custom", {}, 400, "InvalidArgumentError", "CUSTOM"],
			["pro", { versionNumber: 0 }, 400, "BadUserInput", "versionNumber"],
			["pro", { versionNumber: 1.5 }, 400, "BadUserInput", "versionNumber"],
			["pro", { surprise: 1 }, 400, "BadUserInput", "surprise"],
			["pro", { startDate: "2026-01-01" }, 400, "BadUserInput", "startDate"],
			["pro", { startDate: "2026-01-01T00:00:00Z" }, 400, "BadUserInput", "both"],
			["pro", { endDate: "2026-01-01T00:00:00Z" }, 400, "BadUserInput", "both"],
			["pro", span("2026-02-01", "2026-02-01"), 400, "BadUserInput", "after startDate"],
			["pro", span("2026-02-02", "2026-02-01"), 400, "BadUserInput", "after startDate"],
			["pro", span("2026-01-01", "2027-01-03"), 400, "BadUserInput", "366 days"],
		];
		for (const [plan, body, status, code, says] of cases)
			isRefusal(await ours.call("POST", `/plans/${plan}/simulate`, { body }), status, code, says);
		expect(claim(ours)).toBeUndefined();
		expect(
			(
				await ours.call("POST", "/plans/pro/simulate", {
					body: { versionNumber: 1, ...span("2026-01-01", "2027-01-02") },
				})
			).status,
		).toBe(200);
		expect((await ours.call("POST", "/plans/old/simulate", { body: { versionNumber: 1 } })).status).toBe(200);
	});

	const span = (from: string, to: string) => ({ startDate: `${from}T00:00:00Z`, endDate: `${to}T00:00:00Z` });

	test("keys of another environment, and those that may not see both the catalogue and subscriptions", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		const taskId = await ask(ours, "pro", { versionNumber: 1 });
		const body = { versionNumber: 1 };
		const [start, read] = ["/plans/pro/simulate", `/plans/pro/simulations/${taskId}`];
		isRefusal(await ours.call("POST", start, { body, key: ours.foreignKey }), 404, "PlanNotFound", "pro");
		isRefusal(await ours.call("GET", read, { key: ours.foreignKey }), 404, "PlanNotFound", "pro");
		for (const scope of ["CATALOG:WRITE", "SUBSCRIPTION:WRITE"] as const) {
			const key = ours.scopedKey(scope);
			isRefusal(await ours.call("POST", start, { body, key }), 403, "AccessDeniedError", ":READ");
			isRefusal(await ours.call("GET", read, { key }), 403, "AccessDeniedError", ":READ");
		}
		const key = ours.scopedKey("CATALOG:READ", "SUBSCRIPTION:READ");
		expect((await ours.call("GET", read, { key })).status).toBe(200);
		expect((await ours.call("POST", start, { body, key })).status).toBe(200);
		isRefusal(await ours.call("POST", start, { body, key: ours.publishableKey }), 403, "IdentityForbidden", "");
	});
});

test("by GraphQL it is asked and answered as by REST", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 10 })]);
	await ours.buy("pro");
	await ours.advance("2026-03-10T00:00:00Z");
	await draft(ours, "pro", flat({ month: 15 }));
	const input = { refId: "pro", startDate: "2026-01-01T00:00:00Z", endDate: "2026-03-01T00:00:00Z" };
	const { simulatePlan } = await data(
		ours,
		"mutation ($input: SimulatePlanInput!) { simulatePlan(input: $input) { taskId } }",
		{ input },
	);
	await work(ours);
	const query = `query ($input: PlanSimulationInput!) { planSimulation(input: $input) {
		status progress versionNumber startDate endDate currencyTotals { currency before after difference subscriptionsCount }
		customers { customerId subscriptionId currency before after difference } customersCount
		failures { subscriptionId code message } failuresCount
	} }`;
	const shown = (taskId: string) => data(ours, query, { input: { refId: "pro", taskId } });
	// GraphQL spells currencies in capitals.
	const inCapitals = ({ currency, ...others }: { currency: string }) => ({
		...others,
		currency: currency.toUpperCase(),
	});
	const byRest = await answerOf(ours, "pro", simulatePlan.taskId);
	expect((await shown(simulatePlan.taskId)).planSimulation).toEqual({
		...byRest,
		currencyTotals: byRest.currencyTotals.map(inCapitals),
		customers: byRest.customers.map(inCapitals),
	});
	expect((await shown(simulatePlan.taskId)).planSimulation.currencyTotals).toEqual([inCapitals(total(20, 30))]);
	expect((await shown("none")).planSimulation).toBeNull();
});
