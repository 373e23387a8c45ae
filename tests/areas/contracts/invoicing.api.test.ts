import { describe, expect, test } from "bun:test";
import { planNext } from "../../../src/areas/contracts/billing/operations.due";
import { reopenInvoice } from "../../../src/areas/contracts/billing/operations.reopen";
import { getContract } from "../../../src/areas/contracts/operations";
import { day, drafted, invoicesOf, publish, published, summaryOf, term } from "./invoicing";
import { draftWorld, fee, items, tiers } from "./support";

const schedule = "/contracts/C-1/billing/invoice-schedule";
const summary = "/contracts/C-1/billing/summary";

describe("the schedule", () => {
	test("shows what each cycle of a draft brings, and sums to the summary", async () => {
		const { call } = await drafted([{ ...fee, billingCycleUnit: "quarterly", discount: 10, tax: 20 }]);
		const { body } = await call("GET", schedule);
		expect(summaryOf(body.data.invoices)).toEqual([
			"2026-02-01 due 2026-03-03: 108",
			"2026-05-01 due 2026-05-31: 108",
			"2026-08-01 due 2026-08-31: 108",
			"2026-11-01 due 2026-12-01: 108",
		]);
		expect(body.data).toMatchObject({ isPreview: true, invoiceCount: 4, total: 432 });
		expect(body.data.invoices[0]).toEqual({
			invoiceId: null,
			invoiceNumber: null,
			state: "CONTRACT_DRAFT",
			issueDate: "2026-02-01T00:00:00.000Z",
			dueDate: "2026-03-03T00:00:00.000Z",
			periodStart: "2026-02-01T00:00:00.000Z",
			periodEnd: "2026-05-01T00:00:00.000Z",
			currency: "usd",
			subTotal: 100,
			discount: 10,
			tax: 18,
			total: 108,
			lineItems: [
				{
					itemId: expect.any(String),
					description: "Fee",
					quantity: 1,
					unitPrice: 100,
					amount: 100,
					discount: 10,
					tax: 18,
					total: 108,
					periodStart: "2026-02-01T00:00:00.000Z",
					periodEnd: "2026-05-01T00:00:00.000Z",
				},
			],
		});
		expect((await call("GET", summary)).body.data.total).toBe(432);
		const first = (await call("GET", `${schedule}?count=1`)).body.data;
		expect([first.invoices.length, first.invoiceCount, first.total]).toEqual([1, 4, 432]);
	});

	test.each([
		["another cadence", { billingCycleUnit: "quarterly" }],
		["another count", { billingCycleCount: 2 }],
		["another payment time", { paymentTime: "IN_ARREARS" }],
		["other net terms", { netTerms: 14 }],
		["a separate invoice", { separateInvoice: true }],
	])("a line with %s stands on an invoice of its own", async (_, values) => {
		const { call } = await drafted([fee, { ...fee, externalId: "other", ...values }]);
		const { invoices } = (await call("GET", schedule)).body.data;
		for (const { lineItems } of invoices) expect(lineItems).toHaveLength(1);
	});

	test("lines that agree stand on one", async () => {
		const { call } = await drafted([fee, { ...fee, externalId: "other", rows: tiers, pricingModelId: "tiered" }]);
		const { invoices } = (await call("GET", schedule)).body.data;
		expect(invoices).toHaveLength(12);
		for (const { lineItems, total } of invoices) expect([lineItems.length, total]).toEqual([2, 690]);
	});

	test("in arrears is dated at the instant a cycle ends; months that end on the 31st never drift", async () => {
		const window = { activationStartDate: "2026-03-31T00:00:00Z", activationEndDate: "2026-08-31T00:00:00Z" };
		const lines = [fee, { ...fee, externalId: "later", paymentTime: "IN_ARREARS", netTerms: 0 }];
		const { call } = await drafted(lines, window);
		const dates = (await call("GET", schedule)).body.data.invoices.map(
			({ issueDate, lineItems }: { issueDate: string; lineItems: object[] }) => `${day(issueDate)} ${lineItems.length}`,
		);
		expect(dates).toEqual([
			"2026-03-31 1",
			...["2026-04-30 1", "2026-04-30 1"],
			...["2026-05-31 1", "2026-05-31 1"],
			...["2026-06-30 1", "2026-06-30 1"],
			...["2026-07-31 1", "2026-07-31 1"],
			"2026-08-31 1",
		]);
	});

	test.each([
		["whole", {}, [100, 100, 100], 300],
		["by its time where the item says so", { prorateCutCycles: true }, [100, 100, 46.67], 246.67],
	])("a cycle that the window cuts short counts %s", async (_, values, amounts, total) => {
		const window = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2026-04-15T00:00:00Z" };
		const { call } = await drafted([{ ...fee, ...values }], window);
		const { invoices } = (await call("GET", schedule)).body.data;
		expect(invoices.map((invoice: { total: number }) => invoice.total)).toEqual(amounts);
		expect(invoices[2]).toMatchObject({ periodEnd: "2026-04-15T00:00:00.000Z" });
		expect((await call("GET", summary)).body.data.total).toBe(total);
	});

	test("a ramp: items with windows of their own, the cycles of one that begins later with the others'", async () => {
		const own = (from: string, to: string) => ({ activationStartDate: from, activationEndDate: to });
		const { call } = await drafted([
			{ ...fee, externalId: "one", ...own("2026-02-01T00:00:00Z", "2026-08-01T00:00:00Z") },
			{ ...fee, externalId: "two", rows: [{ price: 120 }], ...own("2026-08-01T00:00:00Z", "2027-02-01T00:00:00Z") },
			{
				...fee,
				externalId: "cut",
				rows: [{ price: 31 }],
				prorateCutCycles: true,
				...own("2026-12-16T00:00:00Z", "2027-01-16T00:00:00Z"),
			},
		]);
		const { invoices } = (await call("GET", schedule)).body.data;
		expect(summaryOf(invoices).map((line: string) => line.replace(/ due.*:/, ""))).toEqual([
			...["2026-02-01 100", "2026-03-01 100", "2026-04-01 100", "2026-05-01 100", "2026-06-01 100", "2026-07-01 100"],
			...["2026-08-01 120", "2026-09-01 120", "2026-10-01 120", "2026-11-01 120", "2026-12-01 120"],
			...["2026-12-16 16", "2027-01-01 135"],
		]);
		expect((await call("GET", summary)).body.data).toMatchObject({ total: 1351, activationStartDate: null });
	});

	test.each([
		["a count of nothing", `${schedule}?count=0`, 400, "BadUserInput"],
		["a count too large", `${schedule}?count=1001`, 400, "BadUserInput"],
		["an unknown key", `${schedule}?limit=2`, 400, "BadUserInput"],
		["an unknown contract", "/contracts/C-2/billing/invoice-schedule", 404, "ContractNotFound"],
	])("%s", async (_, path, status, code) => {
		const { call, foreignKey } = await draftWorld();
		expect(await call("GET", path)).toMatchObject({ status, body: { code } });
		expect((await call("GET", schedule, { key: foreignKey })).status).toBe(404);
	});

	test("is refused where there is no billing, and where it would be longer than anybody reads", async () => {
		const { call } = await draftWorld({ setupBilling: false });
		expect((await call("GET", schedule)).body.reason).toBe("BILLING_NOT_SET_UP");
		const here = await draftWorld();
		const weekly = { ...fee, billingCycleUnit: "weekly" };
		const centuries = { activationStartDate: "2026-01-01T00:00:00Z", activationEndDate: "2526-01-01T00:00:00Z" };
		expect(await here.call("POST", items, { body: { items: [weekly], ...centuries } })).toMatchObject({
			status: 400,
			body: { reason: "TOO_MANY_CYCLES" },
		});
	});
});

describe("the next invoice", () => {
	const next = "/contracts/C-1/billing/next-invoice";

	test("is the schedule's first upcoming one for a live contract; null once none is left", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }]);
		await here.advance("2026-03-01T00:00:00Z");
		const { invoices } = (await here.call("GET", schedule)).body.data;
		expect((await here.call("GET", next)).body.data).toEqual(invoices[1]);
		await here.advance("2027-03-01T00:00:00Z");
		expect((await here.call("GET", next)).body).toEqual({ data: null });
	});

	test("does not exist for a draft, and the error names the schedule instead", async () => {
		const { call } = await drafted([fee]);
		expect(await call("GET", next)).toMatchObject({
			status: 400,
			body: {
				code: "InvoicePreviewNotAvailableForDraftContract",
				message: expect.stringContaining("/billing/invoice-schedule"),
			},
		});
	});
});

describe("publishing", () => {
	test("issues what is due, and the rest when its time comes, each cycle once", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }]);
		expect(await invoicesOf(here)).toEqual([]);
		const before = (await here.call("GET", schedule)).body.data;
		expect(before).toMatchObject({ isPreview: false, invoiceCount: 4, total: 400 });
		await here.advance("2026-02-01T00:00:00Z");
		await here.advance("2026-06-15T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual([
			"2026-02-01 due 2026-03-03: 100",
			"2026-05-01 due 2026-05-31: 100",
		]);
		const half = (await here.call("GET", schedule)).body.data;
		expect(summaryOf(half.invoices)).toEqual(summaryOf(before.invoices));
		expect(half.invoices.map(({ state }: { state: string }) => state)).toEqual([
			"OPEN",
			"OPEN",
			"SCHEDULED",
			"SCHEDULED",
		]);
		const { data } = (await here.call("GET", "/contracts/C-1")).body;
		expect(data).toMatchObject({
			billingState: "ACTIVE",
			latestInvoice: { status: "OPEN", total: 100, amountDue: 100, billingReason: "BILLING_CYCLE" },
			nextInvoice: {
				amount: { amount: 100, currency: "usd" },
				dueDate: "2026-08-31T00:00:00.000Z",
				periodStart: "2026-08-01T00:00:00.000Z",
				periodEnd: "2026-11-01T00:00:00.000Z",
			},
		});
		await here.advance("2028-01-01T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual(summaryOf(before.invoices));
		for (const { contractExternalId } of await invoicesOf(here)) expect(contractExternalId).toBe("C-1");
		const ended = (await here.call("GET", "/contracts/C-1")).body.data;
		expect(ended).toMatchObject({ billingState: "END_BILLING", nextInvoice: null });
		expect((await here.call("GET", summary)).body.data.total).toBe(400);
	});

	test("issues invoices that were due before at once and dated now, one for each period, with numbers and dates in the same order", async () => {
		const window = { activationStartDate: "2025-11-01T00:00:00Z", activationEndDate: "2026-05-01T00:00:00Z" };
		const here = await drafted([fee], window);
		const preview = (await here.call("GET", schedule)).body.data.invoices;
		await here.call("POST", publish);
		const now = await invoicesOf(here);
		expect(summaryOf(now)).toEqual(Array(3).fill("2026-01-31 due 2026-03-02: 100"));
		await here.advance("2026-06-01T00:00:00Z");
		const all = await invoicesOf(here);
		expect(summaryOf(all)).toEqual(summaryOf(preview));
		expect(all.map(({ invoiceNumber }) => invoiceNumber)).toEqual(
			all.map((_, at) => `INV-${String(at + 1).padStart(6, "0")}`),
		);
	});

	test("many periods of the past are issued by the call and the sweep, each once", async () => {
		const window = { activationStartDate: "2020-01-01T00:00:00Z", activationEndDate: "2026-02-01T00:00:00Z" };
		const here = await published([{ ...fee, billingCycleUnit: "weekly" }], window);
		expect(here.woken).toContain("scheduler");
		await here.advance("2026-01-31T00:00:00Z");
		const { data } = (await here.call("GET", schedule)).body;
		expect(data.invoiceCount).toBe(318);
		const periods = data.invoices.map(({ periodStart }: { periodStart: string }) => periodStart);
		expect(new Set(periods).size).toBe(318);
		expect(data.invoices.filter(({ state }: { state: string }) => state === "SCHEDULED")).toEqual([]);
	});

	test("an item without rows makes no invoice and stands in no schedule, one that is free does", async () => {
		const here = await published([
			{ ...fee, rows: [] },
			{ ...fee, externalId: "free", rows: [{ price: 0 }], billingCycleUnit: "one_time" },
		]);
		const { invoices } = (await here.call("GET", schedule)).body.data;
		expect(summaryOf(invoices)).toEqual(["2026-02-01 due 2026-03-03: 0"]);
		await here.advance("2027-03-01T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual(summaryOf(invoices));
		expect((await here.call("GET", "/contracts/C-1")).body.data.billingState).toBe("END_BILLING");
	});
});

describe("publishing with dryRun", () => {
	const dryRun = `${publish}?dryRun=true`;

	test("tells what would be issued and what follows, and changes nothing", async () => {
		const window = { activationStartDate: "2025-12-01T00:00:00Z", activationEndDate: "2026-12-01T00:00:00Z" };
		const here = await drafted(
			[
				{ ...fee, discount: 10 },
				{ ...fee, externalId: "none", rows: [] },
			],
			window,
		);
		const { status, body } = await here.call("POST", dryRun);
		expect(status).toBe(200);
		expect(body.data).toEqual({
			contractId: "C-1",
			isAmendment: false,
			totalBefore: null,
			totalAfter: 1080,
			items: [
				{ itemId: expect.any(String), name: "Fee", change: "ADDED", totalBefore: null, totalAfter: 1080 },
				{ itemId: expect.any(String), name: "Fee", change: "ADDED", totalBefore: null, totalAfter: 0 },
			],
			invoicesNow: [expect.anything(), expect.anything()],
			laterCount: 10,
			laterTotal: 900,
			creditedNow: 0,
		});
		expect(summaryOf(body.data.invoicesNow)).toEqual(Array(2).fill("2026-01-31 due 2026-03-02: 90"));
		expect((await here.call("GET", "/contracts/C-1")).body.data.billingState).toBe("DRAFT");
		expect(await invoicesOf(here)).toEqual([]);
		const shown = body.data.invoicesNow.map(({ lineItems }: { lineItems: object[] }) => lineItems.length);
		expect(shown).toEqual([1, 1]);
		await here.call("POST", publish);
		expect(summaryOf(await invoicesOf(here))).toEqual(summaryOf(body.data.invoicesNow));
	});

	test.each([
		["a word for a boolean", `${publish}?dryRun=yes`, 400, "BadUserInput"],
		["an unknown key", `${publish}?dry=true`, 400, "BadUserInput"],
		["an unknown contract", "/contracts/C-9/billing/publish?dryRun=true", 404, "ContractNotFound"],
		["what publishing refuses", dryRun, 400, "BillingContractOperationRejected"],
	])("%s is refused", async (_, path, status, code) => {
		const { call } = await draftWorld();
		expect(await call("POST", path)).toMatchObject({ status, body: { code } });
	});

	test("is nothing for a key that may only read, and refused of what is live", async () => {
		const here = await published([fee]);
		expect((await here.call("POST", dryRun, { key: here.scopedKey("CONTRACT:READ") })).status).toBe(403);
		expect((await here.call("POST", dryRun)).body.reason).toBe("CONTRACT_NOT_DRAFT");
	});
});

describe("net terms", () => {
	test("are the item's, else what its legal entity has by default; where neither says, publishing is refused", async () => {
		const bare = { ...fee, netTerms: null };
		const here = await drafted([bare, { ...fee, externalId: "own", netTerms: 5 }]);
		expect((await here.call("POST", publish)).body.reason).toBe("NET_TERMS_MISSING");
		const [entity] = (await here.call("GET", "/contracts/legal-entities")).body.data;
		await here.call("PATCH", `/legal-entities/${entity.id}`, { body: { netTerms: 21 } });
		expect((await here.call("POST", publish)).status).toBe(200);
		await here.advance("2026-02-01T00:00:00Z");
		expect(summaryOf(await invoicesOf(here)).sort()).toEqual([
			"2026-02-01 due 2026-02-06: 100",
			"2026-02-01 due 2026-02-22: 100",
		]);
	});
});

describe("invoices that cannot be issued", () => {
	test("show as the contract's problem, hold up no other contract, and are issued once, when possible", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }]);
		here.subscribe({ planId: "platform", id: "sub-other", customerId: "other" });
		const other = { contractId: "C-2", customerId: "other", subscriptions: [{ existingSubscriptionId: "sub-other" }] };
		await here.call("POST", "/contracts", { body: other });
		await here.call("POST", "/contracts/C-2/billing/items", { body: { items: [fee], ...term } });
		await here.call("POST", "/contracts/C-2/billing/publish");
		const refuse =
			"CREATE TRIGGER refuse BEFORE INSERT ON invoices WHEN new.contract_ref_id = 'C-1' BEGIN SELECT raise(ABORT, 'no'); END";
		here.db.$client.run(refuse);
		const turned = await here.advance("2026-02-02T00:00:00Z");
		expect(turned.failures?.[0]).toMatchObject({ contractId: "C-1" });
		const { problem } = (await here.call("GET", "/contracts/C-1")).body.data;
		expect(problem).toMatchObject({ step: "ISSUE", dueDate: "2026-02-01T00:00:00.000Z", code: null });
		expect(problem.attempts).toBeGreaterThan(0);
		expect((await here.call("GET", "/customers/other/invoices")).body.data).toHaveLength(1);
		expect(await invoicesOf(here)).toEqual([]);
		here.db.$client.run("DROP TRIGGER refuse");
		await here.advance("2026-02-03T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual(["2026-02-01 due 2026-03-03: 100"]);
		expect((await here.call("GET", "/contracts/C-1")).body.data).not.toHaveProperty("problem");
	});
});

describe("opening the cycles of an invoice again", () => {
	test("issues them again by the items as they are then; an invoice before the newest cannot be opened", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }]);
		await here.advance("2026-05-01T00:00:00Z");
		const ids = here.db.$client.query<{ id: string }, []>("SELECT id FROM invoices ORDER BY sequence").all();
		const reopen = (at: number) =>
			here.transactions.write(here.actor, (work) => {
				const contract = getContract(work, "C-1");
				reopenInvoice(work, contract, ids[at]?.id ?? "");
				planNext(work, contract);
			});
		expect(() => reopen(0)).toThrow("A later cycle of the line item 'Fee' is invoiced already");
		reopen(1);
		here.db.$client.run("UPDATE contract_items SET tax = '10'");
		await here.advance("2026-05-02T00:00:00Z");
		expect(summaryOf(await invoicesOf(here)).map((line) => line.replace(/ due.*:/, ""))).toEqual([
			...["2026-02-01 100", "2026-05-01 100", "2026-05-01 110"],
		]);
		expect((await here.call("GET", summary)).body.data.total).toBe(430);
	});
});
