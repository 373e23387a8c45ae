import { beforeAll, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { longText, type World, world } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";

const item = { id: "new", email: null, name: null };
const body = { customers: [item] };

guard([{ method: "POST", path: "/customers/import", scope: "CUSTOMER:WRITE", body }], async () => {});

const importing = (ours: World, ...customers: object[]) =>
	ours.call("POST", "/customers/import", { body: { customers } });
const read = async (ours: World, id: string) => (await ours.call("GET", `/customers/${id}`)).body.data;

describe("an import refuses", () => {
	const wrong: Array<[string, object, string]> = [
		["no list", {}, "customers"],
		["an empty list", { customers: [] }, "customers"],
		[
			"more than a thousand",
			{ customers: Array.from({ length: 1001 }, (_, at) => ({ ...item, id: `c${at}` })) },
			"1000",
		],
		["no id", { customers: [{ email: null, name: null }] }, "id"],
		["an id of another pattern", { customers: [{ ...item, id: "a b" }] }, "id"],
		["an id too long", { customers: [{ ...item, id: longText(256) }] }, "id"],
		["no email key", { customers: [{ id: "a", name: null }] }, "email"],
		["no name key", { customers: [{ id: "a", email: null }] }, "name"],
		["a number for a name", { customers: [{ ...item, name: 5 }] }, "name"],
		["no e-mail address", { customers: [{ ...item, email: "x" }] }, "email"],
		["an empty billing id", { customers: [{ ...item, billingId: "" }] }, "billingId"],
		[
			"a payment method that is too long",
			{ customers: [{ ...item, paymentMethodId: longText(256) }] },
			"paymentMethodId",
		],
		["null for a Salesforce id", { customers: [{ ...item, salesforceId: null }] }, "salesforceId"],
		["metadata that is not text", { customers: [{ ...item, metadata: { a: 1 } }] }, "metadata"],
		["a date without a zone", { customers: [{ ...item, updatedAt: "2026-01-01" }] }, "updatedAt"],
		["an unknown key", { customers: [{ ...item, plan: "pro" }] }, "plan"],
		[
			"an id that is there twice",
			{ customers: [item, { ...item, id: "b" }, item] },
			"body/customers/2/id: 'new' is in item 0",
		],
		[
			"a billing id that is there twice",
			{
				customers: [
					{ ...item, billingId: "x" },
					{ ...item, id: "b", billingId: "x" },
				],
			},
			"body/customers/1/billingId: 'x' is in item 0",
		],
	];
	test.each(wrong)("%s", async (_, sent, says) => {
		const ours = world();
		isRefusal(await ours.call("POST", "/customers/import", { body: sent }), 400, "BadUserInput", says);
		expect((await ours.call("GET", "/customers")).body.data).toEqual([]);
	});

	test("an integration, since none is connected", async () => {
		const sent = { ...body, integrationId: "stripe-1" };
		isRefusal(await world().call("POST", "/customers/import", { body: sent }), 404, "IntegrationNotFound", "stripe-1");
	});

	test("all of it, when one billing id is another customer's or one customer is archived", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "a", billingId: "cus_A" } });
		await ours.call("POST", "/customers", { body: { id: "gone" } });
		await ours.call("POST", "/customers/gone/archive");
		const taken = await importing(ours, item, { ...item, id: "b", billingId: "cus_A" });
		isRefusal(taken, 409, "DuplicatedEntityNotAllowed", "body/customers/1/billingId");
		const archived = await importing(ours, item, { ...item, id: "gone", name: "Back" });
		isRefusal(archived, 400, "EntityIsArchivedError", "body/customers/1: The customer 'gone'");
		isRefusal(await ours.call("GET", "/customers/new"), 404, "CustomerNotFound");
	});
});

describe("an import writes", () => {
	let ours: World;
	beforeAll(() => {
		ours = world();
	});

	test("creates new customers and answers their ids in order, 200", async () => {
		const full = {
			id: "acme@example.com",
			email: "billing@acme.test",
			name: "Acme",
			billingId: "cus_old",
			metadata: { tier: "gold" },
			paymentMethodId: "pm_1",
			salesforceId: "0015",
			updatedAt: "2025-06-01T00:00:00Z",
		};
		const { status, body } = await importing(ours, full, { id: "tiny", email: null, name: null });
		expect([status, body]).toEqual([200, { data: { newCustomers: ["acme@example.com", "tiny"] } }]);
		expect(await read(ours, full.id)).toMatchObject({
			email: "billing@acme.test",
			name: "Acme",
			billingId: "cus_old",
			metadata: { tier: "gold" },
			defaultPaymentMethod: { billingId: "pm_1", type: "CARD", cardLast4Digits: null },
			integrations: [{ id: "salesforce", syncedEntityId: "0015", vendorIdentifier: "SALESFORCE" }],
			createdAt: "2026-01-31T00:00:00.000Z",
			updatedAt: "2026-01-31T00:00:00.000Z",
		});
		expect(await read(ours, "tiny")).toMatchObject({
			billingId: expect.stringMatching(/^cus_[0-9a-f]{32}$/),
			defaultPaymentMethod: null,
			integrations: [],
			metadata: {},
		});
		expect(ours.woken).toContain("aggregator");
	});

	test("changes existing customers: null clears, omitted fields stay, the card's own details stay with the same card", async () => {
		const card = { type: "CARD", billingId: "pm_1", cardExpiryMonth: 1, cardExpiryYear: 2031, cardLast4Digits: "4242" };
		const links = [
			{ id: "hub", syncedEntityId: "h", vendorIdentifier: "HUBSPOT" },
			{ id: "sf-prod", syncedEntityId: null, vendorIdentifier: "SALESFORCE" },
		];
		await ours.call("POST", "/customers", {
			body: {
				id: "old",
				name: "Old",
				email: "o@x.test",
				metadata: { a: "b" },
				defaultPaymentMethod: card,
				integrations: links,
			},
		});
		const before = await read(ours, "old");
		ours.clock.at = (ours.clock.at + 1000) as Instant;
		const sent = { id: "old", name: "Newer", email: null, paymentMethodId: "pm_1", salesforceId: "9" };
		expect((await importing(ours, sent)).body.data).toEqual({ newCustomers: [] });
		expect(await read(ours, "old")).toEqual({
			...before,
			name: "Newer",
			email: null,
			integrations: [links[0], { ...links[1], syncedEntityId: "9" }],
			updatedAt: "2026-01-31T00:00:01.000Z",
		});
		await importing(ours, { ...sent, paymentMethodId: "pm_2" });
		expect((await read(ours, "old")).defaultPaymentMethod).toMatchObject({ billingId: "pm_2", cardLast4Digits: null });
	});

	test("skips customers that are known to be newer", async () => {
		const named = (name: string, updatedAt?: string) =>
			importing(ours, { id: "dated", email: null, name, ...(updatedAt && { updatedAt }) });
		const name = async () => (await read(ours, "dated")).name;
		await named("May", "2025-05-01T00:00:00Z");
		await named("April", "2025-04-01T00:00:00Z");
		expect(await name()).toBe("May");
		await named("May again", "2025-05-01T00:00:00Z");
		expect(await name()).toBe("May again");
		await named("June", "2025-06-01T00:00:00Z");
		expect(await name()).toBe("June");
		await ours.call("PATCH", "/customers/dated", { body: { name: "By hand" } });
		await named("July", "2025-07-01T00:00:00Z");
		expect(await name()).toBe("By hand");
		await named("Undated");
		expect(await name()).toBe("Undated");
		await ours.call("POST", "/customers/dated/archive");
		expect((await named("Older than the archiving", "2025-08-01T00:00:00Z")).body.data).toEqual({ newCustomers: [] });
	});

	test("takes a thousand, and the other environment sees none of them", async () => {
		const here = world();
		const many = Array.from({ length: 1000 }, (_, at) => ({
			id: `c${at}`,
			email: null,
			name: `N${at}`,
			billingId: `b${at}`,
		}));
		expect((await importing(here, ...many)).body.data.newCustomers).toHaveLength(1000);
		const again = many.map((one) => ({ ...one, name: `${one.name}!` }));
		expect(await importing(here, ...again, item).then(({ status }) => status)).toBe(400);
		expect((await importing(here, ...again)).body.data.newCustomers).toEqual([]);
		for (const at of [0, 199, 200, 999]) expect((await read(here, `c${at}`)).name).toBe(`N${at}!`);
		isRefusal(await here.call("GET", "/customers/c0", { key: here.foreignKey }), 404, "CustomerNotFound");
		const foreign = await here.call("POST", "/customers/import", {
			key: here.foreignKey,
			body: { customers: many.slice(0, 2) },
		});
		expect(foreign.body.data.newCustomers).toEqual(["c0", "c1"]);
	});

	test("is answered once under an Idempotency-Key", async () => {
		const send = () =>
			ours.call("POST", "/customers/import", {
				body: { customers: [{ id: "keyed", email: null, name: null }] },
				headers: { "idempotency-key": "k" },
			});
		expect([(await send()).body, (await send()).body]).toEqual(Array(2).fill({ data: { newCustomers: ["keyed"] } }));
	});
});

test("an import sets, keeps and removes the billing anchor, and refuses one with a missing part", async () => {
	const ours = await world();
	const billingAnchor = { type: "DAY", dayOfMonth: 15 };
	expect((await importing(ours, { ...item, billingAnchor })).status).toBe(200);
	expect((await read(ours, "new")).billingAnchor).toEqual(billingAnchor);
	await importing(ours, item);
	expect((await read(ours, "new")).billingAnchor).toEqual(billingAnchor);
	for (const wrong of [{ type: "DAY" }, { type: "CUSTOMER" }, { type: "DAY", dayOfMonth: 32 }]) {
		const { status, body } = await importing(ours, item, { ...item, id: "other", billingAnchor: wrong });
		expect([status, body.code, body.message]).toEqual([400, "BadUserInput", expect.stringContaining("billingAnchor")]);
	}
	expect((await ours.call("GET", "/customers/other")).status).toBe(404);
	await importing(ours, { ...item, billingAnchor: null });
	expect(await read(ours, "new")).not.toHaveProperty("billingAnchor");
});
