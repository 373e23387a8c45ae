import { describe, expect, test } from "bun:test";
import { getCustomer, markCustomerArchived } from "../../../src/areas/customers/operations";
import { cancelSubscription, getSubscription } from "../../../src/areas/subscriptions/operations";
import { longText } from "../../support/world";
import { contractOf, contractWorld, publishPlan } from "./support";

const uuid = /^[0-9a-f-]{36}$/;

describe("POST /contracts", () => {
	test("answers the whole contract, active since its subscription runs, with billing in draft", async () => {
		const { call } = await contractWorld();
		const { status, body } = await call("POST", "/contracts", {
			body: contractOf({ poNumber: "PO-7", activationStartDate: "2026-01-01T01:00:00+01:00" }),
		});
		expect(status).toBe(201);
		expect(body).toEqual({
			data: {
				id: expect.stringMatching(uuid),
				contractId: "C-1",
				externalId: "C-1",
				refId: "C-1",
				customerExternalId: "acme",
				name: "PO-7",
				poNumber: "PO-7",
				state: "ACTIVE",
				billingState: "DRAFT",
				billingId: expect.stringMatching(uuid),
				activationStartDate: "2026-01-01T00:00:00.000Z",
				activationEndDate: null,
				createdAt: "2026-01-31T00:00:00.000Z",
				latestInvoice: null,
				nextInvoice: null,
				subscriptions: [
					{ subscriptionId: "sub-platform", planDisplayName: "Plan platform", productDisplayName: "Product platform" },
				],
			},
		});
		expect((await call("GET", "/contracts/C-1")).body).toEqual(body);
	});

	test("without billing, id and name: no billing half, an id of ours, the customer's name", async () => {
		const { call } = await contractWorld();
		const { contractId: _, ...body } = contractOf({ setupBilling: false, name: null });
		const { data } = (await call("POST", "/contracts", { body })).body;
		expect(data).toMatchObject({
			name: "Acme",
			billingState: null,
			billingId: null,
			contractId: data.id,
			state: "ACTIVE",
		});
		expect((await call("GET", `/contracts/${data.id}`)).body.data).toEqual(data);
	});

	test("provisions new subscriptions in the same call, alongside existing ones, in the order given", async () => {
		const { call, transactions, actor } = await contractWorld();
		const { body } = await call("POST", "/contracts", {
			body: contractOf({
				customerId: "other",
				subscriptions: [
					{ newSubscription: { id: "new-support", customerId: "other", planId: "support" } },
					{ newSubscription: { id: "new-platform", customerId: "other", planId: "platform" } },
				],
			}),
		});
		expect(body.data.subscriptions.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)).toEqual([
			"new-support",
			"new-platform",
		]);
		expect(transactions.read(actor, (work) => getSubscription(work, "new-support").contractId)).toBe(body.data.id);
	});

	test("is idempotent on the caller's id: the rest of the body is ignored", async () => {
		const { call } = await contractWorld();
		const first = await call("POST", "/contracts", { body: contractOf({ name: "First" }) });
		const again = await call("POST", "/contracts", {
			body: contractOf({
				name: "Second",
				customerId: "nobody",
				subscriptions: [{ existingSubscriptionId: "sub-support" }],
			}),
		});
		expect(again.status).toBe(201);
		expect(again.body).toEqual(first.body);
	});

	test("a refused subscription undoes all of it", async () => {
		const { call, db } = await contractWorld();
		const refused = await call("POST", "/contracts", {
			body: contractOf({
				customerId: "other",
				subscriptions: [
					{ newSubscription: { id: "fresh", customerId: "other", planId: "platform" } },
					{ existingSubscriptionId: "sub-support" },
				],
			}),
		});
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect((await call("GET", "/contracts/C-1")).status).toBe(404);
		const count = (table: string) => db.$client.query(`SELECT count(*) AS rows FROM ${table}`).get();
		expect([count("contracts"), count("contract_subscriptions"), count("legal_entities")]).toEqual([
			{ rows: 0 },
			{ rows: 0 },
			{ rows: 0 },
		]);
		expect(db.$client.query("SELECT 1 FROM subscriptions WHERE ref_id = 'fresh'").get()).toBeNull();
	});

	/** One world for all refusals: none of them may leave anything behind. */
	let untouched: ReturnType<typeof contractWorld> | undefined;
	const subscriptions = (...entries: object[]) => contractOf({ subscriptions: entries });
	const existing = (existingSubscriptionId: string) => ({ existingSubscriptionId });

	test.each([
		["no key", { key: "", body: "{" }, 401, "Unauthenticated", "X-API-KEY"],
		["malformed JSON", { body: "{" }, 400, "BadUserInput", "JSON"],
		["no body", {}, 400, "BadUserInput", "customerId"],
		["no subscriptions", { body: { customerId: "acme" } }, 400, "BadUserInput", "/subscriptions"],
		["an empty list of them", { body: subscriptions() }, 400, "BadUserInput", "/subscriptions"],
		[
			"a list too long",
			{ body: subscriptions(...Array(101).fill(existing("x"))) },
			400,
			"BadUserInput",
			"/subscriptions",
		],
		["an entry of nothing", { body: subscriptions({}) }, 400, "BadUserInput", "subscriptions/0"],
		[
			"an entry of both",
			{ body: subscriptions({ ...existing("x"), newSubscription: { customerId: "acme", planId: "platform" } }) },
			400,
			"BadUserInput",
			"exactly one",
		],
		["an unknown key", { body: contractOf({ netTerms: 30 }) }, 400, "BadUserInput", "/netTerms"],
		["an unknown key in an entry", { body: subscriptions({ id: "x" }) }, 400, "BadUserInput", "/subscriptions/0/id"],
		[
			"an unknown key in a new subscription",
			{ body: subscriptions({ newSubscription: { customerId: "acme", planId: "platform", plan: 1 } }) },
			400,
			"BadUserInput",
			"/newSubscription/plan",
		],
		["a boolean in quotes", { body: contractOf({ setupBilling: "true" }) }, 400, "BadUserInput", "/setupBilling"],
		["a name too long", { body: contractOf({ name: longText(256) }) }, 400, "BadUserInput", "/name"],
		["an id too long", { body: contractOf({ contractId: longText(256) }) }, 400, "BadUserInput", "/contractId"],
		["an id that is a route", { body: contractOf({ contractId: "pricing-models" }) }, 400, "BadUserInput", "route"],
		[
			"a day for an instant",
			{ body: contractOf({ activationStartDate: "2026-01-01" }) },
			400,
			"BadUserInput",
			"/activationStartDate",
		],
		[
			"an end before the start",
			{ body: contractOf({ activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2026-01-01T00:00:00Z" }) },
			400,
			"BadUserInput",
			"activationEndDate",
		],
		["an unknown customer", { body: contractOf({ customerId: "nobody" }) }, 404, "CustomerNotFound", "'nobody'"],
		["an unknown subscription", { body: subscriptions(existing("nothing")) }, 404, "SubscriptionNotFound", "'nothing'"],
		[
			"an unknown plan",
			{ body: subscriptions({ newSubscription: { customerId: "acme", planId: "nothing" } }) },
			404,
			"PlanNotFound",
			"'nothing'",
		],
		[
			"another customer's subscription",
			{ body: contractOf({ customerId: "other" }) },
			400,
			"InvalidArgumentError",
			"'sub-platform'",
		],
		[
			"a new one for another customer",
			{ body: subscriptions({ newSubscription: { customerId: "other", planId: "platform" } }) },
			400,
			"InvalidArgumentError",
			"another customer",
		],
		[
			"one twice",
			{ body: subscriptions(existing("sub-platform"), existing("sub-platform")) },
			409,
			"DuplicatedEntityNotAllowed",
			"same product",
		],
	])("%s", async (_, options, status, code, message) => {
		untouched ??= contractWorld();
		const { call } = await untouched;
		const answer = await call("POST", "/contracts", options);
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
		expect((await call("GET", "/contracts")).body.data).toEqual([]);
	});

	test("an archived customer takes no contract", async () => {
		const { call, transactions, actor } = await contractWorld();
		transactions.write(actor, (work) => {
			markCustomerArchived(work, getCustomer(work, "acme"));
		});
		expect(await call("POST", "/contracts", { body: contractOf() })).toMatchObject({
			status: 400,
			body: { code: "EntityIsArchivedError" },
		});
	});

	test("takes paid subscriptions only when they are not collected, never free ones, and those of one currency", async () => {
		const here = await contractWorld();
		await publishPlan(here, "paid", "PAID");
		await publishPlan(here, "euro", "PAID", here.key, "eur");
		await publishPlan(here, "free", "FREE");
		here.subscribe({ planId: "paid", id: "collected" });
		here.subscribe({ planId: "free", id: "gratis", paymentCollectionMethod: "NONE" });
		const create = (...ids: string[]) =>
			here.call("POST", "/contracts", { body: subscriptions(...ids.map((id) => existing(id))) });
		expect(await create("collected")).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect(await create("gratis")).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		here.subscribe({ planId: "paid", id: "dollars", paymentCollectionMethod: "NONE" });
		here.subscribe({ planId: "euro", id: "euros", paymentCollectionMethod: "NONE" });
		expect((await create("dollars", "euros")).body).toMatchObject({
			code: "InvalidArgumentError",
			message: expect.stringContaining("usd and eur"),
		});
		expect((await create("dollars", "sub-platform")).status).toBe(201);
		expect((await here.call("POST", "/contracts", { body: contractOf({ contractId: "C-2" }) })).body).toMatchObject({
			code: "InvalidArgumentError",
			message: expect.stringContaining("on the contract 'C-1'"),
		});
	});
});

describe("GET /contracts", () => {
	let guarded: ReturnType<typeof contractWorld> | undefined;

	test("pages newest first, filters, and shows nothing of another environment", async () => {
		const { call, foreignKey, subscribe } = await contractWorld();
		await call("POST", "/contracts", { body: contractOf({ contractId: "A", name: "Alpha" }) });
		await call("POST", "/contracts", {
			body: contractOf({ contractId: "B", name: "Beta", subscriptions: [{ existingSubscriptionId: "sub-support" }] }),
		});
		subscribe({ customerId: "other", planId: "support", id: "of-other" });
		await call("POST", "/contracts", {
			body: contractOf({
				contractId: "C",
				customerId: "other",
				subscriptions: [{ existingSubscriptionId: "of-other" }],
			}),
		});
		const ids = async (query: string) =>
			(await call("GET", `/contracts${query}`)).body.data.map(({ contractId }: { contractId: string }) => contractId);

		const first = await call("GET", "/contracts?limit=2");
		expect(first.body.data.map(({ contractId }: { contractId: string }) => contractId)).toEqual(["C", "B"]);
		expect(first.body.pagination.prev).toBeNull();
		expect(await ids(`?limit=2&after=${first.body.pagination.next}`)).toEqual(["A"]);
		expect(await ids("?customerExternalId=acme")).toEqual(["B", "A"]);
		expect(await ids("?customerExternalId=nobody")).toEqual([]);
		expect(await ids("?search=B")).toEqual(["B"]);
		expect(await ids("?search=none")).toEqual([]);
		expect(await ids("?name=Alpha")).toEqual(["A"]);
		expect(await ids("?name=Alph")).toEqual([]);
		expect(await ids("?state=ACTIVE")).toEqual(["C", "B", "A"]);
		expect(await ids("?state=DRAFT,CANCELED")).toEqual([]);
		expect((await call("GET", "/contracts", { key: foreignKey })).body).toEqual({
			data: [],
			pagination: { next: null, prev: null },
		});
		expect(await call("GET", "/contracts/A", { key: foreignKey })).toMatchObject({
			status: 404,
			body: { code: "ContractNotFound" },
		});
		expect((await call("GET", `/contracts?after=${first.body.pagination.next}`, { key: foreignKey })).status).toBe(400);
	});

	test("a contract is a draft again when its subscriptions have ended, also in the list", async () => {
		const { call, transactions, actor } = await contractWorld();
		await call("POST", "/contracts", { body: contractOf() });
		transactions.write(actor, (work) => {
			cancelSubscription(work, "sub-platform", { cancellationTime: "IMMEDIATE" });
		});
		expect((await call("GET", "/contracts/C-1")).body.data.state).toBe("DRAFT");
		expect((await call("GET", "/contracts?state=DRAFT")).body.data).toHaveLength(1);
		expect((await call("GET", "/contracts?state=ACTIVE")).body.data).toEqual([]);
	});

	test("whatever ends a subscription ends the activity at that very instant: its end, a cancellation, a trial", async () => {
		const { call, clock, subscribe } = await contractWorld();
		const end = "2026-03-01T00:00:00.000Z";
		const trial = { isTrial: true, trialEndDate: end, trialEndBehavior: "CANCEL_SUBSCRIPTION" } as const;
		subscribe({ planId: "platform", id: "canceled", customerId: "other", cancellationDate: end });
		subscribe({ planId: "support", id: "on-trial", customerId: "other", trialOverrideConfiguration: trial });
		for (const id of ["canceled", "on-trial"])
			await call("POST", "/contracts", {
				body: contractOf({ contractId: id, customerId: "other", subscriptions: [{ existingSubscriptionId: id }] }),
			});
		const states = async () => (await call("GET", "/contracts")).body.data.map(({ state }: { state: string }) => state);
		clock.at = (Date.parse(end) - 1) as typeof clock.at;
		expect(await states()).toEqual(["ACTIVE", "ACTIVE"]);
		clock.at = Date.parse(end) as typeof clock.at;
		expect(await states()).toEqual(["DRAFT", "DRAFT"]);
	});

	test("an agreed end that has come ends the activity, written down or not", async () => {
		const { call, db, clock } = await contractWorld();
		await call("POST", "/contracts", { body: contractOf() });
		const stateWithEnd = async (endAt: number) => {
			db.$client.run("UPDATE subscriptions SET end_at = ?1, runs_until = ?1 WHERE ref_id = 'sub-platform'", [endAt]);
			return (await call("GET", "/contracts/C-1")).body.data.state;
		};
		expect([await stateWithEnd(clock.at + 1), await stateWithEnd(clock.at)]).toEqual(["ACTIVE", "DRAFT"]);
	});

	test.each([
		["an unknown state", "?state=ACTIVE,OPEN", "state"],
		["an unknown key", "?customer=acme", "customer"],
		["a limit outside", "?limit=101", "limit"],
		["a cursor of nothing", "?after=0199c7a0-0000-7000-8000-000000000000", "cursor"],
	])("%s", async (_, query, message) => {
		const { call } = await contractWorld();
		expect(await call("GET", `/contracts${query}`)).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining(message) },
		});
	});

	test.each([
		["GET", "/contracts"],
		["GET", "/contracts/C-1"],
		["GET", "/contracts/pricing-models"],
		["GET", "/contracts/legal-entities"],
		["GET", "/contracts/C-1/billing/summary"],
		["POST", "/contracts"],
		["POST", "/contracts/C-1/billing/items"],
		["POST", "/contracts/C-1/billing/publish"],
		["PATCH", "/contracts/C-1/billing/items/x"],
		["DELETE", "/contracts/C-1/billing/items/x"],
		["DELETE", "/contracts/C-1/billing/items/x/rows/0"],
	])("%s %s needs the scope of contracts, and is nothing for a publishable key", async (method, path) => {
		guarded ??= contractWorld();
		const { call, scopedKey, publishableKey } = await guarded;
		const lacking = scopedKey("CUSTOMER:WRITE", ...(method === "GET" ? [] : (["CONTRACT:READ"] as const)));
		const body = method === "GET" ? {} : { body: "{" };
		expect(await call(method, path, { key: lacking, ...body })).toMatchObject({
			status: 403,
			body: { code: "AccessDeniedError", message: expect.stringContaining("CONTRACT:") },
		});
		expect(await call(method, path, { key: publishableKey, ...body })).toMatchObject({
			status: 403,
			body: { code: "IdentityForbidden" },
		});
		expect((await call(method, path, { key: "" })).status).toBe(401);
	});
});
