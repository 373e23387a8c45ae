import { beforeAll, describe, expect, test } from "bun:test";
import { maker } from "../areas/packages/catalogue";
import { type World, world } from "../support/world";

let w: World;
beforeAll(async () => {
	w = world();
	const make = maker(w);
	await make.product();
	for (const [id, displayName] of [
		["atlas", "Maps"],
		["beacon", "atlas of moving things"],
		["other", "Something else"],
	] as const) {
		await w.call("POST", "/products", { body: { id, displayName } });
		await w.call("POST", "/features", { body: { id, displayName, featureType: "BOOLEAN" } });
		await make.plan(id, { displayName });
		await make.addon(id, { displayName });
		await w.call("POST", "/coupons", {
			body: {
				...{ id, name: displayName, description: null, percentOff: 10 },
				...{ amountsOff: null, durationInMonths: null, metadata: null },
			},
		});
	}
	await w.call("POST", "/products", { key: w.foreignKey, body: { id: "atlas-foreign", displayName: "Atlas" } });
});

const find = async (list: string, search: string, more = "", key = w.key) =>
	(await w.call("GET", `/${list}?search=${encodeURIComponent(search)}${more}`, { key })).body;
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id).sort();

describe.each(["products", "features", "plans", "addons", "coupons"])("GET /%s finds", (list) => {
	test("by how an id begins, as it is written, or a name, however that is written", async () => {
		expect(idsOf(await find(list, "atlas"))).toEqual(["atlas", "beacon"]);
		expect(idsOf(await find(list, "ATLAS"))).toEqual(["beacon"]);
		expect(idsOf(await find(list, "mAP"))).toEqual(["atlas"]);
		expect(idsOf(await find(list, "Atlas of moving things"))).toEqual(["beacon"]);
		for (const nothing of ["tlas", "%", "_", "atlas'", "\u{10FFFF}", "things"])
			expect([nothing, idsOf(await find(list, nothing))]).toEqual([nothing, []]);
	});

	test("page by page, combined with other filters", async () => {
		const first = await find(list, "atlas", "&limit=1");
		expect(first.data).toHaveLength(1);
		const second = await find(list, "atlas", `&limit=1&after=${first.pagination.next}`);
		expect([first.data[0].id, second.data[0].id].sort()).toEqual(["atlas", "beacon"]);
		expect(second.pagination.next).toBeNull();
		expect(idsOf(await find(list, "atlas", "&createdAt[gt]=2030-01-01T00:00:00Z"))).toEqual([]);
	});

	test("every entry that contains a text of one to 255 characters", async () => {
		for (const search of ["", "a".repeat(256)]) expect((await find(list, search)).message).toContain("search");
	});

	test("only entries of its own environment", async () => {
		const found = await find(list, "atlas", "", w.foreignKey);
		expect(idsOf(found)).toEqual(list === "products" ? ["atlas-foreign"] : []);
	});
});

test("a plan is found by the name that is shown, not by what a draft or a former version is called", async () => {
	const { call } = w;
	const rename = (displayName: string) => call("PATCH", "/plans/other", { body: { displayName } });
	const free = { body: { charges: { pricingType: "FREE" } } };
	expect((await call("PATCH", "/plans/other", free)).status).toBe(200);
	expect((await call("POST", "/plans/other/publish", { body: { migrationType: "NEW_CUSTOMERS" } })).status).toBe(200);
	expect((await call("POST", "/plans/other/draft")).status).toBeLessThan(300);
	expect((await rename("Secret plan")).status).toBe(200);
	for (const key of [w.key, w.publishableKey]) {
		expect(idsOf(await find("plans", "Secret", "", key))).toEqual([]);
		expect(idsOf(await find("plans", "Something", "", key))).toEqual(["other"]);
	}
	expect(idsOf(await find("plans", "Secret", "&status=DRAFT"))).toEqual(["other"]);
	expect(idsOf(await find("plans", "Secret", "&status=DRAFT", w.publishableKey))).toEqual([]);
	await call("POST", "/plans/other/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
	expect(idsOf(await find("plans", "Secret"))).toEqual(["other"]);
	expect(idsOf(await find("plans", "Something"))).toEqual([]);
});
