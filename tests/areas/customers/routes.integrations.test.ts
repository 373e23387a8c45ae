import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	assertLinkedOnce,
	linkCursor,
	withLink,
	withoutLink,
	withVendorId,
} from "../../../src/areas/customers/rules.integrations";
import type { CustomerIntegrationRef } from "../../../src/areas/customers/schema";
import { longText, type World, world } from "../../support/world";
import { isRefusal } from "../packages/guards";

const link = { id: "crm", syncedEntityId: "0015", vendorIdentifier: "SALESFORCE" };
const shown = { ...link, syncData: null };

let ours: World;
beforeEach(async () => {
	ours = world();
	await ours.call("POST", "/customers", { body: { id: "acme" } });
});
const post = (body: object, id = "acme") => ours.call("POST", `/customers/${id}/integrations`, { body });

const routes = [
	["GET", "", "CUSTOMER:READ", undefined],
	["POST", "", "CUSTOMER:WRITE", { ...link, id: "other" }],
	["GET", "/crm", "CUSTOMER:READ", undefined],
	["PATCH", "/crm", "CUSTOMER:WRITE", { syncedEntityId: "1" }],
	["DELETE", "/crm", "CUSTOMER:WRITE", undefined],
] as const;

test.each(routes)(
	"%s /integrations%s refuses who may not call and what is not there",
	async (method, tail, scope, body) => {
		await post(link);
		const send = (id: string, options = {}) =>
			ours.call(method, `/customers/${id}/integrations${tail}`, { ...(body && { body }), ...options });
		isRefusal(await send("acme", { key: "" }), 401, "Unauthenticated");
		isRefusal(await send("acme", { key: ours.publishableKey }), 403, "IdentityForbidden");
		isRefusal(await send("acme", { key: ours.scopedKey("COUPON:WRITE") }), 403, "AccessDeniedError", scope);
		if (scope === "CUSTOMER:WRITE")
			isRefusal(await send("acme", { key: ours.scopedKey("CUSTOMER:READ") }), 403, "AccessDeniedError", scope);
		isRefusal(await send("nobody"), 404, "CustomerNotFound", "nobody");
		isRefusal(await send("acme", { key: ours.foreignKey }), 404, "CustomerNotFound");
		isRefusal(await send("a%20b"), 400, "BadUserInput");
		if (body) isRefusal(await send("acme", { body: { ...body, surprise: 1 } }), 400, "BadUserInput", "surprise");
		if (tail) {
			const elsewhere = await ours.call(method, "/customers/acme/integrations/none", body && { body });
			isRefusal(elsewhere, 404, "IntegrationNotFound", "none");
			const long = await ours.call(method, `/customers/acme/integrations/${longText(256)}`, body && { body });
			isRefusal(long, 400, "BadUserInput");
		}
		expect((await send("acme")).status).toBe(200);
		await ours.call("POST", "/customers/acme/archive");
		if (scope === "CUSTOMER:WRITE") isRefusal(await send("acme"), 400, "EntityIsArchivedError", "acme");
		else expect((await send("acme")).status).toBe(200);
	},
);

const wrong: Array<[string, object, string]> = [
	["no id", { ...link, id: undefined }, "id"],
	["an empty id", { ...link, id: "" }, "id"],
	["an id too long", { ...link, id: longText(256) }, "id"],
	["no external id", { ...link, syncedEntityId: undefined }, "syncedEntityId"],
	["null for the external id", { ...link, syncedEntityId: null }, "syncedEntityId"],
	["a number for the external id", { ...link, syncedEntityId: 1 }, "syncedEntityId"],
	["no vendor", { ...link, vendorIdentifier: undefined }, "vendorIdentifier"],
	["an unknown vendor", { ...link, vendorIdentifier: "ACME" }, "vendorIdentifier"],
];
test.each(wrong)("linking refuses %s", async (_, body, says) => {
	isRefusal(await post(body), 400, "BadUserInput", says);
});

test("links, reads, changes and unlinks; the customer shows it all along", async () => {
	const links = async () => (await ours.call("GET", "/customers/acme")).body.data.integrations;
	expect(await post(link)).toMatchObject({ status: 200, body: { data: shown } });
	expect(await links()).toEqual([link]);
	expect((await ours.call("GET", "/customers/acme/integrations/crm")).body).toEqual({ data: shown });
	const patch = (syncedEntityId: unknown) =>
		ours.call("PATCH", "/customers/acme/integrations/crm", { body: { syncedEntityId } });
	expect((await patch("7")).body).toEqual({ data: { ...shown, syncedEntityId: "7" } });
	expect((await patch(null)).body).toEqual({ data: { ...shown, syncedEntityId: null } });
	isRefusal(await patch(undefined), 400, "BadUserInput", "syncedEntityId");
	isRefusal(await patch(5), 400, "BadUserInput", "syncedEntityId");
	expect(await links()).toEqual([{ ...link, syncedEntityId: null }]);
	const removed = await ours.call("DELETE", "/customers/acme/integrations/crm");
	expect(removed).toMatchObject({ status: 200, body: { data: { ...shown, syncedEntityId: null } } });
	expect(await links()).toEqual([]);
	isRefusal(await ours.call("DELETE", "/customers/acme/integrations/crm"), 404, "IntegrationNotFound", "crm");
});

test("an integration is linked once, whatever the vendor, on every way", async () => {
	await post(link);
	isRefusal(await post({ ...link, vendorIdentifier: "HUBSPOT" }), 400, "DuplicateIntegrationNotAllowed", "crm");
	const twice = { integrations: [link, { ...link, syncedEntityId: "x" }] };
	isRefusal(await ours.call("PATCH", "/customers/acme", { body: twice }), 400, "DuplicateIntegrationNotAllowed");
	const fresh = await ours.call("POST", "/customers", { body: { id: "fresh", ...twice } });
	isRefusal(fresh, 400, "DuplicateIntegrationNotAllowed");
	expect((await post({ ...link, id: "crm-2" })).status).toBe(200);
});

test("twenty, and no more", async () => {
	for (let at = 0; at < 20; at += 1) expect((await post({ ...link, id: `i${at}` })).status).toBe(200);
	isRefusal(await post(link), 400, "BadUserInput", "20");
});

describe("the list", () => {
	let all: string[];
	beforeAll(() => {
		all = ["e", "d", "c", "b", "a"];
	});
	beforeEach(async () => {
		for (const id of all.toReversed())
			await post({ ...link, id, vendorIdentifier: "ace".includes(id) ? "HUBSPOT" : "STRIPE" });
	});
	const list = async (query: string) => {
		const { body } = await ours.call("GET", `/customers/acme/integrations?${query}`);
		return { ids: body.data.map(({ id }: { id: string }) => id), ...body.pagination };
	};

	test("newest first, forward by next and back by prev", async () => {
		expect(await list("")).toEqual({ ids: all, next: null, prev: null });
		const first = await list("limit=2");
		expect([first.ids, first.prev]).toEqual([["e", "d"], null]);
		const second = await list(`limit=2&after=${first.next}`);
		expect(second.ids).toEqual(["c", "b"]);
		const third = await list(`limit=2&after=${second.next}`);
		expect([third.ids, third.next]).toEqual([["a"], null]);
		expect((await list(`limit=2&before=${third.prev}`)).ids).toEqual(["c", "b"]);
		expect(await list(`limit=2&before=${second.prev}`)).toMatchObject({ ids: ["e", "d"], prev: null });
	});

	test("by vendors; a cursor that the filter leaves out keeps its place", async () => {
		expect((await list("vendorIdentifier=HUBSPOT")).ids).toEqual(["e", "c", "a"]);
		expect((await list("vendorIdentifier=HUBSPOT,STRIPE")).ids).toEqual(all);
		expect((await list("vendorIdentifier=ZUORA")).ids).toEqual([]);
		const { next } = await list("limit=2");
		expect((await list(`after=${next}&vendorIdentifier=HUBSPOT`)).ids).toEqual(["c", "a"]);
	});

	test("refuses what is no cursor of this customer, and what it does not know", async () => {
		await ours.call("POST", "/customers", { body: { id: "beta", integrations: [link] } });
		const { next } = await list("limit=2");
		for (const query of [
			`after=${crypto.randomUUID()}`,
			"after=x",
			`after=${next}&before=${next}`,
			"limit=0",
			"limit=101",
			"vendorIdentifier=ACME",
			"vendor=STRIPE",
		])
			isRefusal(await ours.call("GET", `/customers/acme/integrations?${query}`), 400, "BadUserInput");
		isRefusal(await ours.call("GET", `/customers/beta/integrations?after=${next}`), 400, "BadUserInput", next);
	});
});

describe("rules", () => {
	const vendors = ["HUBSPOT", "SALESFORCE", "STRIPE"] as const;
	const links = fc.uniqueArray(
		fc.record<CustomerIntegrationRef>({
			id: fc.constantFrom("a", "b", "c", "hubspot", "salesforce", "d"),
			syncedEntityId: fc.option(fc.string()),
			vendorIdentifier: fc.constantFrom(...vendors),
		}),
		{ selector: ({ id }) => id, maxLength: 6 },
	);

	test("linking and unlinking again changes nothing; nothing is ever there twice", () => {
		fc.assert(
			fc.property(links, (given) => {
				const added = { id: "new", syncedEntityId: "x", vendorIdentifier: "STRIPE" } as const;
				const more = withLink(given, added);
				assertLinkedOnce(more);
				expect(withoutLink(more, "new")).toEqual(given);
			}),
		);
	});

	test("a vendor's id is what was set last, and null takes it away", () => {
		fc.assert(
			fc.property(links, fc.constantFrom(...vendors), fc.string({ minLength: 1 }), (given, vendor, id) => {
				fc.pre(
					given.some((one) => one.vendorIdentifier === vendor) || given.every((one) => one.id !== vendor.toLowerCase()),
				);
				const set = withVendorId(given, vendor, id);
				assertLinkedOnce(set);
				expect(set.find((one) => one.vendorIdentifier === vendor)?.syncedEntityId).toBe(id);
				expect(withVendorId(set, vendor, id)).toEqual(set);
				const others = given.filter((one) => one.vendorIdentifier !== vendor);
				expect(withVendorId(set, vendor, null)).toEqual(others);
			}),
		);
	});

	test("cursors are UUIDs, each link's own", () => {
		expect(linkCursor("c", "i")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(new Set([linkCursor("a", "b"), linkCursor("a", "c"), linkCursor("b", "b"), linkCursor("ab", "")]).size).toBe(
			4,
		);
	});
});
