import { beforeAll, describe, expect, test } from "bun:test";
import type { World } from "../../../support/world";
import { catalogue, maker } from "../../packages/catalogue";
import { guard, isRefusal } from "../../packages/guards";
import { flat, paid } from "../../packages/prices";
import { shop } from "../../subscriptions/shop";

guard(
	[
		{
			method: "POST",
			path: "/products/app/duplicate",
			scope: "CATALOG:WRITE",
			body: { targetId: "copy" },
			missing: "ProductNotFoundError",
			missingPath: "/products/no/duplicate",
		},
	],
	(ours) => maker(ours).product(),
);

const duplicate = ({ call }: World, body: object = { targetId: "copy" }) =>
	call("POST", "/products/app/duplicate", { body });
const read = async ({ call }: World, path: string) => (await call("GET", path)).body.data;

/** The references that two packages share when one is a copy of the other. */
const terms = ({ id: _, productId: __, createdAt: ___, updatedAt: ____, ...rest }: Record<string, unknown>) => rest;
const charges = async (ours: World, path: string) =>
	(await read(ours, `${path}/charges?limit=100`)).map(({ id: _, ...charge }: { id: string }) => charge);

describe("POST /products/{id}/duplicate", () => {
	let ours: World;
	beforeAll(async () => {
		ours = await shop();
		const make = maker(ours);
		await make.plan("child", { parentPlanId: "pro", pricingType: "FREE", metadata: { a: "1" }, billingId: "b-1" });
		await make.publish("/plans/child");
		await ours.call("POST", "/plans/pro/draft");
		await ours.call("PATCH", "/plans/pro", { body: { displayName: "Pro 2" } });
		await ours.call("POST", "/addons/alien/archive");
		await ours.call("PATCH", "/products/app", {
			body: {
				description: "Described",
				metadata: { team: "billing" },
				multipleSubscriptions: true,
				productSettings: {
					subscriptionStartSetup: "FREE_PLAN",
					subscriptionStartPlanId: "free",
					subscriptionEndSetup: "DOWNGRADE_TO_FREE",
					downgradePlanId: "free",
					subscriptionCancellationTime: "IMMEDIATE",
				},
			},
		});
		await ours.call("PATCH", "/products/app/portal-settings", { body: { cancel: false } });
		expect((await duplicate(ours, { targetId: "copy", displayName: "Copy" })).status).toBe(201);
	});

	test("customers may change the same things of the copy as of the original", async () => {
		expect(await read(ours, "/products/copy/portal-settings")).toEqual({
			...{ changePlan: true, changeQuantities: true, changeAddons: true },
			cancel: false,
		});
	});

	test("the product has the terms of the other, a journey among its own plans, and names as asked", async () => {
		const [copy, source] = [(await read(ours, "/products?id=copy"))[0], (await read(ours, "/products?id=app"))[0]];
		expect(copy).toEqual({
			...source,
			id: "copy",
			displayName: "Copy",
			productSettings: {
				...source.productSettings,
				subscriptionStartPlanId: "copy-free",
				downgradePlanId: "copy-free",
			},
		});
		const again = await duplicate(ours, { targetId: "third", description: null });
		expect(again.body.data).toMatchObject({ displayName: "app", description: null, metadata: { team: "billing" } });
	});

	test.each(["/plans/free", "/plans/pro", "/plans/basic", "/addons/extra"])(
		"%s is copied with its status, entitlements and charges",
		async (path) => {
			const copied = path.replace(/(\w+)$/, "copy-$1");
			const [source, copy] = [await read(ours, path), await read(ours, copied)];
			expect(copy.productId).toBe("copy");
			const own = { compatibleAddonIds: path === "/plans/pro" ? ["copy-extra", "copy-needy"] : null };
			expect(terms(copy)).toEqual({ ...terms(source), ...(path.startsWith("/plans") && own) });
			expect(await charges(ours, copied)).toEqual(await charges(ours, path));
			expect((await read(ours, `${copied}/entitlements`)).map(terms)).toEqual(
				(await read(ours, `${path}/entitlements`)).map(terms),
			);
		},
	);

	test("bases, compatible addons and dependencies are the copies; a provider's id is not copied", async () => {
		const child = await read(ours, "/plans/copy-child");
		expect(child).toMatchObject({ parentPlanId: "copy-pro", billingId: null, metadata: { a: "1" } });
		expect((await read(ours, "/addons/copy-needy")).dependencies).toEqual(["copy-extra"]);
	});

	test("open drafts are copied as drafts, what is archived is left out", async () => {
		const drafts = await read(ours, "/plans?productId=copy&status=DRAFT");
		expect(drafts.map(({ id, displayName }: { id: string; displayName: string }) => [id, displayName])).toEqual([
			["copy-draft", "draft"],
			["copy-pro", "Pro 2"],
		]);
		isRefusal(await ours.call("GET", "/addons/copy-alien"), 404, "AddonNotFound");
	});

	test("the copies are sold, and live apart from the originals", async () => {
		await ours.call("PATCH", "/plans/copy-pro", { body: { charges: paid(flat(99)) } });
		await maker(ours).publish("/plans/copy-pro");
		const pro = await read(ours, "/plans/pro");
		expect(pro).toMatchObject({ displayName: "Pro", versionNumber: 1 });
		const addons = [{ id: "copy-extra", quantity: 1 }];
		const body = { customerId: "acme", planId: "copy-pro", addons };
		expect((await ours.call("POST", "/subscriptions", { body })).status).toBe(201);
	});

	test("shows nothing of it to another environment", async () => {
		expect((await ours.call("GET", "/products", { key: ours.foreignKey })).body.data).toEqual([]);
	});
});

describe("refused duplicates leave nothing behind", () => {
	test.each([
		["no target", {}, 400, "BadUserInput", "targetId"],
		["a target of another pattern", { targetId: "-x" }, 400, "BadUserInput", "targetId"],
		["an unknown key", { targetId: "copy", status: "DRAFT" }, 400, "BadUserInput", "status"],
		["the product itself", { targetId: "app" }, 409, "DuplicatedEntityNotAllowed", "'app'"],
		["a taken plan", { targetId: "taken" }, 409, "DuplicatedEntityNotAllowed", "'taken-pro'"],
		["ids that grow too long", { targetId: "x".repeat(252) }, 400, "DuplicateProductValidationError", "targetId"],
	] as const)("%s", async (_, body, status, code, message) => {
		const ours = await catalogue();
		await maker(ours).plan("taken-pro");
		isRefusal(await duplicate(ours, body), status, code, message);
		expect(await read(ours, "/products")).toHaveLength(1);
		expect(await read(ours, "/addons")).toHaveLength(1);
	});

	test("a mention of an archived addon goes with it", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await ours.call("PATCH", "/plans/pro", {
			body: { compatibleAddonIds: ["extra"], charges: { pricingType: "FREE" } },
		});
		await make.charge("/addons/extra", { pricingType: "FREE" });
		await make.publish("/addons/extra");
		await make.publish("/plans/pro");
		await ours.call("POST", "/products/app/archive");
		await ours.call("POST", "/products/app/unarchive");
		await make.plan("other");
		expect((await duplicate(ours)).status).toBe(201);
		expect((await read(ours, "/plans?productId=copy")).map(({ id }: { id: string }) => id)).toEqual(["copy-other"]);
		expect(await read(ours, "/addons?productId=copy")).toEqual([]);
	});
});
