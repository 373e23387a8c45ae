import { describe, expect, test } from "bun:test";
import { cancelInvoice } from "../../../src/areas/invoices/operations";
import { tasks } from "../../../src/tasks/table";
import { longText } from "../../support/world";
import { decimal, instant, line } from "./samples";
import { invoiceWorld } from "./support";

const unknownId = "019a0000-0000-7000-8000-00000000dead";

describe.each([
	["GET", "/pdf/status", "INVOICE:READ", "InvoiceNotFound"],
	["POST", "/pdf/generate", "INVOICE:WRITE", "CustomerNotFound"],
	["GET", "", "INVOICE:READ", "CustomerNotFound"],
	["GET", "/pdf", "INVOICE:READ", "CustomerNotFound"],
	["POST", "/paid", "INVOICE:WRITE", "CustomerNotFound"],
	["POST", "/credit-note", "INVOICE:WRITE", "CustomerNotFound"],
] as const)("%s …/invoices/{invoiceRef}%s refuses", (method, tail, scope, unknownCustomer) => {
	const cases: ReadonlyArray<
		[
			string,
			(world: ReturnType<typeof invoiceWorld>, invoiceId: string) => { path: string; key?: string },
			number,
			string | null,
			string,
		]
	> = [
		[
			"no key",
			(_, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: "" }),
			401,
			"Unauthenticated",
			"X-API-KEY",
		],
		[
			"a wrong key",
			(_, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: "server-no" }),
			401,
			"Unauthenticated",
			"",
		],
		[
			"an expired key",
			(world, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: world.expiredKey() }),
			401,
			"Unauthenticated",
			"",
		],
		[
			"a key without the scope",
			(world, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: world.scopedKey("CUSTOMER:WRITE") }),
			403,
			"AccessDeniedError",
			scope,
		],
		[
			"a publishable key",
			(world, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: world.publishableKey }),
			403,
			"IdentityForbidden",
			"",
		],
		[
			"an id with a bad pattern",
			(_, id) => ({ path: `/customers/-cust/invoices/${id}${tail}` }),
			400,
			"BadUserInput",
			"id",
		],
		["an id with a blank", (_, id) => ({ path: `/customers/a%20b/invoices/${id}${tail}` }), 400, "BadUserInput", "id"],
		[
			"an id that is too long",
			(_, id) => ({ path: `/customers/${longText(256)}/invoices/${id}${tail}` }),
			400,
			"BadUserInput",
			"id",
		],
		[
			"an invoiceRef that is too long",
			() => ({ path: `/customers/cust-1/invoices/${longText(256)}${tail}` }),
			400,
			"BadUserInput",
			"invoiceRef",
		],
		[
			"an unknown customer",
			(_, id) => ({ path: `/customers/nobody/invoices/${id}${tail}` }),
			404,
			unknownCustomer,
			"nobody",
		],
		[
			"an unknown invoice",
			() => ({ path: `/customers/cust-1/invoices/${unknownId}${tail}` }),
			404,
			"InvoiceNotFound",
			unknownId,
		],
		[
			"an invoice number for an id",
			() => ({ path: `/customers/cust-1/invoices/INV-000001${tail}` }),
			404,
			"InvoiceNotFound",
			"INV-000001",
		],
		[
			"an invoice of another customer",
			(_, id) => ({ path: `/customers/cust-2/invoices/${id}${tail}` }),
			404,
			"InvoiceNotFound",
			"cust-2",
		],
		[
			"an invoice of another environment",
			(world, id) => ({ path: `/customers/cust-1/invoices/${id}${tail}`, key: world.foreignKey }),
			404,
			"InvoiceNotFound",
			"",
		],
	];
	test.each(cases)("%s", async (_, request, status, code, message) => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { path, key } = request(world, invoice.id);
		const answer = await world.call(method, path, key === undefined ? {} : { key });
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
		expect(world.transactions.read(world.actor, (work) => work.tx.select().from(tasks).all())).toEqual([]);
	});

	test("another method with 405", async () => {
		const answer = await invoiceWorld().call("PUT", `/customers/cust-1/invoices/${unknownId}${tail}`);
		expect(answer).toMatchObject({ status: 405, body: { code: null } });
	});
});

describe("GET /customers/{id}/invoices", () => {
	test.each([
		["no key", "", "", 401, "Unauthenticated", "X-API-KEY"],
		["a publishable key", "", "publishable", 403, "IdentityForbidden", ""],
		["a key without the scope", "", "scoped", 403, "AccessDeniedError", "INVOICE:READ"],
		["an unknown state", "?stateIn=OPEN,LATE", undefined, 400, "BadUserInput", "stateIn"],
		["a date without a zone", "?issuedAfter=2026-01-01", undefined, 400, "BadUserInput", "issuedAfter"],
		["an unknown order", "?orderBy=number", undefined, 400, "BadUserInput", "orderBy"],
		["a direction in lower case", "?orderDir=asc", undefined, 400, "BadUserInput", "orderDir"],
		["a limit of zero", "?limit=0", undefined, 400, "BadUserInput", "limit"],
		["a limit beyond 100", "?limit=101", undefined, 400, "BadUserInput", "limit"],
		["an unknown parameter", "?state=OPEN", undefined, 400, "BadUserInput", "state"],
		["a cursor that is none", "?after=abc", undefined, 400, "BadUserInput", "after"],
		["an unknown cursor", `?after=${unknownId}`, undefined, 400, "BadUserInput", unknownId],
		["both cursors", `?after=${unknownId}&before=${unknownId}`, undefined, 400, "BadUserInput", "not both"],
	])("%s is refused", async (_, query, key, status, code, message) => {
		const world = invoiceWorld();
		const keys: Record<string, string> = {
			"": "",
			publishable: world.publishableKey,
			scoped: world.scopedKey("CATALOG:READ"),
		};
		const answer = await world.call(
			"GET",
			`/customers/cust-1/invoices${query}`,
			key === undefined ? {} : { key: keys[key] ?? "" },
		);
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
	});

	test("shows every field, with its lines, and nothing of other customers and environments", async () => {
		const world = invoiceWorld();
		const invoice = world.issue({
			contractRefId: "MSA-9",
			taxPercentage: decimal(10),
			lines: [
				line({
					amount: decimal(100),
					quantity: decimal(2),
					unitPrice: decimal(50),
					discount: decimal(10),
					tax: decimal(9),
					productRefId: "prod",
				}),
				line({
					kind: "MinimumSpendCharge",
					description: "Minimum spend",
					quantity: null,
					unitPrice: null,
					amount: decimal("0.5"),
					tax: decimal("0.05"),
				}),
			],
		});
		world.issue({ customerId: world.other.id });
		world.issueForeign();
		const answer = await world.call("GET", "/customers/cust-1/invoices");
		expect(answer.body).toEqual({
			data: [
				{
					invoiceId: invoice.id,
					invoiceExternalId: invoice.id,
					invoiceNumber: "INV-000001",
					customerExternalId: "cust-1",
					contractExternalId: "MSA-9",
					state: "OPEN",
					currency: "usd",
					issueDate: "2026-02-01T00:00:00.000Z",
					dueDate: "2026-03-03T00:00:00.000Z",
					paidDate: null,
					subtotal: 100.5,
					discount: 10,
					tax: 9.05,
					total: 99.55,
					lineItems: [
						{ description: "Growth plan", quantity: 2, unitPrice: 50, amount: 100, productExternalId: "prod" },
						{ description: "Minimum spend", quantity: null, unitPrice: null, amount: 0.5, productExternalId: null },
					],
				},
			],
			pagination: { next: null, prev: null },
		});
		expect((await world.call("GET", `/customers/${world.customer.billingId}/invoices`)).body).toEqual(answer.body);
		expect((await world.call("GET", "/customers/nobody/invoices")).body.code).toBe("CustomerNotFound");
	});
});

test("GET …/invoices/{invoiceRef} shows what the list shows", async () => {
	const world = invoiceWorld();
	const invoice = world.issue({ lines: [line({ productRefId: "prod" }), line()] });
	world.issue();
	const [listed] = (await world.call("GET", "/customers/cust-1/invoices?limit=1")).body.data;
	for (const ref of ["cust-1", world.customer.billingId])
		expect(await world.call("GET", `/customers/${ref}/invoices/${invoice.id}`)).toMatchObject({
			status: 200,
			body: { data: listed },
		});
	expect(listed).toMatchObject({ invoiceId: invoice.id, customerExternalId: "cust-1" });
});

describe("POST …/paid", () => {
	const paid = (world: ReturnType<typeof invoiceWorld>, id: string, body?: unknown) =>
		world.call("POST", `/customers/cust-1/invoices/${id}/paid`, body === undefined ? {} : { body });

	test.each([
		["the time that is given", { paidDate: "2026-02-10T12:00:00+02:00" }, "2026-02-10T10:00:00.000Z"],
		["the moment of the issue", { paidDate: "2026-02-01T00:00:00Z" }, "2026-02-01T00:00:00.000Z"],
		["this very moment", { paidDate: "2026-02-20T00:00:00Z" }, "2026-02-20T00:00:00.000Z"],
		["now, without a date", {}, "2026-02-20T00:00:00.000Z"],
		["now, without a body", undefined, "2026-02-20T00:00:00.000Z"],
	])("records a payment at %s", async (_, body, paidDate) => {
		const world = invoiceWorld();
		world.clock.at = instant("2026-02-20T00:00:00Z");
		const invoice = world.issue();
		const answer = await paid(world, invoice.id, body);
		expect(answer).toMatchObject({ status: 200, body: { data: { state: "PAID", paidDate, total: 49 } } });
		expect((await world.call("GET", `/customers/cust-1/invoices/${invoice.id}`)).body).toEqual(answer.body);
	});

	test.each([
		["a moment before the issue", { paidDate: "2026-01-31T23:59:59.999Z" }, "InvalidArgumentError", "2026-02-01T00:00"],
		["a moment from now", { paidDate: "2026-02-20T00:00:00.001Z" }, "InvalidArgumentError", "future"],
		["a date without a time", { paidDate: "2026-02-10" }, "BadUserInput", "paidDate"],
		["no date", { paidDate: null }, "BadUserInput", "paidDate"],
		["another key", { paidAt: "2026-02-10T00:00:00Z" }, "BadUserInput", "paidAt"],
	])("%s: 400, and the invoice stays OPEN", async (_, body, code, message) => {
		const world = invoiceWorld();
		world.clock.at = instant("2026-02-20T00:00:00Z");
		const invoice = world.issue();
		expect(await paid(world, invoice.id, body)).toMatchObject({
			status: 400,
			body: { code, message: expect.stringContaining(message) },
		});
		expect((await world.call("GET", `/customers/cust-1/invoices/${invoice.id}`)).body.data).toMatchObject({
			state: "OPEN",
			paidDate: null,
		});
	});

	test("twice, or after it was canceled: 404 BillingInvoiceStatusError", async () => {
		const world = invoiceWorld();
		const [invoice, canceled] = [world.issue(), world.issue()];
		world.transactions.write(world.actor, (work) => cancelInvoice(work, canceled.id));
		expect((await paid(world, invoice.id)).status).toBe(200);
		for (const [id, state] of [
			[invoice.id, "PAID"],
			[canceled.id, "CANCELED"],
		] as const)
			expect(await paid(world, id)).toMatchObject({
				status: 404,
				body: { code: "BillingInvoiceStatusError", message: expect.stringContaining(`is ${state}`) },
			});
	});
});
