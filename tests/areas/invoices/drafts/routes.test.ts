import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { flat, till } from "../../subscriptions/billing";
import { draftsOf, findings, graceOf, listOf, pathOf, sold } from "./draft-invoices";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("a draft", () => {
	test("gets lines by hand and loses them again; what was sold stays on it", async () => {
		const ours = await sold();
		await ours.buy("pro", { billingInformation: { taxPercentage: 20 } });
		await ours.advance("2026-02-02T00:00:00Z");
		const [draft] = await draftsOf(ours);
		const path = pathOf(draft);
		const add = (body: object) => ours.call("POST", `${path}/lines`, { body });
		const first = await add({ description: "Workshop", quantity: 1.5, unit: "days", unitPrice: 33.33 });
		expect(first).toMatchObject({ status: 201, body: { data: { subtotal: 80, tax: 16, total: 96 } } });
		await add({ description: "Goodwill", unitPrice: -5, taxPercentage: null });
		const { body } = await ours.call("DELETE", `${path}/lines/2`);
		expect(body.data).toMatchObject({
			total: 31,
			tax: 6,
			lineItems: [{ description: "pro" }, { description: "Goodwill", amount: -5 }],
		});
		const refused = await ours.call("DELETE", `${path}/lines/1`);
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect((await ours.call("DELETE", `${path}/lines/3`)).status).toBe(400);
		const tooMuch = await add({ description: "Goodwill", unitPrice: -31.01, taxPercentage: null });
		expect(tooMuch).toMatchObject({ status: 400, body: { code: "InvalidArgumentError" } });
		expect((await draftsOf(ours))[0].total).toBe(31);
		const explained = await ours.call("GET", `${path}/lines/1/explain`);
		expect(explained.status).toBe(200);
		const { body: issued } = await ours.call("POST", `${path}/finalize`);
		expect(issued.data).toMatchObject({
			invoiceNumber: "INV-000002",
			state: "OPEN",
			total: 31,
			issueDate: "2026-02-02T00:00:00.000Z",
			dueDate: "2026-02-12T00:00:00.000Z",
		});
		for (const late of [
			await ours.call("POST", `${path}/finalize`),
			await add({ description: "Late", unitPrice: 1 }),
			await ours.call("DELETE", `${path}/lines/2`),
		])
			expect(late).toMatchObject({ status: 404, body: { code: "BillingInvoiceStatusError" } });
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-02-20T00:00:00Z");
		expect(await listOf(ours)).toHaveLength(2);
	});

	test("is neither paid nor credited, and is no latest invoice", async () => {
		const ours = await sold();
		const id = await ours.buy("pro");
		await ours.advance("2026-02-02T00:00:00Z");
		const [draft] = await draftsOf(ours);
		for (const [path, body] of [
			["paid", {}],
			["payments", { amount: 1 }],
			["credit-note", {}],
			["credit-note", { amount: 1 }],
		] as const)
			expect(await ours.call("POST", `${pathOf(draft)}/${path}`, { body })).toMatchObject({
				status: 404,
				body: { code: "BillingInvoiceStatusError", message: expect.stringContaining("finalize") },
			});
		const { latestInvoice } = await ours.insist("GET", `/subscriptions/${id}`);
		expect(latestInvoice.billingId).not.toBe(draft.invoiceId);
	});

	test("is issued to the customer and by the issuer as they are then", async () => {
		const ours = await sold();
		await ours.buy("pro");
		await ours.advance("2026-02-02T00:00:00Z");
		await ours.insist("PATCH", "/customers/acme", { name: "Acme Renamed" });
		await ours.advance("2026-02-05T00:00:00Z");
		const { data } = (await ours.call("GET", "/invoices?number=INV-000002")).body;
		expect(data[0].customerName).toBe("Acme Renamed");
	});

	test("is lowered by credits of its charges, which later credits know", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("max", [flat({ month: 60 })]);
		await ours.plan("pro", [flat({ month: 30 })]);
		await graceOf(ours, 20);
		await ours.buy("max");
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await draftsOf(ours))[0].total).toBe(60);
		await ours.advance("2026-05-16T12:00:00Z");
		const id = (await ours.insist("GET", "/subscriptions?customerId=acme"))[0].id;
		await ours.buy("pro", { scheduleStrategy: "IMMEDIATE" });
		const [draft] = await draftsOf(ours);
		expect(draft.total).toBe(45);
		expect(await ours.insist("GET", "/customers/acme/credit-notes")).toEqual([]);
		const { data } = (await ours.call("POST", `${pathOf(draft)}/finalize`)).body;
		expect(data).toMatchObject({ total: 45, state: "OPEN" });
		const part = { lines: [{ line: 1 }] };
		const { body } = await ours.call("POST", `${pathOf(draft)}/credit-note`, { body: part });
		expect(body.data.total).toBe(30);
		expect(id).toBeString();
		expect(findings(ours)).toEqual([]);
	});

	test("takes a part of a proration up to its total, and the check accepts that part", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("max", [flat({ month: 60 })]);
		await graceOf(ours, 20);
		const id = await ours.buy("max");
		await ours.advance("2026-05-01T00:00:00Z");
		const [draft] = await draftsOf(ours);
		await ours.call("POST", `${pathOf(draft)}/lines`, { body: { description: "Goodwill", unitPrice: -30 } });
		// Three quarters of May are unused: 45, of which the draft takes the 30 that are left of it.
		await ours.advance("2026-05-08T18:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
		const { data } = (await ours.call("POST", `${pathOf(draft)}/finalize`)).body;
		expect(data.lineItems.map(({ amount }: { amount: number }) => amount)).toEqual([60, -30, -30]);
		expect(data).toMatchObject({ total: 0, state: "PAID" });
		expect(await ours.insist("GET", "/customers/acme/balance")).toMatchObject([{ amount: 15 }]);
		expect(ours.transactions.read(ours.actor, (work) => [...checkRates(work)])).toEqual([]);
	});

	test("in another environment, or a request with unknown fields, is refused", async () => {
		const ours = await sold();
		await ours.buy("pro");
		await ours.advance("2026-02-02T00:00:00Z");
		const [draft] = await draftsOf(ours);
		const path = pathOf(draft);
		for (const body of [
			{},
			{ description: "", unitPrice: 1 },
			{ description: "a".repeat(501), unitPrice: 1 },
			{ description: "a", unitPrice: "one" },
			{ description: "a", unitPrice: 1, quantity: -1 },
			{ description: "a", unitPrice: 1, taxPercentage: 101 },
			{ description: "a", unitPrice: 1, amount: 1 },
		])
			expect((await ours.call("POST", `${path}/lines`, { body })).status).toBe(400);
		for (const line of ["0", "x", "-1", "99999"])
			expect((await ours.call("DELETE", `${path}/lines/${line}`)).status).toBe(400);
		const theirs = await ours.call("POST", `${path}/finalize`, { key: ours.foreignKey });
		expect(theirs.status).toBe(404);
		expect((await ours.call("POST", "/customers/acme/invoices/none/finalize")).body.code).toBe("InvoiceNotFound");
	});

	test("is shown by GraphQL, which changes it as well", async () => {
		const ours = await sold();
		await ours.buy("pro");
		await ours.advance("2026-02-02T00:00:00Z");
		const [{ invoiceId }] = await draftsOf(ours);
		const ask = async (query: string) => (await ours.call("POST", "/graphql", { body: { query } })).body.data;
		const of = `customerId: "acme", invoiceId: "${invoiceId}"`;
		const shown = "{ number status issueDate total { amount } lines { description } }";
		expect(
			await ask(`mutation { addInvoiceLine(input: {${of}, description: "Workshop", unitPrice: 10}) ${shown} }`),
		).toMatchObject({ addInvoiceLine: { number: null, status: "DRAFT", issueDate: null, total: { amount: 40 } } });
		expect(await ask(`mutation { removeInvoiceLine(input: {${of}, line: 2}) ${shown} }`)).toMatchObject({
			removeInvoiceLine: { total: { amount: 30 } },
		});
		const list = `{ invoices(input: {customerId: "acme", statusIn: [DRAFT]}) { edges { node { finalizeDate } } } }`;
		expect((await ask(list)).invoices.edges).toEqual([{ node: { finalizeDate: "2026-02-04T00:00:00.000Z" } }]);
		expect(await ask(`mutation { finalizeInvoice(input: {${of}}) ${shown} }`)).toMatchObject({
			finalizeInvoice: { number: "INV-000002", status: "OPEN" },
		});
	});
});
