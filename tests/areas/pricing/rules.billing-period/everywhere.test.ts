import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { exportCatalogue } from "../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../src/areas/catalog/rules.summary";
import { runImport } from "../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../src/tasks/operations";
import { data } from "../../../graphql/ask";
import { apply } from "../../catalog/files";
import { portalOf } from "../../portal/links";
import { type Till, till } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const every45Days = { billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 45 } } as const;
const quarter = { billingPeriod: "QUARTERLY", billingInterval: { unit: "MONTH", count: 3 } } as const;

/** The plan `pro` by 45 days and by the quarter. */
async function shop(): Promise<Till> {
	const ours = await till("2026-01-01T00:00:00Z");
	const pricePeriods = [quarter, every45Days].map((period) => ({ ...period, price: usd(90) }));
	await ours.plan("pro", [{ billingModel: "FLAT_FEE", pricePeriods }]);
	return ours;
}

test("GraphQL sets, shows, sells and finds every period", async () => {
	const ours = await shop();
	const price = "billingPeriod billingInterval { unit count }";
	const { plans } = await data(ours, `{ plans { edges { node { prices { ${price} } } } } }`);
	expect(plans.edges[0].node.prices).toEqual(expect.arrayContaining([every45Days, quarter]));

	const sold = await data(
		ours,
		`mutation ($input: ProvisionSubscriptionInput!) { provisionSubscription(input: $input) { subscription { ${price} } } }`,
		{ input: { customerId: "acme", planId: "pro", ...every45Days } },
	);
	expect(sold.provisionSubscription.subscription).toEqual(every45Days);
	const found = async (billingPeriod: string) => {
		const filter = `{ billingPeriod: { eq: ${billingPeriod} } }`;
		const { subscriptions } = await data(ours, `{ subscriptions(filter: ${filter}) { totalCount } }`);
		return subscriptions.totalCount;
	};
	expect([await found("CUSTOM"), await found("QUARTERLY"), await found("MONTHLY")]).toEqual([1, 0, 0]);
});

test("the catalogue file states every period, names a changed one, and applies to nothing new", async () => {
	const ours = await shop();
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("billingInterval");
	expect(apply(ours, text).changes).toEqual([]);
	const changed = apply(ours, text.replace("count: 45", "count: 60"));
	expect(viewDifference(changed, true)).toContain("CUSTOM 60 DAY");
});

test("an import counts the running period as charged, and bills by the period from then on", async () => {
	const ours = await shop();
	const { taskId } = await ours.insist("POST", "/subscriptions/import", {
		subscriptions: [
			{
				id: "moved",
				customerId: "acme",
				planId: "pro",
				startDate: "2025-12-01T00:00:00Z",
				...every45Days,
				billingPeriod: "Custom",
			},
		],
	});
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (!task) throw new Error("the import is queued");
	await runImport(ours.thread, task);
	expect(await ours.insist("GET", `/tasks/${taskId}`)).toMatchObject({ status: "COMPLETED" });
	expect(await ours.insist("GET", "/subscriptions/moved")).toMatchObject({
		...every45Days,
		currentBillingPeriodEnd: "2026-01-15T00:00:00.000Z",
	});
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-15: 90 = pro 90", "2026-03-01: 90 = pro 90"]);
});

test("a customer sees the period in the portal, and can change it", async () => {
	const ours = await shop();
	await ours.insist("PATCH", "/products/app/portal-settings", { changePlan: true });
	const id = await ours.buy("pro", every45Days);
	const call = await portalOf(ours);
	const portal = async (method: string, path: string, body?: object) =>
		(await call(method, `/portal${path}`, body)).body.data;
	expect((await portal("GET", "")).subscriptions).toMatchObject([every45Days]);
	const { plans } = await portal("GET", `/subscriptions/${id}/options`);
	expect(plans[0].prices).toEqual(
		expect.arrayContaining([expect.objectContaining(every45Days), expect.objectContaining(quarter)]),
	);
	const preview = await portal("POST", `/subscriptions/${id}/preview`, quarter);
	expect(preview.takesEffectAt).toBe("2026-01-01T00:00:00.000Z");
});

test("events and a trial publication name the period", async () => {
	const ours = await shop();
	await ours.buy("pro", every45Days);
	const events = (await ours.call("GET", "/events-out?limit=50")).body.data;
	const created = events.find(({ type }: { type: string }) => type === "subscription.created");
	expect(JSON.stringify(created)).toContain('"billingPeriod":"CUSTOM","billingInterval":{"unit":"DAY","count":45}');
	await ours.insist("POST", "/plans/pro/draft");
	const pricePeriods = [quarter, every45Days].map((period) => ({ ...period, price: usd(99) }));
	await ours.insist("PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] },
	});
	const dryRun = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
	expect(JSON.stringify(dryRun)).toContain('"billingInterval":{"unit":"DAY","count":45}');
});

test("the paywall shows plans by the cost of a year", async () => {
	const ours = await shop();
	const only = (period: object, amount: number) => [
		{ billingModel: "FLAT_FEE", pricePeriods: [{ ...period, price: usd(amount) }] },
	];
	await ours.plan("weekly", only({ billingPeriod: "WEEKLY" }, 5));
	await ours.plan("yearly", only({ billingPeriod: "ANNUALLY" }, 300));
	const { plans } = await ours.insist("GET", "/paywall?productId=app");
	expect(plans.map(({ refId }: { refId: string }) => refId)).toEqual(["weekly", "yearly", "pro"]);
});
