import { describe, expect, test } from "bun:test";
import { runImport } from "../../src/areas/subscriptions/import/import";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { openLog } from "../../src/http/log";
import { drainTasks } from "../../src/workers/task-thread";
import { invoiceWorld } from "../areas/invoices/support";
import { type Answer, longText } from "../support/world";
import { answerOf, faults, type Schema } from "./contract";
import { isError } from "./refusal";
import { play } from "./scenario";

// The interface has eight endpoints; those that operations.json has too are held against it in operations.test.ts.
const { here } = await play();
const call: typeof here.call = (method, path, options) => {
	here.limitClock.ms += 60_000;
	return here.call(method, path, options);
};

const text: Schema = { type: "string" };
const number: Schema = { type: "number" };
const time: Schema = { type: "string", format: "date-time" };
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const all = (properties: Record<string, Schema>): Schema => ({
	type: "object",
	properties,
	required: Object.keys(properties),
});
const bounded = (maxLength: number) => ({ type: "string", maxLength }) as Schema;

describe("endpoints 1 and 2: the invoice as PDF", () => {
	const status = all({
		invoiceId: bounded(255),
		externalId: bounded(255),
		status: { type: "string", enum: ["PENDING", "READY"] },
		fileName: nullable(bounded(255)),
		contentType: nullable(bounded(255)),
		contentBase64: nullable(bounded(20_000_000)),
	});
	const outcome = all({
		invoiceId: text,
		externalId: text,
		status: { type: "string", enum: ["PENDING", "READY"] },
		taskId: text,
	});

	test("PENDING without a file, a queued task, then READY with the file, inline; READY queues nothing", async () => {
		const { issue, status: ask, generate, runRenderer, woken } = invoiceWorld();
		const invoice = issue();
		const before = await ask(invoice);
		expect(faults(answerOf(status), before.body)).toEqual([]);
		const none = { fileName: null, contentType: null, contentBase64: null };
		expect(before).toMatchObject({ status: 200, body: { data: { status: "PENDING", ...none } } });

		const started = await generate(invoice);
		expect(faults(answerOf(outcome), started.body)).toEqual([]);
		expect(started).toMatchObject({
			status: 200,
			body: { data: { status: "PENDING", invoiceId: invoice.id, externalId: "cust-1" } },
		});
		expect(woken).toContain("renderer");
		expect((await ask(invoice)).body.data).toMatchObject({ status: "PENDING", ...none });

		await runRenderer();
		const after = await ask(invoice);
		expect(faults(answerOf(status), after.body)).toEqual([]);
		const { contentBase64, fileName, contentType } = after.body.data;
		expect({ status: after.body.data.status, contentType }).toEqual({
			status: "READY",
			contentType: "application/pdf",
		});
		expect(fileName).toContain(invoice.number);
		expect(Buffer.from(contentBase64, "base64").subarray(0, 5).toString()).toBe("%PDF-");

		woken.length = 0;
		const again = await generate(invoice);
		expect(faults(answerOf(outcome), again.body)).toEqual([]);
		expect(again.body.data).toMatchObject({ status: "READY", taskId: expect.stringMatching(/./) });
		expect(woken).toEqual([]);
	});

	test("an unknown invoice is InvoiceNotFound on status, an unknown customer CustomerNotFound on generate", async () => {
		isError(await call("GET", "/customers/acme/invoices/none/pdf/status"), 404, "InvoiceNotFound");
		isError(await call("POST", "/customers/nobody/invoices/none/pdf/generate"), 404, "CustomerNotFound");
	});
});

describe("endpoint 3: plan entitlements", () => {
	const shown = [
		...["id", "description", "isGranted", "isCustom", "order", "behavior", "hiddenFromWidgets", "displayNameOverride"],
		...["createdAt", "updatedAt", "type", "usageLimit", "hasUnlimitedUsage", "hasSoftLimit", "resetPeriod"],
		...["resetPeriodConfiguration", "enumValues"],
	];
	const full = {
		type: "FEATURE",
		id: "calls",
		description: "Calls",
		isGranted: true,
		isCustom: true,
		order: 1.5,
		hiddenFromWidgets: ["PAYWALL"],
		displayNameOverride: "Requests",
		usageLimit: 10,
		hasUnlimitedUsage: false,
		hasSoftLimit: true,
		behavior: "Increment",
		resetPeriod: "YEAR",
		yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
		monthlyResetPeriodConfiguration: {},
		weeklyResetPeriodConfiguration: {},
	};
	const draft = async (id: string) => {
		await call("POST", "/plans", { body: { id, displayName: id, productId: "app" } });
		return (...entitlements: object[]) => call("POST", `/plans/${id}/entitlements`, { body: { entitlements } });
	};

	test("takes every field of the request item and answers every field of the response item, 201", async () => {
		const entitle = await draft("e3-full");
		const { status, body } = await entitle(full);
		expect(status).toBe(201);
		const [item] = body.data;
		expect(Object.keys(item).sort()).toEqual(shown.sort());
		const {
			yearlyResetPeriodConfiguration,
			monthlyResetPeriodConfiguration: _,
			weeklyResetPeriodConfiguration: __,
			...kept
		} = full;
		expect(item).toMatchObject({ ...kept, resetPeriodConfiguration: yearlyResetPeriodConfiguration, enumValues: null });
	});

	test("one answer for each created entitlement, in order; enumValues for those that have values", async () => {
		const entitle = await draft("e3-many");
		const { body } = await entitle(
			{ type: "FEATURE", id: "region", enumValues: ["us"] },
			{ type: "FEATURE", id: "sso" },
		);
		expect(body.data).toMatchObject([
			{ id: "region", enumValues: ["us"] },
			{ id: "sso", enumValues: null },
		]);
	});

	test("at least one element; type and id are required; the type tells which kind", async () => {
		const entitle = await draft("e3-bad");
		isError(await entitle(), 400, "BadUserInput", "entitlements");
		isError(await entitle({ type: "FEATURE" }), 400, "BadUserInput", "id");
		isError(await entitle({ id: "calls" }), 400, "BadUserInput", "type");
		isError(await entitle({ type: "PLAN", id: "calls" }), 400, "BadUserInput", "type");
		isError(await entitle({ type: "CREDIT", id: "gold" }), 400, "BadUserInput");
		isError(await entitle({ type: "FEATURE", id: "calls", amount: 1 }), 400, "BadUserInput", "amount");
	});

	test("only on a draft; a duplicate is DuplicatedEntityNotAllowed, 409, not to be retried", async () => {
		isError(
			await call("POST", "/plans/pro/entitlements", { body: { entitlements: [{ type: "FEATURE", id: "seats" }] } }),
			400,
			"EditAllowedOnDraftPackageOnlyError",
		);
		const entitle = await draft("e3-twice");
		await entitle({ type: "FEATURE", id: "sso" });
		const again = await entitle({ type: "FEATURE", id: "sso" });
		isError(again, 409, "DuplicatedEntityNotAllowed", "'sso'");
		expect(again.headers.get("x-should-retry")).toBe("false");
	});
});

describe("endpoint 4: bulk import", () => {
	const items = (count: number, more: object = {}) =>
		Array.from({ length: count }, (_, at) => ({ id: `bulk-${at}`, customerId: "acme", planId: "free", ...more }));
	const send = (subscriptions: readonly object[], more: object = {}) =>
		call("POST", "/subscriptions/import", { body: { subscriptions, ...more } });

	test("takes 1 to 1000 items and answers the task's UUID alone", async () => {
		for (const count of [1, 1000]) {
			const { status, body } = await send(items(count));
			expect({ status, body }).toEqual({
				status: 200,
				body: { data: { taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
			});
		}
		isError(await send(items(1001)), 400, "BadUserInput", "subscriptions");
		isError(await send([]), 400, "BadUserInput", "subscriptions");
	});

	test("reads 'Monthly' and 'Feature' as the interface writes them; no integration is known", async () => {
		const charges = [{ id: "seats", quantity: 2, type: "Feature" }];
		expect((await send(items(1, { planId: "pro", billingPeriod: "Monthly", charges }))).status).toBe(200);
		isError(await send(items(1, { billingPeriod: "Fortnightly" })), 400, "BadUserInput", "billingPeriod");
		isError(await send(items(1), { integrationId: 5 }), 400, "BadUserInput", "integrationId");
		isError(await send(items(1), { integrationId: "none" }), 404, "IntegrationNotFound");
		isError(await send(items(1, { customerId: "nobody" })), 404, "CustomerNotFound", "'nobody'");
	});

	test("in the background: existing subscriptions are updated, new ones are created", async () => {
		const run = () =>
			drainTasks(
				here.transactions,
				["IMPORT_SUBSCRIPTIONS"],
				(task) => runImport(here.thread, task),
				openLog("silent"),
			);
		await run();
		const item = { id: "bulk-new", customerId: "acme", planId: "free", resourceId: "bulk" };
		const { taskId } = (await send([{ ...item, metadata: { round: "1" } }])).body.data;
		expect((await call("GET", "/subscriptions/bulk-new")).status).toBe(404);
		expect((await call("GET", `/tasks/${taskId}`)).body.data).toMatchObject({ id: taskId, status: "PENDING" });
		await run();
		expect((await call("GET", `/tasks/${taskId}`)).body.data).toMatchObject({ status: "COMPLETED", importErrors: [] });
		expect((await call("GET", "/subscriptions/bulk-new")).body.data.metadata).toEqual({ round: "1" });
		await send([{ ...item, metadata: { round: "2" } }]);
		await run();
		expect((await call("GET", "/subscriptions/bulk-new")).body.data.metadata).toEqual({ round: "2" });
	});
});

describe("endpoint 5: usage events", () => {
	const events = (count: number) =>
		Array.from({ length: count }, (_, at) => ({ eventName: "e", customerId: "acme", idempotencyKey: `bulk-${at}` }));

	test("1 to 1000 elements; an empty object confirms them, 200", async () => {
		for (const count of [1, 1000])
			expect(await call("POST", "/events", { body: { events: events(count) } })).toMatchObject({
				status: 200,
				body: { data: {} },
			});
		expect((await call("POST", "/events", { body: { events: events(1) } })).body).toEqual({ data: {} });
		for (const count of [0, 1001])
			isError(await call("POST", "/events", { body: { events: events(count) } }), 400, "BadUserInput", "events");
	});
});

describe("endpoint 5: aggregation", () => {
	test("stored before the answer, counted into totals by another thread afterwards, each event once", async () => {
		const event = {
			eventName: "call",
			customerId: "parent",
			idempotencyKey: "once",
			dimensions: { size: "7", host: "a" },
		};
		const history = "/usage/parent/history/calls?startDate=2026-02-01T00:00:00Z&endDate=2026-02-04T00:00:00Z";
		const total = async () => (await call("GET", history)).body.data.series[0].points.at(-1).value;
		for (let sent = 0; sent < 3; sent += 1)
			expect((await call("POST", "/events", { body: { events: [event, event] } })).status).toBe(200);
		expect(here.woken).toContain("aggregator");
		expect(await total()).toBe(0);
		const aggregator = new Aggregator({ folder: here.folder });
		while (aggregator.step());
		aggregator.close();
		expect(await total()).toBe(7);
	});
});

describe("endpoint 6: listing coupons", () => {
	const list = (query: string) => call("GET", `/coupons?${query}`);
	const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id).sort();

	test("every field of a coupon, and both cursors", async () => {
		const { body } = await list("id=FIVE");
		expect(Object.keys(body)).toEqual(["data", "pagination"]);
		expect(Object.keys(body.pagination).sort()).toEqual(["next", "prev"]);
		expect(Object.keys(body.data[0]).sort()).toEqual([
			...[
				"amountsOff",
				"billingId",
				"billingLinkUrl",
				"createdAt",
				"description",
				"durationInMonths",
				"id",
				"metadata",
			],
			...["name", "percentOff", "source", "status", "type", "updatedAt"],
		]);
		expect(body.data[0]).toMatchObject({ type: "FIXED", source: "TOLLGATE", percentOff: null });
		expect(body.data[0].amountsOff).toContainEqual({ amount: 5, currency: "usd" });
	});

	test("the bounds of the page, and each filter", async () => {
		for (const limit of [1, 100]) expect((await list(`limit=${limit}`)).status).toBe(200);
		for (const limit of ["0", "101", "-1", "1.5", "many"])
			isError(await list(`limit=${limit}`), 400, "BadUserInput", "limit");
		expect((await list(`id=${longText(255)}`)).body.data).toEqual([]);
		isError(await list(`id=${longText(256)}`), 400, "BadUserInput", "id");
		expect(idsOf(await list("status=ARCHIVED"))).toEqual(["OLD"]);
		expect(idsOf(await list("status=ARCHIVED,ACTIVE"))).toEqual(idsOf(await list("status=ARCHIVED&status=ACTIVE")));
		expect(idsOf(await list("type=FIXED"))).toEqual(["FIVE"]);
		expect(idsOf(await list("type=PERCENTAGE"))).toContain("TEN");
		isError(await list("type=fixed"), 400, "BadUserInput", "type");
	});

	test("the four operators on the creation date", async () => {
		const { createdAt } = (await call("GET", "/coupons/TEN")).body.data;
		const has = async (operator: string) => idsOf(await list(`createdAt[${operator}]=${createdAt}`)).includes("TEN");
		expect([await has("gt"), await has("gte"), await has("lt"), await has("lte")]).toEqual([false, true, false, true]);
	});

	test("forward by next and back by prev, null at the ends", async () => {
		const whole = (await list("")).body.data;
		const first = (await list("limit=1")).body;
		expect(first.pagination.prev).toBeNull();
		const second = (await list(`limit=1&after=${first.pagination.next}`)).body;
		expect([...first.data, ...second.data]).toEqual(whole.slice(0, 2));
		expect((await list(`limit=1&before=${second.pagination.prev}`)).body.data).toEqual(first.data);
		expect((await list("limit=100")).body.pagination).toEqual({ next: null, prev: null });
	});
});

describe("endpoint 7: deleting a row", () => {
	const figures = { subTotal: number, discount: number, tax: number, total: number };
	const totals = all({
		contractId: text,
		externalId: text,
		subTotal: number,
		totalDiscount: number,
		totalTax: number,
		total: number,
		items: { type: "array", items: all({ itemId: text, name: text, ...figures }) },
		currency: text,
		activationStartDate: nullable(time),
		activationEndDate: nullable(time),
		netTerms: nullable(number),
		legalEntityId: text,
		paymentAccountId: text,
	});

	test("answers the recomputed totals, with every field of the interface, 200", async () => {
		const before = (await call("GET", "/contracts/C-1/billing/summary")).body;
		expect(faults(answerOf(totals), before)).toEqual([]);
		const { status, body } = await call("DELETE", "/contracts/C-1/billing/items/fee/rows/0");
		expect(status).toBe(200);
		expect(faults(answerOf(totals), body)).toEqual([]);
		const sum = body.data.items.reduce((all: number, { total }: { total: number }) => all + total, 0);
		expect(body.data.total).toBeCloseTo(sum, 6);
		expect(body.data.total).toBeLessThan(before.data.total);
		expect((await call("GET", "/contracts/C-1/billing/summary")).body).toEqual(body);
	});

	test("a refusal by the billing half carries a reason of at most 255 characters, and is the only one that does", async () => {
		const { status, body } = await call("DELETE", "/contracts/C-1/billing/items/none/rows/0");
		expect(status).toBe(400);
		expect(body).toEqual({
			message: expect.stringMatching(/./),
			code: "BillingContractOperationRejected",
			reason: expect.stringMatching(/^.{1,255}$/),
		});
		isError(await call("DELETE", "/contracts/C-9/billing/items/none/rows/0"), 404, "ContractNotFound");
	});
});

describe("endpoint 8: GraphQL", () => {
	const ask = (options: Parameters<typeof call>[2] = {}) =>
		call("POST", "/graphql", { body: { query: "{ __typename }" }, ...options });

	test("is POST {base_url}/graphql with a server key, the default one or a scoped one", async () => {
		const answered = { status: 200, body: { data: { __typename: "Query" } } };
		expect(await ask()).toMatchObject(answered);
		expect(await ask({ key: here.scopedKey("WEBHOOK:READ") })).toMatchObject(answered);
		expect((await ask({ key: here.publishableKey })).body.errors[0].extensions.code).toBe("IdentityForbidden");
		expect((await ask({ key: "server-nobody" })).body.errors[0].extensions.code).toBe("Unauthenticated");
		expect((await call("GET", "/graphql?query={__typename}")).status).toBe(405);
	});
});
