import { beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { versionNumberMax } from "../../../src/areas/packages/schema";
import { packageVersions } from "../../../src/areas/packages/table";
import type { World } from "../../support/world";
import { provision, shop } from "../subscriptions/shop";
import { catalogue, fill, maker } from "./catalogue";
import { guard, isRefusal } from "./guards";
import { annually, flat, listed, monthly, paid, usd } from "./prices";

guard(
	(["plans/pro", "addons/extra"] as const).map((path) => ({
		method: "GET" as const,
		path: `/${path}/versions`,
		scope: "CATALOG:READ" as const,
		missing: path === "plans/pro" ? "PlanNotFound" : "AddonNotFound",
		missingPath: `/${path.split("/")[0]}/none/versions`,
	})),
	fill,
);

describe.each([
	["/plans/pro", "PlanNotFound"],
	["/addons/extra", "AddonNotFound"],
])("versions of %s", (path, notFound) => {
	let ours: World;
	const read = async (tail = "") => (await ours.call("GET", `${path}${tail}`)).body.data;

	/** Version 1 costs 1 and grants `sso`, version 2 costs 2 and grants nothing, version 3 is a draft that costs 3. */
	beforeAll(async () => {
		ours = await catalogue();
		const make = maker(ours);
		await make.entitle(path, { type: "FEATURE", id: "sso" });
		await make.charge(path, paid(flat(1)));
		await make.publish(path);
		await ours.call("POST", `${path}/draft`);
		await ours.call("DELETE", `${path}/entitlements/sso`);
		await make.charge(path, paid(flat(2)));
		await make.publish(path);
		await ours.call("POST", `${path}/draft`);
		await make.charge(path, paid(flat(3)));
	});

	test("each is read by its number, and none by another", async () => {
		expect(await read("?version=1")).toMatchObject({ versionNumber: 1, status: "PUBLISHED", isLatest: false });
		expect(await read("?version=2")).toMatchObject({ versionNumber: 2, status: "PUBLISHED", isLatest: true });
		expect(await read("?version=3")).toMatchObject({ versionNumber: 3, status: "DRAFT", isLatest: false });
		expect(await read()).toEqual(await read("?version=2"));
		for (const tail of ["", "/charges", "/entitlements"])
			isRefusal(await ours.call("GET", `${path}${tail}?version=4`), 404, notFound, "no version 4");
		for (const version of ["0", "-1", "1.5", "latest", "", `${versionNumberMax + 1}`])
			isRefusal(await ours.call("GET", `${path}?version=${version}`), 400, "BadUserInput", "version");
	});

	test("each version's charges and entitlements are read by its number, too", async () => {
		for (const [version, price, ids] of [
			[1, 1, ["sso"]],
			[2, 2, []],
			[3, 3, []],
		] as const) {
			expect(await read(`/charges?version=${version}`)).toMatchObject([{ price: usd(price) }]);
			const entitlements: Array<{ id: string }> = await read(`/entitlements?version=${version}`);
			expect(entitlements.map(({ id }) => id)).toEqual([...ids]);
		}
	});

	test("all are listed, newest first, in pages", async () => {
		const numbers = async (query: string) =>
			(await read(`/versions?${query}`)).map(({ versionNumber }: { versionNumber: number }) => versionNumber);
		expect(await numbers("")).toEqual([3, 2, 1]);
		expect(await read("/versions")).toEqual([await read("?version=3"), await read(), await read("?version=1")]);
		const first = await ours.call("GET", `${path}/versions?limit=2`);
		expect(first.body.pagination.prev).toBeNull();
		expect(await numbers(`limit=2&after=${first.body.pagination.next}`)).toEqual([1]);
		isRefusal(await ours.call("GET", `${path}/versions?after=${Bun.randomUUIDv7()}`), 400, "BadUserInput", "cursor");
	});

	test("another environment sees none", async () => {
		for (const tail of ["?version=1", "/versions", "/charges?version=1"])
			isRefusal(await ours.call("GET", `${path}${tail}`, { key: ours.foreignKey }), 404, notFound);
	});
});

test("a package has no more versions than can be numbered", async () => {
	const ours = await catalogue();
	await maker(ours).charge("/plans/pro", { pricingType: "FREE" });
	await maker(ours).publish("/plans/pro");
	ours.transactions.write(ours.actor, (work) => {
		work.tx
			.update(packageVersions)
			.set({ versionNumber: versionNumberMax })
			.where(eq(packageVersions.environmentId, work.actor.environmentId))
			.run();
	});
	const refused = await ours.call("POST", "/plans/pro/draft");
	isRefusal(refused, 400, "VersionExceedsMaxValueError", `${versionNumberMax}`);
});

describe("usedInSubscriptions", () => {
	const used = async (ours: World, path: string) =>
		(await listed(ours, path)).map((charge) => Reflect.get(charge, "usedInSubscriptions"));

	test("tells which prices a running subscription is billed by: its version's, of its period and country", async () => {
		const ours = await shop();
		await ours.call("POST", "/plans/basic/draft");
		const german = monthly({ price: usd(8), billingCountryCode: "DE" });
		await maker(ours).charge("/plans/basic", paid(flat(10, annually({ price: usd(100) }), german)));
		await maker(ours).publish("/plans/basic");
		expect(await used(ours, "/plans/basic/charges")).toEqual([false, false, false]);
		const { id } = await provision(ours, { planId: "basic", billingPeriod: "MONTHLY", billingCountryCode: "DE" });
		expect(await used(ours, "/plans/basic/charges")).toEqual([false, false, true]);
		expect(await used(ours, "/plans/basic/charges?version=1")).toEqual([false]);
		await provision(ours, { planId: "basic", billingPeriod: "ANNUALLY" });
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data.status).toBe("CANCELED");
		expect(await used(ours, "/plans/basic/charges")).toEqual([false, true, false]);
		expect(await used(ours, "/plans/free/charges")).toEqual([]);
	});

	test("tells the same of an addon's prices", async () => {
		const ours = await shop();
		const addons = [{ id: "extra", quantity: 1 }];
		await provision(ours, { planId: "pro", billingPeriod: "MONTHLY", addons });
		expect(await used(ours, "/addons/extra/charges")).toEqual([true, false]);
		expect(await used(ours, "/addons/alien/charges")).toEqual([false, false]);
	});
});
