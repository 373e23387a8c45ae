import { describe, expect, test } from "bun:test";
import { cancelInvoice } from "../../../../src/areas/invoices/operations";
import type { InvoiceRow } from "../../../../src/areas/invoices/table";
import { renderAsked } from "../../../support/process";
import { longText } from "../../../support/world";
import { decimal, instant, january, line } from "../samples";
import { invoiceWorld } from "../support";

type InvoiceWorld = ReturnType<typeof invoiceWorld>;

const unknownId = "019a0000-0000-7000-8000-00000000dead";

function laterWorld(): InvoiceWorld {
	const world = invoiceWorld();
	world.clock.at = instant("2026-02-20T12:00:00Z");
	return world;
}

const credit = (world: InvoiceWorld, { id }: InvoiceRow, body?: unknown, headers?: Record<string, string>) =>
	world.call("POST", `/customers/cust-1/invoices/${id}/credit-note`, {
		...(body === undefined ? {} : { body }),
		...(headers === undefined ? {} : { headers }),
	});

const all = async (world: InvoiceWorld) => (await world.call("GET", "/customers/cust-1/credit-notes")).body.data;

describe("POST …/credit-note", () => {
	test("credits all but usage, and answers the note, 201", async () => {
		const world = laterWorld();
		const invoice = world.issue({
			taxPercentage: decimal(10),
			period: january,
			lines: [
				line({ amount: decimal(100), discount: decimal(10), tax: decimal(9), productRefId: "app" }),
				line({ kind: "OverageCharge", description: "Overage", amount: decimal(7) }),
			],
		});
		const answer = await credit(world, invoice, { reasonCode: "WAIVER", issueDate: "2026-02-10T00:00:00Z" });
		const { creditNoteId } = answer.body.data;
		expect(answer).toMatchObject({ status: 201 });
		expect(answer.body).toEqual({
			data: {
				creditNoteId: expect.stringMatching(/^[0-9a-f-]{36}$/),
				creditNoteNumber: "CN-000001",
				customerExternalId: "cust-1",
				invoiceId: invoice.id,
				invoiceNumber: "INV-000001",
				reasonCode: "WAIVER",
				state: "ISSUED",
				issueDate: "2026-02-10T00:00:00.000Z",
				voidedDate: null,
				balanceAmount: 0,
				currency: "usd",
				subtotal: 100,
				discount: 10,
				tax: 9,
				taxConversion: null,
				missingExchangeRate: null,
				total: 99,
				lineItems: [{ description: "Growth plan", quantity: 1, unitPrice: 49, amount: 100, productExternalId: "app" }],
			},
		});
		for (const ref of ["cust-1", world.customer.billingId]) {
			expect((await world.call("GET", `/customers/${ref}/credit-notes/${creditNoteId}`)).body).toEqual(answer.body);
			expect((await world.call("GET", `/customers/${ref}/credit-notes`)).body).toEqual({
				data: [answer.body.data],
				pagination: { next: null, prev: null },
			});
		}
	});

	test.each([
		["no body", undefined],
		["an empty one", {}],
	])("with %s it is for an order change, now; the OPEN invoice is PAID", async (_, body) => {
		const world = laterWorld();
		const invoice = world.issue();
		expect(await credit(world, invoice, body)).toMatchObject({
			status: 201,
			body: { data: { reasonCode: "ORDER_CHANGE", issueDate: "2026-02-20T12:00:00.000Z", total: 49 } },
		});
		expect((await world.call("GET", `/customers/cust-1/invoices/${invoice.id}`)).body.data).toMatchObject({
			state: "PAID",
			paidDate: "2026-02-20T12:00:00.000Z",
			total: 49,
		});
	});

	test("under an Idempotency-Key it is issued once", async () => {
		const world = laterWorld();
		const invoice = world.issue();
		const [first, second] = [
			await credit(world, invoice, {}, { "idempotency-key": "k" }),
			await credit(world, invoice, {}, { "idempotency-key": "k" }),
		];
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(second.body).toEqual(first.body);
		expect(await all(world)).toHaveLength(1);
	});

	test("only one of two simultaneous requests succeeds", async () => {
		const world = laterWorld();
		const invoice = world.issue();
		const answers = await Promise.all(Array.from({ length: 16 }, () => credit(world, invoice)));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 15 }, () => 404)]);
		expect(await all(world)).toHaveLength(1);
	});

	const usageOnly = [
		line({ kind: "PayAsYouGoCharge" }),
		line({ kind: "MinimumSpendAdjustmentCharge", amount: decimal(-9) }),
	];
	const canceled = (world: InvoiceWorld): InvoiceRow => {
		const { id } = world.issue();
		return world.transactions.write(world.actor, (work) => cancelInvoice(work, id));
	};
	test.each<[string, (world: InvoiceWorld) => InvoiceRow, unknown, number, string, string]>([
		["an unknown reason", (world) => world.issue(), { reasonCode: "LATE" }, 400, "BadUserInput", "reasonCode"],
		["a reason in lower case", (world) => world.issue(), { reasonCode: "waiver" }, 400, "BadUserInput", "reasonCode"],
		["no reason", (world) => world.issue(), { reasonCode: null }, 400, "BadUserInput", "reasonCode"],
		["a date without a zone", (world) => world.issue(), { issueDate: "2026-02-10" }, 400, "BadUserInput", "issueDate"],
		["an amount in words", (world) => world.issue(), { amount: "five" }, 400, "BadUserInput", "amount"],
		[
			"the future",
			(world) => world.issue(),
			{ issueDate: "2026-02-20T12:00:00.001Z" },
			400,
			"InvalidArgumentError",
			"future",
		],
		[
			"before the issue",
			(world) => world.issue(),
			{ issueDate: "2026-01-31T23:59:59.999Z" },
			400,
			"InvalidArgumentError",
			"INV-000001",
		],
		["usage only", (world) => world.issue({ lines: usageOnly }), {}, 400, "InvalidArgumentError", "usage"],
		[
			"an invoice of nothing",
			(world) => world.issue({ lines: [] }),
			{},
			400,
			"InvalidArgumentError",
			"nothing to credit",
		],
		[
			"a credit",
			(world) => world.issue({ lines: [line({ amount: decimal(-5) })] }),
			{},
			400,
			"InvalidArgumentError",
			"nothing to credit",
		],
		["a CANCELED invoice", canceled, {}, 404, "BillingInvoiceStatusError", "CANCELED"],
	])("%s is refused, and takes no number", async (_, issue, body, status, code, message) => {
		const world = laterWorld();
		const answer = await credit(world, issue(world), body);
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect(await all(world)).toEqual([]);
		expect((await credit(world, world.issue())).body.data.creditNoteNumber).toBe("CN-000001");
	});

	test("twice: 404 BillingInvoiceStatusError that names the first", async () => {
		const world = laterWorld();
		const invoice = world.issue();
		await credit(world, invoice);
		expect(await credit(world, invoice)).toMatchObject({
			status: 404,
			body: { code: "BillingInvoiceStatusError", message: expect.stringContaining("CN-000001") },
		});
	});
});

describe.each(["", "/{note}", "/{note}/pdf"])("GET …/credit-notes%s refuses", (tail) => {
	const cases: ReadonlyArray<
		[string, (world: InvoiceWorld) => { customer?: string; key?: string; query?: string }, number, string, string]
	> = [
		["no key", () => ({ key: "" }), 401, "Unauthenticated", "X-API-KEY"],
		["an expired key", (world) => ({ key: world.expiredKey() }), 401, "Unauthenticated", ""],
		["a publishable key", (world) => ({ key: world.publishableKey }), 403, "IdentityForbidden", ""],
		[
			"a key without the scope",
			(world) => ({ key: world.scopedKey("CUSTOMER:WRITE") }),
			403,
			"AccessDeniedError",
			"INVOICE:READ",
		],
		["a bad customer id", () => ({ customer: "a%20b" }), 400, "BadUserInput", "id"],
		["a customer id that is too long", () => ({ customer: longText(256) }), 400, "BadUserInput", "id"],
		["an unknown parameter", () => ({ query: "?state=OPEN" }), 400, "BadUserInput", "state"],
		["an unknown customer", () => ({ customer: "nobody" }), 404, "CustomerNotFound", "nobody"],
	];
	test.each(cases)("%s", async (_, request, status, code, message) => {
		const world = laterWorld();
		const { creditNoteId } = (await credit(world, world.issue())).body.data;
		const { customer = "cust-1", key, query = "" } = request(world);
		const path = `/customers/${customer}/credit-notes${tail.replace("{note}", creditNoteId)}${query}`;
		const answer = await world.call("GET", path, key === undefined ? {} : { key });
		expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
		expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
	});

	if (tail === "") return;
	test.each<[string, (world: InvoiceWorld, id: string) => { path: string; key?: string }, number]>([
		["an unknown note", () => ({ path: `/customers/cust-1/credit-notes/${unknownId}` }), 404],
		["its number", () => ({ path: "/customers/cust-1/credit-notes/CN-000001" }), 404],
		["a note of another customer", (_, id) => ({ path: `/customers/cust-2/credit-notes/${id}` }), 404],
		[
			"another environment's",
			(world, id) => ({ path: `/customers/cust-1/credit-notes/${id}`, key: world.foreignKey }),
			404,
		],
		["a reference that is too long", () => ({ path: `/customers/cust-1/credit-notes/${longText(256)}` }), 400],
	])("%s", async (_, request, status) => {
		const world = laterWorld();
		const { creditNoteId } = (await credit(world, world.issue())).body.data;
		const { path, key } = request(world, creditNoteId);
		const answer = await world.call("GET", `${path}${tail.replace("/{note}", "")}`, key === undefined ? {} : { key });
		expect(answer).toMatchObject({ status, body: { code: status === 404 ? null : "BadUserInput" } });
	});
});

describe("GET …/credit-notes", () => {
	test("pages newest first, forward and back, without another customer's", async () => {
		const world = laterWorld();
		for (let count = 0; count < 5; count += 1) await credit(world, world.issue());
		const others = world.issue({ customerId: world.other.id });
		expect((await world.call("POST", `/customers/cust-2/invoices/${others.id}/credit-note`)).status).toBe(201);
		const page = async (query: string) => {
			const { data, pagination } = (await world.call("GET", `/customers/cust-1/credit-notes?limit=2${query}`)).body;
			return { ...pagination, numbers: data.map((one: { creditNoteNumber: string }) => one.creditNoteNumber) };
		};
		const first = await page("");
		expect(first).toMatchObject({ prev: null, numbers: ["CN-000005", "CN-000004"] });
		const second = await page(`&after=${first.next}`);
		expect(second.numbers).toEqual(["CN-000003", "CN-000002"]);
		expect(await page(`&after=${second.next}`)).toMatchObject({ next: null, numbers: ["CN-000001"] });
		expect(await page(`&before=${second.prev}`)).toMatchObject({ prev: null, numbers: first.numbers });
		const foreign = await world.call("GET", "/customers/cust-1/credit-notes", { key: world.foreignKey });
		expect(foreign.body).toEqual({ data: [], pagination: { next: null, prev: null } });
		const [othersNote] = (await world.call("GET", "/customers/cust-2/credit-notes")).body.data;
		expect(await world.call("GET", `/customers/cust-1/credit-notes?after=${othersNote.creditNoteId}`)).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining("unknown") },
		});
	});
});

test("GET …/credit-notes/{creditNoteRef}/pdf has it made once, waits, and answers the file itself", async () => {
	const world = laterWorld();
	const { creditNoteId } = (await credit(world, world.issue())).body.data;
	const file = () =>
		world.call("GET", `/customers/cust-1/credit-notes/${creditNoteId}/pdf`, { key: world.scopedKey("INVOICE:READ") });
	const answer = file();
	await renderAsked(world);
	expect(world.woken.filter((worker) => worker === "renderer")).toHaveLength(1);
	await world.runRenderer();
	const { status, headers, body } = await answer;
	expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
		200,
		"application/pdf",
		'inline; filename="CN-000001.pdf"',
	]);
	expect(body).toStartWith("%PDF-");
	expect((await file()).status).toBe(200);
	expect(world.woken.filter((worker) => worker === "renderer")).toHaveLength(1);
});
