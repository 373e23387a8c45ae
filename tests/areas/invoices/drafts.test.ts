import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { checkContracts } from "../../../src/areas/contracts/billing/operations.check";
import { checkInvoices } from "../../../src/areas/invoices/operations.check";
import { checkRates } from "../../../src/areas/invoices/operations.check-rates";
import { runNextDue } from "../../../src/scheduler/sources";
import { withoutNotices } from "../../support/notices";
import { draftWorld, fee, items } from "../contracts/support";
import { flat, type Till, till, used } from "../subscriptions/billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

type Call = Pick<Till, "call">;

/** From now on what a billing cycle brings is a draft for so many days. */
async function graceOf(ours: Call, days: number | null, more: object = {}): Promise<void> {
	const { body } = await ours.call("GET", "/legal-entities");
	const { status } = await ours.call("PATCH", `/legal-entities/${body.data[0].id}`, {
		body: { invoiceGracePeriodDays: days, ...more },
	});
	expect(status).toBe(200);
}

const listOf = async ({ call }: Call, query = "", customer = "acme") =>
	(await call("GET", `/customers/${customer}/invoices?limit=100${query}`)).body.data;
const draftsOf = (ours: Call) => listOf(ours, "&stateIn=DRAFT");
const pathOf = ({ invoiceId }: { invoiceId: string }) => `/customers/acme/invoices/${invoiceId}`;

async function sold() {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	await graceOf(ours, 3, { netTerms: 10 });
	return ours;
}

const findings = (ours: Till) => ours.transactions.read(ours.actor, checkInvoices);

describe("the invoice of a renewal", () => {
	test("is a draft first, without number and dates, and is issued when its grace period ends", async () => {
		const ours = await sold();
		await ours.buy("pro");
		expect(await draftsOf(ours)).toEqual([]);
		await ours.use("calls", 5);
		await ours.call("POST", "/customers/acme/balance/entries", {
			body: { amount: 4, currency: "usd", reason: "Goodwill" },
		});
		await ours.advance("2026-02-02T00:00:00Z");
		const [draft] = await draftsOf(ours);
		expect(draft).toMatchObject({
			invoiceNumber: null,
			issueDate: null,
			dueDate: null,
			state: "DRAFT",
			total: 35,
			lineItems: [{ amount: 30 }, { amount: 5 }],
		});
		expect((await listOf(ours)).map(({ state }: { state: string }) => state)).toEqual(["OPEN"]);
		expect((await ours.call("GET", pathOf(draft))).body.data).toEqual({
			...draft,
			cashDiscount: null,
			warnings: [
				{ code: "ISSUER_ADDRESS_MISSING", message: expect.any(String) },
				{ code: "ISSUER_TAX_ID_MISSING", message: expect.any(String) },
			],
		});
		const [booked] = (await ours.call("GET", "/invoices?stateIn=DRAFT")).body.data;
		expect(booked).toMatchObject({ amountDue: 0, balanceApplied: 0, finalizeDate: "2026-02-04T00:00:00.000Z" });
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-02-10T00:00:00Z");
		expect(await draftsOf(ours)).toEqual([]);
		const [, issued] = await listOf(ours);
		expect(issued).toMatchObject({
			invoiceId: draft.invoiceId,
			invoiceNumber: "INV-000002",
			issueDate: "2026-02-04T00:00:00.000Z",
			dueDate: "2026-02-14T00:00:00.000Z",
			state: "OPEN",
			total: 35,
		});
		expect((await ours.call("GET", "/invoices?number=INV-000002")).body.data[0]).toMatchObject({
			balanceApplied: 4,
			amountDue: 31,
			finalizeDate: null,
		});
		expect(findings(ours)).toEqual([]);
	});

	test("is issued once, however often and late the scheduler runs, in the order of due times", async () => {
		const ours = await till("2026-01-01T00:00:00Z", "wall");
		withoutNotices(ours);
		await ours.plan("pro", [flat({ month: 30 })]);
		await graceOf(ours, 40);
		await ours.buy("pro", { billingInformation: { invoiceDaysUntilDue: 14 } });
		ours.clock.at = Date.parse("2026-05-05T00:00:00Z") as typeof ours.clock.at;
		const run = () => {
			const steps = [];
			for (;;) {
				// Undone halfway, as when the process is killed: the next one carries it out whole.
				expect(() =>
					ours.transactions.write(ours.actor, (work) => {
						runNextDue(work, ours.clock.at);
						throw new Error("killed");
					}),
				).toThrow("killed");
				const step = ours.transactions.write(ours.actor, (work) => runNextDue(work, ours.clock.at));
				if (!step) return steps;
				steps.push(Object.keys(step.subject).join());
			}
		};
		const one = ["subscriptionId", "subscriptionId", "invoiceId"];
		expect(run()).toEqual([...one, "subscriptionId", "invoiceId", "subscriptionId"]);
		expect(run()).toEqual([]);
		expect(await ours.books()).toEqual([
			"2026-01-01: 30 = pro 30",
			"2026-03-13: 30 = pro 30",
			"2026-04-10: 30 = pro 30",
		]);
		const dues = (await listOf(ours)).map(({ dueDate }: { dueDate: string }) => dueDate.slice(0, 10));
		expect(dues).toEqual(["2026-01-15", "2026-03-27", "2026-04-24"]);
		expect(await draftsOf(ours)).toHaveLength(2);
		expect(findings(ours)).toEqual([]);
	});

	test("is issued at once where there is no grace period, as are invoices of calls always", async () => {
		const ours = await sold();
		await graceOf(ours, null);
		await ours.buy("pro");
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toHaveLength(2);
		await graceOf(ours, 5);
		await ours.customer("other");
		await ours.buy("pro", { customerId: "other" });
		expect(await ours.books("other")).toHaveLength(1);
		expect(await ours.insist("GET", "/customers/acme/invoices?stateIn=DRAFT")).toEqual([]);
	});

	test("equals the preview of the next invoice", async () => {
		const ours = await sold();
		const id = await ours.buy("pro");
		const preview = async () =>
			(
				await ours.call("POST", "/graphql", {
					body: {
						query: `mutation { previewNextInvoice(input: {subscriptionId: "${id}"}) { total { amount } issueDate } }`,
					},
				})
			).body;
		const before = await preview();
		expect(before.data.previewNextInvoice.total.amount).toBe(30);
		await ours.advance("2026-02-02T00:00:00Z");
		expect((await preview()).data.previewNextInvoice.total.amount).toBe(30);
		expect(await draftsOf(ours)).toHaveLength(1);
	});
});

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

describe("a contract's invoices", () => {
	const year = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2027-02-01T00:00:00.000Z" };

	test("are drafts first, which the schedule shows, and issued each once", async () => {
		const here = await draftWorld();
		await graceOf(here, 10);
		await here.call("POST", items, { body: { items: [fee], ...year } });
		await here.call("POST", "/contracts/C-1/billing/publish");
		await here.advance("2026-03-05T00:00:00Z");
		const { body } = await here.call("GET", "/contracts/C-1/billing/invoice-schedule");
		expect(body.data).toMatchObject({ invoiceCount: 12, total: 1200 });
		const shown = body.data.invoices
			.slice(0, 3)
			.map((one: { state: string; invoiceNumber: string | null }) => [one.state, one.invoiceNumber]);
		expect(shown).toEqual([
			["OPEN", "INV-000001"],
			["DRAFT", null],
			["SCHEDULED", null],
		]);
		await here.advance("2027-06-01T00:00:00Z");
		const issued = await listOf(here);
		expect(issued).toHaveLength(12);
		expect(issued[0]).toMatchObject({
			issueDate: "2026-02-11T00:00:00.000Z",
			dueDate: "2026-03-13T00:00:00.000Z",
		});
		expect(here.transactions.read(here.actor, (work) => [...checkContracts(work), ...checkInvoices(work)])).toEqual([]);
	});

	test("are issued before an amendment credits them", async () => {
		const here = await draftWorld();
		await graceOf(here, 10);
		await here.call("POST", items, { body: { items: [fee], ...year } });
		await here.call("POST", "/contracts/C-1/billing/publish");
		await here.advance("2026-02-05T00:00:00Z");
		await here.call("POST", "/contracts/C-1/billing/edit-active", { body: { includeCurrentInvoice: true } });
		await here.call("PATCH", `${items}/fee`, { body: { rows: [{ price: 120 }] } });
		expect((await here.call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
		const totals = (await listOf(here, "&stateIn=DRAFT,OPEN,PAID")).map((one: { state: string; total: number }) => [
			one.state,
			one.total,
		]);
		expect(totals.toSorted()).toEqual([
			["DRAFT", 120],
			["PAID", 100],
		]);
		expect((await here.call("GET", "/customers/acme/credit-notes")).body.data[0].total).toBe(100);
		expect(here.transactions.read(here.actor, (work) => [...checkContracts(work), ...checkInvoices(work)])).toEqual([]);
	});
});

test("with a grace period everything totals the same as without", async () => {
	const act = fc.record({
		act: fc.constantFrom("pro", "max", "cancel", "use", "pay"),
		days: fc.integer({ min: 0, max: 25 }),
		prorates: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 6 }), fc.constantFrom(1, 9, 45), async (acts, days) => {
			const sums: number[][] = [];
			for (const grace of [null, days]) {
				const ours = await till("2026-01-31T00:00:00Z");
				for (const [id, price] of [
					["pro", 30],
					["max", 60],
				] as const)
					await ours.plan(id, [flat({ month: price }), used("calls", { month: 1 })]);
				await graceOf(ours, grace);
				await ours.buy("pro");
				let now = Date.parse("2026-01-31T00:00:00Z");
				for (const { act, days: later, prorates } of acts) {
					now += later * 86_400_000;
					await ours.advance(new Date(now).toISOString());
					const [running] = await ours.insist("GET", "/subscriptions?customerId=acme&status=ACTIVE");
					if (act === "use") await ours.use("calls", 3);
					else if (act === "pay" && running) await ours.call("POST", `/subscriptions/${running.id}/invoice/paid`);
					else if (act === "cancel" && running)
						await ours.cancel(running.id, { cancellationTime: "IMMEDIATE", prorate: prorates });
					else if (act === "pro" || act === "max") await ours.buy(act, { scheduleStrategy: "IMMEDIATE" });
				}
				await ours.advance("2026-12-15T00:00:00Z");
				for (const draft of await draftsOf(ours)) await ours.call("POST", `${pathOf(draft)}/finalize`);
				const total = (all: ReadonlyArray<{ total: number }>) =>
					all.reduce((sum, one) => sum + Math.round(one.total * 100), 0);
				const notes = (await ours.call("GET", "/customers/acme/credit-notes?limit=100")).body.data;
				sums.push([total(await listOf(ours)) - total(notes)]);
				expect(findings(ours)).toEqual([]);
				ours.db.$client.close();
			}
			expect(sums[1]).toEqual(sums[0] ?? []);
		}),
		{ numRuns: 6 },
	);
});
