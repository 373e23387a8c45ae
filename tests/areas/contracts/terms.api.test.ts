import { describe, expect, test } from "bun:test";
import { longText } from "../../support/world";
import { billedWorld, draftWorld, fee, items, seats, year } from "./support";

const terms = "/contracts/C-1/billing/terms";
const settings = "/contracts/C-1/billing/settings";

describe("PATCH /contracts/{id}/billing/terms", () => {
	test("overwrites the terms of every line, and the contract's window; of a date the day is kept", async () => {
		const { call } = await billedWorld();
		const { status, body } = await call("PATCH", terms, {
			body: {
				activationStartDate: "2026-02-01T09:30:00Z",
				activationEndDate: "2026-08-01T01:00:00+02:00",
				currency: "eur",
				netTerms: 45,
			},
		});
		expect(status).toBe(200);
		const window = {
			activationStartDate: "2026-02-01T00:00:00.000Z",
			activationEndDate: "2026-07-31T00:00:00.000Z",
		};
		// Six months at 100 less 10 percent plus 20, and the seats.
		expect(body.data).toMatchObject({ ...window, currency: "eur", netTerms: 45, total: 648 + 590 });
		expect((await call("GET", "/contracts/C-1")).body.data).toMatchObject(window);
		expect((await call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
	});

	test("an amendment that would replace an invoice keeps its paid time once the invoiced cycle is over", async () => {
		const { call, advance } = await draftWorld(year);
		const yearly = { ...fee, billingCycleUnit: "yearly", activationEndDate: "2026-02-20T00:00:00.000Z" };
		await call("POST", items, { body: { items: [yearly], ...year } });
		expect((await call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
		await call("POST", "/contracts/C-1/billing/edit-active", { body: { includeCurrentInvoice: true } });
		const { status } = await call("PATCH", terms, { body: { activationEndDate: "2026-11-17T00:00:00.000Z" } });
		expect(status).toBe(200);
		// The cycle until 20 February was charged as a whole year, so the later end within that year costs nothing.
		const total = async () => (await call("GET", "/contracts/C-1/billing/summary")).body.data.total;
		expect(await total()).toBe(100);
		await advance("2026-03-01T00:00:00.000Z");
		expect(await total()).toBe(100);
		expect((await call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
		expect((await call("GET", "/contracts/C-1/billing/credit-notes")).body.data).toEqual([]);
		const { invoices } = (await call("GET", "/contracts/C-1/billing/invoice-schedule")).body.data;
		expect(invoices.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber)).toEqual(["INV-000001"]);
	});

	test("keeps omitted terms, on each line as they were", async () => {
		const { call } = await draftWorld(year);
		await call("POST", items, { body: { items: [fee], ...year } });
		await call("POST", items, {
			body: { items: [{ ...seats, netTerms: 10 }], activationEndDate: "2026-07-01T00:00:00.000Z" },
		});
		const { data } = (await call("PATCH", terms, { body: { activationStartDate: "2026-03-01T00:00:00Z" } })).body;
		expect(data).toMatchObject({
			activationStartDate: "2026-03-01T00:00:00.000Z",
			activationEndDate: null,
			netTerms: null,
			total: 1000 + 590,
		});
	});

	test("a start is that of all lines, and their cycles begin there, also of one that began later than the others", async () => {
		const { call } = await draftWorld(year);
		const later = { ...fee, externalId: "later", name: "Later", activationStartDate: "2026-01-20T00:00:00Z" };
		await call("POST", items, { body: { items: [fee, later], ...year } });
		const datesOf = async () => {
			const { data } = (await call("GET", "/contracts/C-1/billing/invoice-schedule?count=3")).body;
			return data.invoices.map(({ periodStart, total }: { periodStart: string; total: number }) => [
				periodStart.slice(0, 10),
				total,
			]);
		};
		expect(await datesOf()).toEqual([
			["2026-01-01", 100],
			["2026-01-20", 100],
			["2026-02-01", 200],
		]);
		await call("PATCH", terms, { body: { activationStartDate: "2026-02-10T00:00:00Z" } });
		expect(await datesOf()).toEqual([
			["2026-02-10", 200],
			["2026-03-10", 200],
			["2026-04-10", 200],
		]);
	});

	test("terms by which more would be invoiced than anybody reads are refused, and change nothing", async () => {
		const { call } = await draftWorld(year);
		const { body } = await call("POST", items, { body: { items: [{ ...fee, billingCycleUnit: "weekly" }], ...year } });
		const refused = await call("PATCH", terms, { body: { activationEndDate: "2626-01-01T00:00:00Z" } });
		expect([refused.status, refused.body.code, refused.body.reason]).toEqual([
			400,
			"BillingContractOperationRejected",
			"TOO_MANY_CYCLES",
		]);
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(body.data);
	});

	test.each([
		["nothing", {}, "BadUserInput", undefined],
		["an unknown key", { netTerm: 5 }, "BadUserInput", undefined],
		["days below zero", { netTerms: -1 }, "BadUserInput", undefined],
		["null for days", { netTerms: null }, "BadUserInput", undefined],
		["a currency in capitals", { currency: "EUR" }, "BadUserInput", undefined],
		["an end before a line's start", { activationEndDate: "2025-01-01T00:00:00Z" }, "BadUserInput", undefined],
	])("%s is refused, and changes nothing", async (_, body, code, reason) => {
		const { call, totals } = await billedWorld();
		const answer = await call("PATCH", terms, { body });
		expect(answer.status).toBe(400);
		expect([answer.body.code, answer.body.reason]).toEqual([code, reason]);
		expect((await call("GET", "/contracts/C-1/billing/summary")).body.data).toEqual(totals);
	});
});

describe("PATCH /contracts/{id}/billing/settings", () => {
	test("names the issuer and the account on every line", async () => {
		const { call, totals } = await billedWorld();
		const [entity] = (await call("GET", "/contracts/legal-entities")).body.data;
		const [account] = entity.paymentAccounts;
		const { status, body } = await call("PATCH", settings, {
			body: { legalEntityId: entity.id, paymentAccountId: account.id, note: "Quote PO-7." },
		});
		expect(status).toBe(200);
		expect(body.data).toEqual(totals);
	});

	test("an issuer or an account that is not there is refused by name, whatever the other is", async () => {
		const { call } = await billedWorld();
		const [entity] = (await call("GET", "/contracts/legal-entities")).body.data;
		for (const [body, reason] of [
			[{ legalEntityId: "nobody" }, "LEGAL_ENTITY_NOT_FOUND"],
			[{ legalEntityId: entity.id, paymentAccountId: "nowhere" }, "PAYMENT_ACCOUNT_NOT_FOUND"],
			[{ paymentAccountId: "nowhere" }, "PAYMENT_ACCOUNT_NOT_FOUND"],
		] as const)
			expect(await call("PATCH", settings, { body })).toMatchObject({
				status: 400,
				body: { code: "BillingContractOperationRejected", reason },
			});
	});

	test.each([
		["nothing", {}],
		["a note too long", { note: longText(2001) }],
		["null for the issuer", { legalEntityId: null }],
		["an unknown key", { notes: "x" }],
	])("%s is refused", async (_, body) => {
		const { call } = await billedWorld();
		expect(await call("PATCH", settings, { body })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});

test.each([
	[terms, { netTerms: 30 }],
	[settings, { note: null }],
])("%s needs a line", async (path, body) => {
	const { call } = await draftWorld();
	expect(await call("PATCH", path, { body })).toMatchObject({
		status: 400,
		body: { code: "BillingContractOperationRejected", reason: "NO_LINE_ITEMS" },
	});
});
