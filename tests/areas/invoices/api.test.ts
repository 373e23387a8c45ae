import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createApp } from "../../../src/app";
import { cancelInvoice } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { documentRoutes } from "../../../src/areas/invoices/routes.pdf";
import { errors } from "../../../src/http/errors";
import { tasks } from "../../../src/tasks/table";
import { longText } from "../../support/world";
import { decimal, instant, line } from "./samples";
import { dayMs, invoiceWorld } from "./support";

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

describe("GET …/pdf/status", () => {
	test("reports PENDING for an invoice that was never rendered, and never starts a render", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		for (let poll = 0; poll < 3; poll += 1)
			expect(await world.status(invoice)).toMatchObject({
				status: 200,
				body: {
					data: {
						invoiceId: invoice.id,
						externalId: "cust-1",
						status: "PENDING",
						fileName: null,
						contentType: null,
						contentBase64: null,
					},
				},
			});
		expect(world.transactions.read(world.actor, (work) => work.tx.select().from(tasks).all())).toEqual([]);
		expect(world.woken).not.toContain("renderer");
	});

	test("a key that may only read invoices may ask", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answer = await world.call("GET", `/customers/cust-1/invoices/${invoice.id}/pdf/status`, {
			key: world.scopedKey("INVOICE:READ"),
		});
		expect(answer.status).toBe(200);
	});

	test("reads percent-encoded references, up to their last character", async () => {
		const world = invoiceWorld();
		const answer = await world.call("GET", `/customers/cust-1/invoices/${"%C3%A9".repeat(255)}/pdf/status`);
		expect(answer).toMatchObject({ status: 404, body: { code: "InvoiceNotFound" } });
		expect((await world.call("GET", `/customers/cust-1/invoices/${"%C3%A9".repeat(256)}/pdf/status`)).status).toBe(400);
	});
});

describe("POST …/pdf/generate", () => {
	test("queues one task, however many ask; the PDF is then there for both of the customer's ids", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, at) =>
				world.generate(invoice, at % 2 === 0 ? "cust-1" : world.customer.billingId),
			),
		);
		const taskIds = new Set<string>(answers.map(({ body }) => body.data.taskId));
		expect(taskIds.size).toBe(1);
		const [taskId = ""] = taskIds;
		expect(answers[0]).toMatchObject({
			status: 200,
			body: { data: { invoiceId: invoice.id, externalId: "cust-1", status: "PENDING", taskId } },
		});
		expect(answers[1]?.body.data.externalId).toBe(world.customer.billingId);
		expect(world.woken.filter((worker) => worker === "renderer")).toEqual(["renderer"]);

		await world.runRenderer();
		expect(await world.call("GET", `/tasks/${taskId}`)).toMatchObject({
			body: { data: { status: "COMPLETED", progress: 100 } },
		});
		const ready = await world.status(invoice, world.customer.billingId);
		expect(ready).toMatchObject({
			status: 200,
			body: {
				data: {
					invoiceId: invoice.id,
					externalId: world.customer.billingId,
					status: "READY",
					fileName: `${invoice.number}.pdf`,
					contentType: "application/pdf",
				},
			},
		});
		expect(Buffer.from(ready.body.data.contentBase64, "base64").subarray(0, 5).toString()).toBe("%PDF-");
		expect(await world.generate(invoice)).toMatchObject({ status: 200, body: { data: { status: "READY", taskId } } });
		expect(world.woken.filter((worker) => worker === "renderer")).toEqual(["renderer"]);
		// Nothing of it is seen, or queued, from elsewhere.
		expect((await world.status(invoice, "cust-2")).status).toBe(404);
	});

	test("a paid invoice is never served stale", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		await world.runRenderer();
		const before = (await world.status(invoice)).body.data.contentBase64;

		world.transactions.write(world.actor, (work) => markPaid(work, invoice.id, instant("2026-01-31T00:00:00Z")));
		expect((await world.status(invoice)).body.data).toMatchObject({ status: "PENDING", contentBase64: null });
		const creditOfLine = (await world.generate(invoice)).body.data;
		expect(creditOfLine.status).toBe("PENDING");
		expect(creditOfLine.taskId).not.toBe(taskId);
		await world.runRenderer();
		const after = (await world.status(invoice)).body.data.contentBase64;
		expect(after).toStartWith("JVBER");
		expect(after).not.toBe(before);
	});

	test("a change between asking and rendering is in the PDF", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		world.transactions.write(world.actor, (work) => cancelInvoice(work, invoice.id));
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
	});

	test("after its time to live the PDF is PENDING again until somebody asks", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		await world.runRenderer();
		world.clock.at = (world.clock.at + dayMs - 1) as typeof world.clock.at;
		expect((await world.status(invoice)).body.data.status).toBe("READY");
		world.clock.at = (world.clock.at + 1) as typeof world.clock.at;
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		expect((await world.generate(invoice)).body.data.status).toBe("PENDING");
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
	});

	test("a render that keeps failing is abandoned, and can be requested again", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		let attempts = 0;
		for (let round = 0; round < 10; round += 1) {
			await world.runRenderer(() => {
				attempts += 1;
				throw new Error("no ink");
			});
			world.clock.at = (world.clock.at + 60_000) as typeof world.clock.at;
		}
		expect(attempts).toBe(5);
		expect((await world.call("GET", `/tasks/${taskId}`)).body.data).toMatchObject({
			status: "FAILED",
			importErrors: [{ id: taskId, error: `Internal error; the log has more, under '${taskId}'.` }],
		});
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		const creditOfLine = (await world.generate(invoice)).body.data;
		expect(creditOfLine.taskId).not.toBe(taskId);
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
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

describe("GET …/pdf", () => {
	const file = (world: ReturnType<typeof invoiceWorld>, id: string) =>
		world.call("GET", `/customers/cust-1/invoices/${id}/pdf`, { key: world.scopedKey("INVOICE:READ") });

	test("has it made, waits, and answers the file itself", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answers = [file(world, invoice.id), file(world, invoice.id)];
		await Bun.sleep(30);
		expect(world.woken.filter((worker) => worker === "renderer")).toHaveLength(1);
		await world.runRenderer();
		for (const answer of await Promise.all(answers)) {
			expect(answer.status).toBe(200);
			expect(answer.headers.get("content-type")).toBe("application/pdf");
			expect(answer.headers.get("content-disposition")).toBe('inline; filename="INV-000001.pdf"');
			expect(answer.body).toStartWith("%PDF-");
		}
		// It is there now, and asks for nothing more.
		expect((await file(world, invoice.id)).status).toBe(200);
		expect(world.transactions.read(world.actor, (work) => work.tx.select().from(tasks).all())).toHaveLength(1);
	});

	test("holds nothing while it waits: others read and write", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answer = file(world, invoice.id);
		await Bun.sleep(20);
		expect(world.issue().number).toBe("INV-000002");
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		await world.runRenderer();
		expect((await answer).status).toBe(200);
	});

	test("the bytes are those that the status tells", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		await world.runRenderer();
		const response = await createApp(world.services).handle(
			new Request(`http://localhost/api/v1/customers/cust-1/invoices/${invoice.id}/pdf`, {
				headers: { "x-api-key": world.key },
			}),
		);
		const encoded = (await world.status(invoice)).body.data.contentBase64;
		expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(encoded);
	});

	test("500 once its render was abandoned: the client is not sent to poll for ever", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		const answer = file(world, invoice.id);
		for (let round = 0; round < 5; round += 1) {
			await world.runRenderer(() => {
				throw new Error("no ink");
			});
			world.clock.at = (world.clock.at + 60_000) as typeof world.clock.at;
		}
		expect(await answer).toMatchObject({ status: 500, body: { code: null, message: expect.stringContaining(taskId) } });
	});

	test.each(["2038-02-01T00:00:00Z", "9999-12-31T00:00:00Z"])("is there for an invoice of %s", async (at) => {
		const world = invoiceWorld();
		world.clock.at = instant(at);
		const invoice = world.issue({ issuedAt: instant(at), dueAt: instant(at) });
		await world.generate(invoice);
		await world.runRenderer();
		expect((await world.status(invoice)).body.data).toMatchObject({ status: "READY", fileName: "INV-000001.pdf" });
	});

	test("503 with Retry-After when it is not ready in time", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const app = new Elysia()
			.use(errors(world.services, () => false))
			.use(documentRoutes(world.services, { waitMsMax: 50, waitersMax: 2 }));
		await app.modules;
		const response = await app.handle(
			new Request(`http://localhost/api/v1/customers/cust-1/invoices/${invoice.id}/pdf`, {
				headers: { "x-api-key": world.key },
			}),
		);
		expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
		expect(await response.json()).toEqual({ code: null, message: expect.stringContaining("INV-000001 is not ready") });
	});
});
