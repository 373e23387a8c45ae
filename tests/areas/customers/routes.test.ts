import { beforeAll, describe, expect, test } from "bun:test";
import { findCustomerByRefOrBillingId } from "../../../src/areas/customers/operations";
import type { Instant } from "../../../src/kernel/clock";
import { longText, type World, world } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";
import { provision, stock } from "../subscriptions/shop";

const acme = {
	id: "acme@example.com",
	name: "Acme",
	email: "billing@acme.test",
	billingCurrency: "eur",
	language: "de",
	timezone: "Europe/Berlin",
	metadata: { tier: "gold" },
	integrations: [{ id: "crm", syncedEntityId: "0015", vendorIdentifier: "SALESFORCE" }],
	defaultPaymentMethod: {
		type: "CARD",
		billingId: "pm_1",
		cardExpiryMonth: 12,
		cardExpiryYear: 2030,
		cardLast4Digits: "4242",
	},
	passthrough: {
		stripe: { billingAddress: { city: "Köln", country: "DE" }, taxIds: [{ type: "eu_vat", value: "DE1" }] },
	},
};
const coupon = { description: null, percentOff: 10, amountsOff: null, durationInMonths: null, metadata: null };

const known = { missing: "CustomerNotFound" } as const;

guard(
	[
		{ method: "GET", path: "/customers", scope: "CUSTOMER:READ" },
		{ method: "POST", path: "/customers", scope: "CUSTOMER:WRITE", body: { id: "new" } },
	],
	async () => {},
);

describe("routes of one customer", () => {
	const ours = world();
	beforeAll(async () => {
		await ours.call("POST", "/customers", { body: { id: "kept" } });
	});
	const routes = [
		["GET", "", "CUSTOMER:READ", undefined],
		["PATCH", "", "CUSTOMER:WRITE", {}],
		["POST", "/archive", "CUSTOMER:WRITE", undefined],
		["POST", "/unarchive", "CUSTOMER:WRITE", undefined],
		["GET", "/resources", "CUSTOMER:READ", undefined],
	] as const;
	test.each(routes)(
		"%s /customers/:id%s refuses who may not call and what is not there",
		async (method, tail, scope, body) => {
			const send = (id: string, options = {}) =>
				ours.call(method, `/customers/${id}${tail}`, { ...(body && { body }), ...options });
			isRefusal(await send("kept", { key: "" }), 401, "Unauthenticated");
			isRefusal(await send("kept", { key: ours.publishableKey }), 403, "IdentityForbidden");
			isRefusal(await send("kept", { key: ours.scopedKey("COUPON:WRITE") }), 403, "AccessDeniedError", scope);
			if (scope === "CUSTOMER:WRITE")
				isRefusal(await send("kept", { key: ours.scopedKey("CUSTOMER:READ") }), 403, "AccessDeniedError", scope);
			isRefusal(await send("nobody"), 404, known.missing, "nobody");
			isRefusal(await send("kept", { key: ours.foreignKey }), 404, known.missing);
			for (const id of ["-x", "a%20b", longText(256)]) isRefusal(await send(id), 400, "BadUserInput");
			expect((await send("kept")).status).toBe(200);
		},
	);
});

describe("POST /customers", () => {
	test("answers every key of the contract", async () => {
		const ours = world();
		const answer = await ours.call("POST", "/customers", { body: acme });
		expect(answer.status).toBe(201);
		expect(answer.body.data).toEqual({
			...acme,
			billingId: expect.stringMatching(/^cus_[0-9a-f]{32}$/),
			couponId: null,
			archivedAt: null,
			createdAt: "2026-01-31T00:00:00.000Z",
			updatedAt: "2026-01-31T00:00:00.000Z",
		});
		expect((await ours.call("GET", `/customers/${acme.id}`)).body).toEqual(answer.body);
	});

	test("needs no more than an id", async () => {
		const { body } = await world().call("POST", "/customers", { body: { id: "tiny" } });
		expect(body.data).toEqual({
			id: "tiny",
			billingCurrency: null,
			billingId: expect.any(String),
			couponId: null,
			defaultPaymentMethod: null,
			email: null,
			integrations: [],
			language: null,
			metadata: {},
			name: null,
			timezone: null,
			archivedAt: null,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
	});

	test("takes an id once, for good, but the other environment may have it too", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "once" } });
		const again = await ours.call("POST", "/customers", { body: { id: "once" } });
		isRefusal(again, 409, "DuplicatedEntityNotAllowed", "once");
		expect(again.headers.get("x-should-retry")).toBe("false");
		expect((await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "once" } })).status).toBe(201);
	});

	const wrong: Array<[string, object, string]> = [
		["no id", {}, "id"],
		["an id of another pattern", { id: "a b" }, "id"],
		["an id too long", { id: longText(256) }, "id"],
		["a number for a name", { id: "x", name: 5 }, "name"],
		["a name too long", { id: "x", name: longText(256) }, "name"],
		["no e-mail address", { id: "x", email: "nobody" }, "email"],
		["an unknown currency", { id: "x", billingCurrency: "USD" }, "billingCurrency"],
		["an empty billing id", { id: "x", billingId: "" }, "billingId"],
		["metadata that is not text", { id: "x", metadata: { a: 1 } }, "metadata"],
		[
			"an unknown vendor",
			{ id: "x", integrations: [{ id: "a", syncedEntityId: null, vendorIdentifier: "X" }] },
			"vendor",
		],
		["a payment method of no kind", { id: "x", defaultPaymentMethod: { type: "CHEQUE" } }, "defaultPaymentMethod"],
		["an unknown key", { id: "x", plan: "pro" }, "plan"],
		["an unknown key deep inside", { id: "x", passthrough: { stripe: { city: "x" } } }, "city"],
	];
	test.each(wrong)("refuses %s", async (_, body, says) => {
		isRefusal(await world().call("POST", "/customers", { body }), 400, "BadUserInput", says);
	});

	test("gives a coupon that is there and not archived", async () => {
		const ours = world();
		for (const id of ["TEN", "OLD"]) await ours.call("POST", "/coupons", { body: { ...coupon, id, name: id } });
		await ours.call("POST", "/coupons/OLD/archive");
		const create = (id: string, couponId: string | null) => ours.call("POST", "/customers", { body: { id, couponId } });
		expect((await create("a", "TEN")).body.data.couponId).toBe("TEN");
		expect((await create("b", "")).body.data.couponId).toBeNull();
		expect((await create("c", null)).body.data.couponId).toBeNull();
		isRefusal(await create("d", "NONE"), 404, "CouponNotFound", "NONE");
		isRefusal(await create("e", "OLD"), 400, "ArchivedCouponCantBeApplied", "OLD");
		isRefusal(await ours.call("GET", "/customers/e"), 404, "CustomerNotFound");
	});

	test("makes a billing id of its own, or takes the caller's where it is free", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "a", billingId: "cus_A" } });
		isRefusal(
			await ours.call("POST", "/customers", { body: { id: "b", billingId: "cus_A" } }),
			409,
			"DuplicatedEntityNotAllowed",
			"cus_A",
		);
		const found = (ref: string) =>
			ours.transactions.read(ours.actor, (work) => findCustomerByRefOrBillingId(work, ref)?.refId);
		expect(found("a")).toBe("a");
		expect(found("cus_A")).toBe("a");
		expect(found("cus_B")).toBeUndefined();
		expect(
			ours.transactions.read(ours.foreignActor, (work) => findCustomerByRefOrBillingId(work, "cus_A")),
		).toBeUndefined();
	});
});

describe("PATCH /customers/:id", () => {
	let ours: World;
	beforeAll(async () => {
		ours = world();
		await ours.call("POST", "/coupons", { body: { ...coupon, id: "TEN", name: "Ten" } });
	});
	const patch = (id: string, body: object) => ours.call("PATCH", `/customers/${id}`, { body });

	test("leaves alone what is left out, clears what is null, and stamps the change", async () => {
		const made = (await ours.call("POST", "/customers", { body: { ...acme, id: "p1", couponId: "TEN" } })).body.data;
		ours.clock.at = (ours.clock.at + 1000) as Instant;
		const { body } = await patch("p1", { name: null, email: "new@acme.test", metadata: { other: "x" } });
		expect(body.data).toEqual({
			...made,
			name: null,
			email: "new@acme.test",
			metadata: { other: "x" },
			updatedAt: "2026-01-31T00:00:01.000Z",
		});
	});

	test("drops the coupon by the empty text and by null, and keeps one that was archived since", async () => {
		await ours.call("POST", "/customers", { body: { id: "p2", couponId: "TEN" } });
		expect((await patch("p2", { couponId: "" })).body.data.couponId).toBeNull();
		expect((await patch("p2", { couponId: "TEN" })).body.data.couponId).toBe("TEN");
		expect((await patch("p2", { couponId: null })).body.data.couponId).toBeNull();
		isRefusal(await patch("p2", { couponId: "NONE" }), 404, "CouponNotFound");
	});

	test("gives a new billing id for null, and takes none that another customer has", async () => {
		await ours.call("POST", "/customers", { body: { id: "p3", billingId: "cus_3" } });
		await ours.call("POST", "/customers", { body: { id: "p4" } });
		expect((await patch("p3", { billingId: "cus_3" })).status).toBe(200);
		isRefusal(await patch("p4", { billingId: "cus_3" }), 409, "DuplicatedEntityNotAllowed");
		expect((await patch("p3", { billingId: null })).body.data.billingId).toMatch(/^cus_[0-9a-f]{32}$/);
	});

	test("knows no payment method and no id", async () => {
		await ours.call("POST", "/customers", { body: { id: "p5" } });
		isRefusal(await patch("p5", { defaultPaymentMethod: null }), 400, "BadUserInput", "defaultPaymentMethod");
		isRefusal(await patch("p5", { id: "p6" }), 400, "BadUserInput", "id");
	});

	test("allows thirty calls a minute for one customer, and counts no other", async () => {
		await ours.call("POST", "/customers", { body: { id: "busy" } });
		for (let call = 0; call < 30; call += 1) expect((await patch("busy", {})).status).toBe(200);
		isRefusal(await patch("busy", {}), 429, "RateLimitExceeded");
		expect((await patch("p5", {})).status).toBe(200);
		expect((await ours.call("POST", "/customers/busy/archive")).status).toBe(200);
	});
});

describe("GET /customers", () => {
	test("pages newest first, filters exactly, and shows neither archived nor foreign ones", async () => {
		const ours = world();
		const ids = ["c1", "c2", "c3", "c4"];
		for (const id of ids)
			await ours.call("POST", "/customers", {
				body: { id, name: id === "c4" ? "Other" : "Same", email: `${id}@x.test` },
			});
		await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "alien", name: "Same" } });
		await ours.call("POST", "/customers/c2/archive");
		const list = async (query: string) => (await ours.call("GET", `/customers?${query}`)).body;
		const idsOf = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
		expect(await idsOf("")).toEqual(["c4", "c3", "c1"]);
		expect(await idsOf("name=Same")).toEqual(["c3", "c1"]);
		expect(await idsOf("name=sam")).toEqual([]);
		expect(await idsOf("email=c3@x.test")).toEqual(["c3"]);
		expect(await idsOf("search=sAM")).toEqual(["c3", "c1"]);
		expect(await idsOf("search=C3@X")).toEqual(["c3"]);
		expect(await idsOf("search=c")).toEqual(["c4", "c3", "c1"]);
		expect(await idsOf("search=c&name=Same&limit=1")).toEqual(["c3"]);
		expect(await idsOf("search=alien")).toEqual([]);
		expect(await idsOf(`search=${(await ours.call("GET", "/customers/c4")).body.data.billingId}`)).toEqual(["c4"]);
		isRefusal(await ours.call("GET", "/customers?couponId=none"), 404, "CouponNotFound");
		isRefusal(await ours.call("GET", "/customers?search="), 400, "BadUserInput", "search");
		expect(await idsOf("createdAt[gt]=2026-01-31T00:00:00Z")).toEqual([]);
		expect(await idsOf("createdAt[gte]=2026-01-31T00:00:00Z")).toEqual(["c4", "c3", "c1"]);
		const first = await list("limit=2");
		expect(first.data).toHaveLength(2);
		expect(await idsOf(`limit=2&after=${first.pagination.next}`)).toEqual(["c1"]);
		isRefusal(await ours.call("GET", "/customers?limit=101"), 400, "BadUserInput", "limit");
		isRefusal(await ours.call("GET", "/customers?createdAt[gt]=2026-01-31"), 400, "BadUserInput");
		const foreign = await ours.call("GET", "/customers", { key: ours.foreignKey });
		expect(foreign.body.data.map(({ id }: { id: string }) => id)).toEqual(["alien"]);
	});
});

describe("archiving", () => {
	let ours: World;
	beforeAll(async () => {
		ours = world();
		await stock(ours);
	});

	test("clears name and email, ends free subscriptions, and can be reversed except for the cleared fields", async () => {
		const free = await provision(ours, { planId: "free" });
		const archived = await ours.call("POST", "/customers/acme/archive");
		expect(archived.body.data).toMatchObject({ name: null, email: null, archivedAt: "2026-01-31T00:00:00.000Z" });
		expect((await ours.call("GET", `/subscriptions/${free.id}`)).body.data).toMatchObject({
			status: "CANCELED",
			cancelReason: "CustomerArchived",
		});
		expect((await ours.call("POST", "/customers/acme/archive")).body).toEqual(archived.body);
		isRefusal(await ours.call("PATCH", "/customers/acme", { body: { name: "x" } }), 400, "EntityIsArchivedError");
		isRefusal(
			await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "free" } }),
			400,
			"EntityIsArchivedError",
			"acme",
		);
		const back = await ours.call("POST", "/customers/acme/unarchive");
		expect(back.body.data).toMatchObject({ name: null, archivedAt: null });
		expect((await ours.call("POST", "/customers/acme/unarchive")).body).toEqual(back.body);
	});

	test("waits until what is paid for has ended", async () => {
		await ours.call("POST", "/customers", { body: { id: "payer" } });
		const paid = await provision(ours, { customerId: "payer", planId: "basic" });
		isRefusal(await ours.call("POST", "/customers/payer/archive"), 400, "CannotDeleteCustomerError", paid.id);
		await ours.call("POST", `/subscriptions/${paid.id}/cancel`);
		expect((await ours.call("POST", "/customers/payer/archive")).status).toBe(200);
	});
});

test("resources come into being with a subscription that names them, and are paged", async () => {
	const ours = world();
	await stock(ours);
	const resources = async () => (await ours.call("GET", "/customers/acme/resources")).body;
	expect(await resources()).toEqual({ data: [], pagination: { next: null, prev: null } });
	for (const resourceId of ["site-1", "site-2", "site-1"]) await provision(ours, { planId: "free", resourceId });
	expect((await resources()).data).toEqual(
		["site-2", "site-1"].map((id) => ({
			id,
			createdAt: "2026-01-31T00:00:00.000Z",
			updatedAt: "2026-01-31T00:00:00.000Z",
		})),
	);
	const first = (await ours.call("GET", "/customers/acme/resources?limit=1")).body;
	const second = (await ours.call("GET", `/customers/acme/resources?limit=1&after=${first.pagination.next}`)).body;
	expect(second.data.map(({ id }: { id: string }) => id)).toEqual(["site-1"]);
});
