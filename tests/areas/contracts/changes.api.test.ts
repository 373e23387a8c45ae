import { describe, expect, test } from "bun:test";
import { getSubscription } from "../../../src/areas/subscriptions/operations";
import { longText } from "../../support/world";
import { contractOf, contractWorld, draftWorld, fee, items, publishPlan, year } from "./support";

const contract = "/contracts/C-1";
const existing = (existingSubscriptionId: string) => ({ existingSubscriptionId });
const idsOf = (body: { data: { subscriptions: Array<{ subscriptionId: string }> } }) =>
	body.data.subscriptions.map(({ subscriptionId }) => subscriptionId);

type Here = Awaited<ReturnType<typeof draftWorld>>;
const contractOn = ({ transactions, actor }: Here, refId: string) =>
	transactions.read(actor, (work) => getSubscription(work, refId).contractRefId);
const statusOf = ({ transactions, actor }: Here, refId: string) =>
	transactions.read(actor, (work) => getSubscription(work, refId).status);

describe("PATCH /contracts/{id}", () => {
	test("changes what is sent and nothing else", async () => {
		const { call } = await draftWorld({ name: "Old", poNumber: "PO-1" });
		const before = (await call("GET", contract)).body.data;
		const { status, body } = await call("PATCH", contract, { body: { name: "New", ...year } });
		expect(status).toBe(200);
		expect(body.data).toEqual({ ...before, name: "New", ...year });
		expect((await call("GET", contract)).body).toEqual(body);
		expect((await call("PATCH", contract, { body: {} })).body).toEqual(body);
	});

	test("null clears the order number; a name that is null falls back to it, else to the customer's", async () => {
		const { call } = await draftWorld({ name: "Old" });
		const nameOf = async (body: object) => (await call("PATCH", contract, { body })).body.data;
		expect(await nameOf({ name: null, poNumber: "PO-2" })).toMatchObject({ name: "PO-2", poNumber: "PO-2" });
		expect(await nameOf({ name: null, poNumber: null })).toMatchObject({ name: "Acme", poNumber: null });
	});

	test("a window is checked as a whole: a new end before the old start is refused", async () => {
		const { call } = await draftWorld(year);
		expect(await call("PATCH", contract, { body: { activationEndDate: "2025-12-31T00:00:00Z" } })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining("activationEndDate") },
		});
		expect((await call("GET", contract)).body.data).toMatchObject(year);
	});

	test("subscriptionIds replaces all that it groups, in that order; who is let go runs on", async () => {
		const here = await draftWorld();
		const { call } = here;
		const both = await call("PATCH", contract, { body: { subscriptionIds: ["sub-support", "sub-platform"] } });
		expect(idsOf(both.body)).toEqual(["sub-support", "sub-platform"]);
		const one = await call("PATCH", contract, { body: { subscriptionIds: ["sub-support", "sub-support"] } });
		expect(idsOf(one.body)).toEqual(["sub-support"]);
		expect([contractOn(here, "sub-platform"), contractOn(here, "sub-support")]).toEqual([null, "C-1"]);
		expect(statusOf(here, "sub-platform")).toBe("ACTIVE");
		expect(idsOf((await call("PATCH", contract, { body: { subscriptionIds: [] } })).body)).toEqual([]);
	});

	test("a refused subscription leaves everything as it was", async () => {
		const { call, subscribe } = await draftWorld();
		subscribe({ planId: "platform", customerId: "other", id: "sub-other" });
		const before = (await call("GET", contract)).body;
		for (const [subscriptionIds, status, code] of [
			[["sub-support", "nothing"], 404, "SubscriptionNotFound"],
			[["sub-support", "sub-other"], 400, "InvalidArgumentError"],
		] as const)
			expect(await call("PATCH", contract, { body: { name: "New", subscriptionIds } })).toMatchObject({
				status,
				body: { code },
			});
		expect((await call("GET", contract)).body).toEqual(before);
	});

	test("setupBilling gives a contract its billing half, once and for good", async () => {
		const { call } = await draftWorld({ setupBilling: false });
		const patch = async (setupBilling: boolean) =>
			(await call("PATCH", contract, { body: { setupBilling } })).body.data.billingState;
		expect(await patch(false)).toBeNull();
		expect(await patch(true)).toBe("DRAFT");
		expect(await patch(false)).toBe("DRAFT");
		expect((await call("POST", items, { body: { items: [fee], ...year } })).status).toBe(201);
		await call("POST", `${contract}/billing/publish`);
		expect(await patch(true)).toBe("ACTIVE");
	});

	test.each([
		["a number for a name", { name: 5 }, "/name"],
		["an empty name", { name: "" }, "/name"],
		["a name too long", { name: longText(256) }, "/name"],
		["a day for an instant", { activationEndDate: "2026-01-01" }, "/activationEndDate"],
		["null for an instant", { activationStartDate: null }, "/activationStartDate"],
		["a boolean in quotes", { setupBilling: "true" }, "/setupBilling"],
		["no list", { subscriptionIds: "sub-platform" }, "/subscriptionIds"],
		["a list too long", { subscriptionIds: Array(101).fill("x") }, "/subscriptionIds"],
		["the customer, which is fixed", { customerId: "other" }, "/customerId"],
	])("%s is refused", async (_, body, message) => {
		const { call } = await draftWorld();
		expect(await call("PATCH", contract, { body })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining(message) },
		});
	});
});

describe("POST /contracts/{id}/subscriptions", () => {
	const path = `${contract}/subscriptions`;

	test("takes ones that run, by entries or by ids, and provisions new ones in the same call", async () => {
		const here = await draftWorld();
		const { call } = here;
		await publishPlan(here, "extra", "CUSTOM");
		const added = await call("POST", path, {
			body: {
				subscriptions: [
					{ newSubscription: { id: "fresh", customerId: "acme", planId: "extra" } },
					existing("sub-support"),
				],
			},
		});
		expect(added.status).toBe(200);
		expect(idsOf(added.body)).toEqual(["sub-platform", "fresh", "sub-support"]);
		await call("DELETE", `${path}/fresh`);
		const again = await call("POST", path, { body: { subscriptionIds: ["fresh"] } });
		expect(idsOf(again.body)).toEqual(["sub-platform", "sub-support", "fresh"]);
		expect(contractOn(here, "fresh")).toBe("C-1");
	});

	test("one that is on it already stays where it is", async () => {
		const { call } = await draftWorld();
		const before = (await call("GET", contract)).body;
		expect(await call("POST", path, { body: { subscriptionIds: ["sub-platform"] } })).toMatchObject({
			status: 200,
			body: before,
		});
	});

	test("one that replaces another takes its product: what has ended holds no place", async () => {
		const here = await draftWorld();
		here.subscribe({ planId: "platform", id: "sub-next" });
		expect(statusOf(here, "sub-platform")).toBe("CANCELED");
		const { status, body } = await here.call("POST", path, { body: { subscriptionIds: ["sub-next"] } });
		expect([status, idsOf(body)]).toEqual([200, ["sub-platform", "sub-next"]]);
	});

	test("a refused one undoes what was provisioned before it", async () => {
		const here = await draftWorld();
		await publishPlan(here, "extra", "CUSTOM");
		const refused = await here.call("POST", path, {
			body: {
				subscriptions: [
					{ newSubscription: { id: "fresh", customerId: "acme", planId: "extra" } },
					{ newSubscription: { id: "theirs", customerId: "other", planId: "extra" } },
				],
			},
		});
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect(here.db.$client.query("SELECT 1 FROM subscriptions WHERE ref_id IN ('fresh', 'theirs')").get()).toBeNull();
	});

	test.each([
		["neither list", {}, 400, "BadUserInput", "exactly one"],
		[
			"both lists",
			{ subscriptions: [existing("sub-support")], subscriptionIds: ["sub-support"] },
			400,
			"BadUserInput",
			"exactly one",
		],
		["an empty list", { subscriptionIds: [] }, 400, "BadUserInput", "/subscriptionIds"],
		["an entry of nothing", { subscriptions: [{}] }, 400, "BadUserInput", "subscriptions/0"],
		["an unknown key", { subscriptionIds: ["sub-support"], all: true }, 400, "BadUserInput", "/all"],
		["an unknown subscription", { subscriptionIds: ["nothing"] }, 404, "SubscriptionNotFound", "'nothing'"],
		["one of another contract", { subscriptionIds: ["sub-elsewhere"] }, 400, "InvalidArgumentError", "'C-2'"],
		[
			"two of one product",
			{ subscriptionIds: ["sub-site-1", "sub-site-2"] },
			409,
			"DuplicatedEntityNotAllowed",
			"product",
		],
	])("%s is refused", async (_, body, status, code, message) => {
		const here = await draftWorld();
		const { call, subscribe } = here;
		await publishPlan(here, "extra", "CUSTOM");
		await call("PATCH", "/products/extra", { body: { multipleSubscriptions: true } });
		for (const resourceId of ["site-1", "site-2"]) subscribe({ planId: "extra", id: `sub-${resourceId}`, resourceId });
		subscribe({ planId: "extra", id: "sub-elsewhere", resourceId: "site-3" });
		await call("POST", "/contracts", {
			body: contractOf({ contractId: "C-2", subscriptions: [existing("sub-elsewhere")] }),
		});
		const before = (await call("GET", contract)).body;
		expect(await call("POST", path, { body })).toMatchObject({
			status,
			body: { code, message: expect.stringContaining(message) },
		});
		expect((await call("GET", contract)).body).toEqual(before);
	});
});

describe("DELETE /contracts/{id}/subscriptions/{subscriptionId}", () => {
	test("takes it off, and leaves it running; one that is not on it changes nothing", async () => {
		const here = await draftWorld();
		const { call } = here;
		const { status, body } = await call("DELETE", `${contract}/subscriptions/sub-platform`);
		expect([status, idsOf(body)]).toEqual([200, []]);
		expect(body.data.state).toBe("DRAFT");
		expect([contractOn(here, "sub-platform"), statusOf(here, "sub-platform")]).toEqual([null, "ACTIVE"]);
		expect((await call("DELETE", `${contract}/subscriptions/sub-platform`)).body).toEqual(body);
		expect(await call("DELETE", `${contract}/subscriptions/nothing`)).toMatchObject({
			status: 404,
			body: { code: "SubscriptionNotFound" },
		});
	});
});

describe("POST /contracts/{id}/archive", () => {
	const archive = `${contract}/archive`;

	test("cancels the contract, its billing and all its subscriptions; again it changes nothing", async () => {
		const here = await draftWorld();
		const { call } = here;
		await call("POST", `${contract}/subscriptions`, { body: { subscriptionIds: ["sub-support"] } });
		const { status, body } = await call("POST", archive);
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ state: "CANCELED", billingState: "CANCELED" });
		expect(idsOf(body)).toEqual(["sub-platform", "sub-support"]);
		expect([statusOf(here, "sub-platform"), statusOf(here, "sub-support")]).toEqual(["CANCELED", "CANCELED"]);
		here.clock.at = (here.clock.at + 1000) as typeof here.clock.at;
		expect((await call("POST", archive)).body).toEqual(body);
		expect((await call("GET", "/contracts?state=CANCELED")).body.data).toEqual([body.data]);
		expect((await call("GET", "/contracts?state=ACTIVE,DRAFT,END_BILLING")).body.data).toEqual([]);
	});

	test("leaves items that have ended as they are, and a contract without billing has none after", async () => {
		const here = await draftWorld({ setupBilling: false });
		const { call } = here;
		await call("POST", `${contract}/subscriptions`, { body: { subscriptionIds: ["sub-support"] } });
		await call("POST", "/subscriptions/sub-support/cancel", { body: { cancellationTime: "IMMEDIATE" } });
		const endedAt = () => here.transactions.read(here.actor, (work) => getSubscription(work, "sub-support").endedAt);
		const before = endedAt();
		here.clock.at = (here.clock.at + 1000) as typeof here.clock.at;
		expect((await call("POST", archive)).body.data).toMatchObject({ state: "CANCELED", billingState: null });
		expect(endedAt()).toBe(before);
	});

	test("one that cannot be canceled keeps all from it", async () => {
		const here = await draftWorld();
		const { call, db } = here;
		await call("POST", `${contract}/subscriptions`, { body: { subscriptionIds: ["sub-support"] } });
		db.$client.run(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON subscriptions WHEN old.ref_id = 'sub-support'
			BEGIN SELECT RAISE(ABORT, 'no'); END`);
		expect((await call("POST", archive)).status).toBe(500);
		expect((await call("GET", contract)).body.data).toMatchObject({ state: "ACTIVE", billingState: "DRAFT" });
		expect(statusOf(here, "sub-platform")).toBe("ACTIVE");
	});
});

test.each([
	["PATCH", "", { name: "New" }],
	["POST", "/archive", undefined],
	["POST", "/subscriptions", { subscriptionIds: ["sub-platform"] }],
	["DELETE", "/subscriptions/sub-platform", undefined],
	["PATCH", "/billing/terms", { netTerms: 30 }],
	["PATCH", "/billing/settings", { note: "x" }],
] as const)("%s /contracts/{id}%s: nobody else's, and not without the scope", async (method, tail, body) => {
	const { call, foreignKey, scopedKey, publishableKey } = await contractWorld();
	await call("POST", "/contracts", { body: contractOf() });
	const before = (await call("GET", contract)).body;
	const send = (key: string, path = contract) => call(method, `${path}${tail}`, { key, ...(body && { body }) });
	expect(await send(foreignKey)).toMatchObject({ status: 404, body: { code: "ContractNotFound" } });
	expect(await send(scopedKey("CONTRACT:READ", "SUBSCRIPTION:WRITE"))).toMatchObject({
		status: 403,
		body: { code: "AccessDeniedError" },
	});
	expect((await send(publishableKey)).status).toBe(403);
	expect(await send(scopedKey("CONTRACT:WRITE"), "/contracts/nothing")).toMatchObject({
		status: 404,
		body: { code: "ContractNotFound" },
	});
	expect((await call("GET", contract)).body).toEqual(before);
});
