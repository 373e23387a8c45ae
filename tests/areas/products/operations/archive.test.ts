import { describe, expect, test } from "bun:test";
import { type ProductAction, productTransitions } from "../../../../src/areas/products/rules";
import type { ProductStatus } from "../../../../src/areas/products/schema";
import { type World, world } from "../../../support/world";
import { catalogue, maker } from "../../packages/catalogue";
import { guard, isRefusal } from "../../packages/guards";
import { provision, shop } from "../../subscriptions/shop";

const missing = { missing: "ProductNotFoundError", scope: "CATALOG:WRITE", method: "POST" } as const;
guard(
	[
		{ ...missing, path: "/products/app/archive", missingPath: "/products/no/archive" },
		{ ...missing, path: "/products/app/unarchive", missingPath: "/products/no/unarchive" },
	],
	(ours) => maker(ours).product(),
);

const statuses: readonly ProductStatus[] = ["PUBLISHED", "ARCHIVED"];
const actions: readonly ProductAction[] = ["update", "extend", "duplicate", "archive", "unarchive"];

const act = ({ call }: World, action: ProductAction) => {
	switch (action) {
		case "update":
			return call("PATCH", "/products/app", { body: { displayName: "Other" } });
		case "extend":
			return call("POST", "/plans", { body: { id: "p", displayName: "P", productId: "app" } });
		case "duplicate":
			return call("POST", "/products/app/duplicate", { body: { targetId: "copy" } });
		default:
			return call("POST", `/products/app/${action}`);
	}
};

const statusOf = async ({ call }: World, id = "app"): Promise<string> =>
	(await call("GET", `/products?id=${id}`)).body.data[0].status;

describe("the life of a product", () => {
	for (const status of statuses)
		for (const action of actions) {
			const next = productTransitions[status][action];
			test(`${status}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const ours = world();
				await maker(ours).product();
				if (status === "ARCHIVED") await ours.call("POST", "/products/app/archive");
				const answer = await act(ours, action);
				if (typeof next === "string") expect(answer.status).toBeLessThan(300);
				else isRefusal(answer, 400, next.code, next.because);
				expect(await statusOf(ours)).toBe(typeof next === "string" ? next : status);
			});
		}
});

describe("POST /products/{id}/archive", () => {
	const packageStatus = async ({ call }: World, path: string) => (await call("GET", path)).body.data.status;

	test("archives its plans and addons, also those that a journey or another plan names, and no others", async () => {
		const ours = await shop();
		const make = maker(ours);
		await make.product("other");
		await make.plan("elsewhere", { productId: "other", pricingType: "FREE" });
		await make.publish("/plans/elsewhere");
		await make.plan("child", { parentPlanId: "basic", pricingType: "FREE" });
		await make.publish("/plans/child");
		const productSettings = {
			subscriptionStartSetup: "FREE_PLAN",
			subscriptionStartPlanId: "free",
			subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
			subscriptionCancellationTime: "IMMEDIATE",
		};
		await ours.call("PATCH", "/products/app", { body: { productSettings } });
		const archived = await ours.call("POST", "/products/app/archive");
		expect(archived).toMatchObject({ status: 200, body: { data: { id: "app", status: "ARCHIVED" } } });
		for (const path of ["/plans/free", "/plans/pro", "/plans/child", "/plans/basic", "/addons/extra", "/addons/needy"])
			expect([path, await packageStatus(ours, path)]).toEqual([path, "ARCHIVED"]);
		expect(await packageStatus(ours, "/plans/elsewhere")).toBe("PUBLISHED");
		expect(await statusOf(ours, "other")).toBe("PUBLISHED");
	});

	test("new subscriptions are refused, running ones go on", async () => {
		const ours = await shop();
		await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY" });
		await ours.call("POST", "/products/app/archive");
		expect((await ours.call("GET", "/subscriptions/s1")).body.data.status).toBe("ACTIVE");
		const check = await ours.call("GET", "/customers/acme/entitlements/check?featureId=sso");
		expect(check.body.data.isGranted).toBe(true);
		const sale = { customerId: "acme", planId: "free" };
		isRefusal(await ours.call("POST", "/subscriptions", { body: sale }), 400, "EntityIsArchivedError", "archived");
	});

	test("an open draft of a published package is not lost: it refuses, and says which", async () => {
		const ours = await shop();
		await ours.call("POST", "/plans/pro/draft");
		await ours.call("POST", "/addons/extra/draft");
		const refused = await ours.call("POST", "/products/app/archive");
		isRefusal(refused, 400, "CannotArchiveProductError", "the plan 'pro', the addon 'extra' have open drafts");
		expect(await statusOf(ours)).toBe("PUBLISHED");
		expect(await packageStatus(ours, "/plans/free")).toBe("PUBLISHED");
		await ours.call("DELETE", "/plans/pro/draft");
		await ours.call("DELETE", "/addons/extra/draft");
		expect((await ours.call("POST", "/products/app/archive")).status).toBe(200);
	});

	test("a draft that was never published stays one, and waits for the product to be unarchived", async () => {
		const ours = await catalogue();
		await maker(ours).charge("/plans/pro", { pricingType: "FREE" });
		await ours.call("POST", "/products/app/archive");
		const publish = () => ours.call("POST", "/plans/pro/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		isRefusal(await publish(), 400, "EntityIsArchivedError", "'app'");
		expect(await packageStatus(ours, "/plans/pro")).toBe("DRAFT");
		await ours.call("POST", "/products/app/unarchive");
		expect((await publish()).status).toBe(200);
	});

	test("unarchiving leaves the plans and addons archived", async () => {
		const ours = await shop();
		await ours.call("POST", "/products/app/archive");
		const opened = await ours.call("POST", "/products/app/unarchive");
		expect(opened).toMatchObject({ status: 200, body: { data: { id: "app", status: "PUBLISHED" } } });
		expect(await packageStatus(ours, "/plans/pro")).toBe("ARCHIVED");
		expect(
			(await ours.call("POST", "/plans", { body: { id: "new", displayName: "N", productId: "app" } })).status,
		).toBe(201);
	});
});

describe("multipleSubscriptions", () => {
	const send = ({ call }: World, multipleSubscriptions: boolean) =>
		call("PATCH", "/products/app", { body: { multipleSubscriptions } });

	test("may change until the first subscription, and never after it, ended or not", async () => {
		const ours = await shop();
		expect((await send(ours, true)).body.data.multipleSubscriptions).toBe(true);
		await provision(ours, { id: "s1", planId: "free" });
		isRefusal(await send(ours, false), 400, "InvalidArgumentError", "'multipleSubscriptions'");
		expect((await send(ours, true)).status).toBe(200);
		await ours.call("POST", "/subscriptions/s1/cancel", { body: {} });
		isRefusal(await send(ours, false), 400, "InvalidArgumentError", "duplicate the product");
		await maker(ours).product("other");
		const other = await ours.call("PATCH", "/products/other", { body: { multipleSubscriptions: true } });
		expect(other.status).toBe(200);
	});
});
