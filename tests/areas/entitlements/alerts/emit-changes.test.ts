import { describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { runMigration } from "../../../../src/areas/subscriptions/versions/migrate";
import { claimTask } from "../../../../src/tasks/operations";
import { maker } from "../../packages/catalogue";
import { item } from "../../promotional-entitlements/grants";
import { flat } from "../../subscriptions/billing";
import { site } from "./site";

type Site = Awaited<ReturnType<typeof site>>;

const monthly = {
	resetPeriod: "MONTH",
	monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
};

/** A plan with a number of calls a month. */
async function sell(ours: Site, id: string, usageLimit: number): Promise<void> {
	const make = maker(ours);
	await make.plan(id, { displayName: id });
	await make.entitle(`/plans/${id}`, { type: "FEATURE", id: "calls", usageLimit, ...monthly });
	await make.charge(`/plans/${id}`, { pricingType: "PAID", pricingModels: [flat({ month: 5 })] });
	await make.publish(`/plans/${id}`);
}

const buy = (ours: Site, planId: string, more: object = {}) =>
	ours.insist("POST", "/subscriptions", { customerId: "acme", planId, billingPeriod: "MONTHLY", ...more });

/** Returns the number of marked customers and resources. */
const waiting = ({ db }: Site): number =>
	db.$client.query<{ count: number }, []>("SELECT count(*) AS count FROM usage_alert_changes").get()?.count ?? 0;

describe("a threshold reached by a lower limit is emitted without more usage", () => {
	const gifts = "/customers/acme/promotional-entitlements";
	const gift = item("calls", { usageLimit: 1000, period: "lifetime", ...monthly });

	const give = (ours: Site, usageLimit: number) =>
		ours.insist("POST", gifts, { promotionalEntitlements: [{ ...gift, usageLimit }] });

	interface Way {
		readonly prepare?: (ours: Site) => Promise<unknown>;
		/** The usage of `acme` before its limit is lowered. */
		readonly used: number;
		readonly lower: (ours: Site) => Promise<unknown>;
	}
	const ways: Readonly<Record<string, Way>> = {
		"a smaller plan": {
			prepare: (ours) => sell(ours, "small", 70),
			used: 60,
			lower: (ours) => buy(ours, "small"),
		},
		"another version of the plan, published with those who have it": {
			used: 60,
			lower: async (ours) => {
				await ours.insist("POST", "/plans/pro/draft");
				await ours.insist("PATCH", "/plans/pro/entitlements/calls", { type: "FEATURE", usageLimit: 70 });
				await ours.insist("POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" });
				const claim = () =>
					ours.transactions.write(systemActor(""), (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
				for (let task = claim(); task; task = claim()) await runMigration(ours.thread, task);
			},
		},
		"units that are bought in advance no more": {
			prepare: (ours) =>
				buy(ours, "pro", { entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 200, ...monthly }] }),
			used: 90,
			lower: (ours) => buy(ours, "pro", { entitlements: [] }),
		},
		"a revoked promotional entitlement": {
			prepare: (ours) => give(ours, 1000),
			used: 90,
			lower: (ours) => ours.insist("DELETE", `${gifts}/calls`),
		},
		"a gift in place of a greater one": {
			prepare: (ours) => give(ours, 1000),
			used: 90,
			lower: (ours) => give(ours, 110),
		},
	};
	test.each(Object.entries(ways))("by %s", async (_, { prepare, used, lower }) => {
		const ours = await site();
		await prepare?.(ours);
		await ours.alert({ type: "PERCENT", threshold: 80 });
		await ours.alert({ customerId: "beta", type: "PERCENT", threshold: 10 });
		await ours.report(used);
		await ours.job().run();
		expect(await ours.reached()).toEqual([]);
		await lower(ours);
		// Another job: the file stores the marks.
		await ours.job().run();
		expect([await ours.reached(), waiting(ours)]).toEqual([[`acme PERCENT 80 at ${used}`], 0]);
		await ours.job().run();
		expect(await ours.reached()).toHaveLength(1);
	});

	test("evaluates each resource separately where the limit is the customer's", async () => {
		const ours = await site({ multipleSubscriptions: true });
		const site1 = { resourceId: "site-1" };
		await buy(ours, "pro", site1);
		await buy(ours, "pro", { resourceId: "site-2" });
		await ours.insist("POST", gifts, { promotionalEntitlements: [gift] });
		await ours.alert({ type: "PERCENT", threshold: 80 });
		await ours.report(90, "acme", site1);
		await ours.job().run();
		expect(await ours.reached()).toEqual([]);
		await ours.insist("DELETE", `${gifts}/calls`);
		await ours.job().run();
		const { data } = (await ours.call("GET", "/usage-alerts/reached")).body;
		expect(data).toMatchObject([{ customerId: "acme", resourceId: "site-1", currentUsage: 90, usageLimit: 100 }]);
		expect(waiting(ours)).toBe(0);
	});

	test("stores no marks without alerts, and a rolled back change leaves none", async () => {
		const ours = await site();
		await ours.insist("POST", gifts, { promotionalEntitlements: [gift] });
		await buy(ours, "pro");
		expect(waiting(ours)).toBe(0);
		await ours.alert({ type: "PERCENT", threshold: 80 });
		const foreign = await ours.call("POST", "/customers", { body: { id: "elsewhere" }, key: ours.foreignKey });
		expect([foreign.status, waiting(ours)]).toEqual([201, 0]);
		expect(
			(await ours.call("POST", "/subscriptions/preview", { body: { customerId: "acme", planId: "pro" } })).status,
		).toBe(200);
		expect(waiting(ours)).toBe(0);
		await buy(ours, "pro");
		expect(waiting(ours)).toBe(1);
	});
});
