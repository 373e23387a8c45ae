import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import type { Instant } from "../../../src/kernel/clock";
import { type World, world } from "../../support/world";
import { contractOf, contractWorld } from "../contracts/support";
import { anotherIssuer, dayMs, invoiceWorld } from "../invoices/support";
import { provision, shop } from "../subscriptions/shop";

const numberFormat = { invoicePrefix: "FR-", creditNotePrefix: "FR-AV-", year: true, padding: 4 };
const french = {
	name: "Acme France SAS",
	address: { line1: "5 rue de la Paix", postalCode: "75002", city: "Paris", country: "FR" },
	taxIds: [{ type: "eu_vat", value: "FR40303265045" }],
	registration: "RCS Paris 123 456 789",
	email: "facturation@acme.example",
	bankAccount: { iban: "FR14 2004 1010 0505 0001 3M02 606", bic: "PSSTFRPPPAR", bankName: null },
	paymentText: "Par virement.",
	footer: "SAS au capital de 10 000 euros",
	language: "fr",
	netTerms: 30,
	numberFormat,
};

describe("legal entities", () => {
	test("there is always a default one, named as the account", async () => {
		const { call } = world();
		const { body } = await call("GET", "/legal-entities");
		expect(body).toMatchObject({
			data: [
				{
					name: "Ours",
					isDefault: true,
					bankAccount: null,
					logo: null,
					numberFormat: { invoicePrefix: "INV-", creditNotePrefix: "CN-", year: false, padding: 6 },
				},
			],
			pagination: { next: null, prev: null },
		});
		expect((await call("GET", "/legal-entities")).body).toEqual(body);
	});

	test("warn of what their invoices lack: an address, a tax ID", async () => {
		const { call } = world();
		const codesOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
			body.data.warnings.map(({ code }: { code: string }) => code);
		const { address, taxIds, ...bare } = french;
		const made = await call("POST", "/legal-entities", { body: bare });
		expect(made.status).toBe(201);
		expect(made.body.data.warnings).toEqual([
			{
				code: "ISSUER_ADDRESS_MISSING",
				message:
					"The issuer 'Acme France SAS' has no complete address: line1, city, country is missing. Add it to the legal entity (PATCH /api/v1/legal-entities/{id}) before you issue invoices.",
			},
			{
				code: "ISSUER_TAX_ID_MISSING",
				message:
					"The issuer 'Acme France SAS' has no tax ID. Add it to the legal entity (PATCH /api/v1/legal-entities/{id}) before you issue invoices.",
			},
		]);
		const path = `/legal-entities/${made.body.data.id}`;
		const { city: _, ...cityless } = address;
		expect(codesOf(await call("PATCH", path, { body: { taxIds, address: cityless } }))).toEqual([
			"ISSUER_ADDRESS_MISSING",
		]);
		expect(codesOf(await call("PATCH", path, { body: { address } }))).toEqual([]);
		expect(codesOf(await call("GET", path))).toEqual([]);
	});

	test("are created, shown, listed, changed and archived", async () => {
		const { call } = world();
		const made = await call("POST", "/legal-entities", { body: french });
		expect(made.status).toBe(201);
		const { id } = made.body.data;
		expect(made.body.data).toMatchObject({
			...french,
			bankAccount: { iban: "FR1420041010050500013M02606", bic: "PSSTFRPPPAR", bankName: null },
			isDefault: false,
			logo: null,
			archivedAt: null,
		});
		expect((await call("GET", `/legal-entities/${id}`)).body).toEqual(made.body);
		expect((await call("GET", "/legal-entities")).body.data).toHaveLength(2);
		const changed = await call("PATCH", `/legal-entities/${id}`, {
			body: { netTerms: null, footer: "À bientôt", numberFormat: { padding: 6 }, bankAccount: null },
		});
		expect(changed.body.data).toMatchObject({
			name: french.name,
			netTerms: null,
			footer: "À bientôt",
			bankAccount: null,
			numberFormat: { ...numberFormat, padding: 6 },
		});
		const archived = await call("POST", `/legal-entities/${id}/archive`);
		expect(archived.body.data.archivedAt).not.toBeNull();
		expect((await call("POST", `/legal-entities/${id}/archive`)).body).toEqual(archived.body);
		expect((await call("PATCH", `/legal-entities/${id}`, { body: { netTerms: 1 } })).body.code).toBe(
			"EntityIsArchivedError",
		);
		expect((await call("GET", "/contracts/legal-entities")).body.data).toHaveLength(1);
	});

	test("another one becomes the default, and the default one is not archived", async () => {
		const { call } = world();
		const { id } = (await call("POST", "/legal-entities", { body: french })).body.data;
		await call("PATCH", `/legal-entities/${id}`, { body: { isDefault: true } });
		const { data } = (await call("GET", "/legal-entities")).body;
		expect(data.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault])).toEqual([
			[french.name, true],
			["Ours", false],
		]);
		const refused = await call("POST", `/legal-entities/${id}/archive`);
		expect([refused.status, refused.body.code]).toEqual([400, "InvalidArgumentError"]);
	});

	test.each([
		["an IBAN with a wrong digit", { bankAccount: { iban: "DE88370400440532013000" } }, "InvalidArgumentError"],
		["a VAT number without a country", { taxIds: [{ type: "eu_vat", value: "123" }] }, "InvalidTaxId"],
		["a language that is none", { language: "not a language" }, "InvalidArgumentError"],
		["a logo that is none", { logo: { contentBase64: "AAAA" } }, "InvalidArgumentError"],
		["a prefix that runs into the digits", { numberFormat: { ...numberFormat, invoicePrefix: "FR2" } }, "BadUserInput"],
		[
			"the default one's prefix",
			{ numberFormat: { ...numberFormat, invoicePrefix: "inv." } },
			"DuplicatedEntityNotAllowed",
		],
		[
			"one prefix for both",
			{ numberFormat: { invoicePrefix: "FR-", creditNotePrefix: "FR" } },
			"DuplicatedEntityNotAllowed",
		],
	])("refuses %s, and nothing of it stays", async (_, changes, code) => {
		const { call } = world();
		expect((await call("POST", "/legal-entities", { body: { ...french, ...changes } })).body.code).toBe(code);
		expect((await call("GET", "/legal-entities")).body.data).toHaveLength(1);
		expect((await call("POST", "/legal-entities", { body: french })).status).toBe(201);
	});

	test("a prefix belongs to who had it first, for good", async () => {
		const { call } = world();
		const { id } = (await call("POST", "/legal-entities", { body: french })).body.data;
		const rename = { numberFormat: { invoicePrefix: "NEW-" } };
		expect((await call("PATCH", `/legal-entities/${id}`, { body: rename })).status).toBe(200);
		const other = { ...french, numberFormat: { invoicePrefix: "FR_", creditNotePrefix: "X-" } };
		expect((await call("POST", "/legal-entities", { body: other })).body.code).toBe("DuplicatedEntityNotAllowed");
		expect((await call("PATCH", `/legal-entities/${id}`, { body: { numberFormat } })).status).toBe(200);
	});

	test("a logo is kept and answered as it was sent", async () => {
		const { call } = world();
		const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
		const made = await call("POST", "/legal-entities", { body: { ...french, logo: { contentBase64: pixel } } });
		expect(made.body.data.logo).toEqual({ contentType: "image/png", width: 1, height: 1 });
		const path = `/legal-entities/${made.body.data.id}`;
		const picture = await call("GET", `${path}/logo`);
		expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
		expect((await call("PATCH", path, { body: { logo: null } })).body.data.logo).toBeNull();
		expect((await call("GET", `${path}/logo`)).status).toBe(404);
	});
});

describe("numbers and dates", () => {
	test("each legal entity counts by itself, and by year where its numbers carry it", () => {
		const here = invoiceWorld();
		const legalEntityId = anotherIssuer(here);
		const issue = (at: string, id?: string) =>
			here.issue({ issuedAt: Date.parse(at) as Instant, legalEntityId: id ?? null }).number;
		expect([
			issue("2026-02-01T00:00:00Z"),
			issue("2026-02-01T00:00:00Z", legalEntityId),
			issue("2026-02-02T00:00:00Z"),
			issue("2026-02-02T00:00:00Z", legalEntityId),
		]).toEqual(["INV-000001", "FR-000001", "INV-000002", "FR-000002"]);
		expect(here.transactions.read(here.actor, checkInvoices)).toEqual([]);
	});

	test("counting restarts each year", async () => {
		const here = invoiceWorld();
		const { id } = (await here.call("POST", "/legal-entities", { body: french })).body.data;
		const issue = (at: string) => here.issue({ issuedAt: Date.parse(at) as Instant, legalEntityId: id }).number;
		expect([
			issue("2026-12-30T00:00:00Z"),
			issue("2026-12-31T00:00:00Z"),
			issue("2027-01-01T00:00:00Z"),
			// Caught up late: it is dated as the last one, and counted there.
			issue("2026-12-31T00:00:00Z"),
		]).toEqual(["FR-2026-0001", "FR-2026-0002", "FR-2027-0001", "FR-2027-0002"]);
		expect(here.transactions.read(here.actor, checkInvoices)).toEqual([]);
	});

	test("a later number never has an earlier date, and is due as long after it as was asked for", () => {
		const here = invoiceWorld();
		const entities = [null, anotherIssuer(here)];
		const last = new Map<string | null, { count: number; at: number }>();
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 800 }), fc.constantFrom(...entities), (day, legalEntityId) => {
				const issuedAt = (Date.UTC(2026, 0, 1) + day * dayMs) as Instant;
				const invoice = here.issue({ issuedAt, dueAt: (issuedAt + 14 * dayMs) as Instant, legalEntityId });
				const { count, at } = last.get(legalEntityId) ?? { count: 0, at: 0 };
				expect(invoice.number.endsWith(String(count + 1).padStart(6, "0"))).toBe(true);
				expect(invoice.issuedAt).toBe(Math.max(at, issuedAt) as Instant);
				expect(invoice.dueAt - invoice.issuedAt).toBe(14 * dayMs);
				last.set(legalEntityId, { count: count + 1, at: invoice.issuedAt });
			}),
			{ numRuns: 60 },
		);
		expect(here.transactions.read(here.actor, checkInvoices)).toEqual([]);
	});

	test("an invoice that says nothing is due by the legal entity's net terms", async () => {
		const here = invoiceWorld();
		const { id } = (await here.call("POST", "/legal-entities", { body: french })).body.data;
		const invoice = here.issue({ dueAt: undefined as never, legalEntityId: id });
		expect(invoice.dueAt - invoice.issuedAt).toBe(30 * dayMs);
	});

	test("an issued invoice shows the legal entity as it was then", async () => {
		const here = invoiceWorld();
		const { id } = (await here.call("POST", "/legal-entities", { body: french })).body.data;
		const before = here.issue({ legalEntityId: id });
		await here.call("PATCH", `/legal-entities/${id}`, { body: { name: "Renamed SAS", bankAccount: null } });
		expect(before.issuer).toMatchObject({ name: french.name, bankAccount: { iban: "FR1420041010050500013M02606" } });
		expect(here.issue({ legalEntityId: id }).issuer).toMatchObject({ name: "Renamed SAS", bankAccount: null });
		expect(before.issuer.name).toBe(french.name);
	});
});

describe("the named legal entity", () => {
	const invoicedBy = async ({ call }: World) =>
		(await call("GET", "/customers/acme/invoices?orderDir=DESC&limit=1")).body.data[0]?.invoiceNumber;

	test("the customer's goes before the plan's, and this before the default one", async () => {
		const here = await shop();
		const { call } = here;
		const [ofPlan, ofCustomer] = [anotherIssuer(here, "PLAN-"), anotherIssuer(here, "CUST-")];
		await provision(here, { planId: "basic", billingPeriod: "MONTHLY" });
		expect(await invoicedBy(here)).toStartWith("INV-");
		expect((await call("PATCH", "/plans/basic/invoicing", { body: { legalEntityId: ofPlan } })).body.data).toEqual({
			planId: "basic",
			legalEntityId: ofPlan,
		});
		await here.advance("P40D");
		expect(await invoicedBy(here)).toStartWith("PLAN-");
		await call("PATCH", "/customers/acme/invoicing", { body: { legalEntityId: ofCustomer, taxExemption: "EXEMPT" } });
		// An archived legal entity still serves those who name it.
		await call("POST", `/legal-entities/${ofCustomer}/archive`);
		await here.advance("P40D");
		expect(await invoicedBy(here)).toStartWith("CUST-");
		expect((await call("GET", "/customers/acme/invoicing")).body.data).toEqual({
			customerId: "acme",
			legalEntityId: ofCustomer,
			taxExemption: "EXEMPT",
			taxExemptionProvision: null,
			cashDiscount: null,
		});
		expect(here.transactions.read(here.actor, checkInvoices)).toEqual([]);
	});

	test.each(["CUST-", "ITEM-"])(
		"a contract's items name their customer's, unless they say another: %s",
		async (prefix) => {
			const here = await contractWorld();
			const { call } = here;
			const [ofCustomer, ofItem] = [anotherIssuer(here, "CUST-"), anotherIssuer(here, "ITEM-")];
			await call("PATCH", "/customers/acme/invoicing", { body: { legalEntityId: ofCustomer } });
			await call("POST", "/contracts", { body: contractOf() });
			const body = { items: [{ name: "Fee" }], ...(prefix === "ITEM-" && { legalEntityId: ofItem }) };
			const { data } = (await call("POST", "/contracts/C-1/billing/items", { body })).body;
			expect(data.legalEntityId).toBe(prefix === "ITEM-" ? ofItem : ofCustomer);
		},
	);

	test.each(["/customers/acme/invoicing", "/plans/basic/invoicing"])(
		"%s refuses one that is unknown, archived or another environment's",
		async (path) => {
			const here = await shop();
			const archived = anotherIssuer(here);
			await here.call("POST", `/legal-entities/${archived}/archive`);
			const theirs = (await here.call("GET", "/legal-entities", { key: here.foreignKey })).body.data[0].id;
			for (const legalEntityId of ["no-such-thing", archived, theirs]) {
				const { status, body } = await here.call("PATCH", path, { body: { legalEntityId } });
				expect([status, body.code]).toEqual([400, "InvalidArgumentError"]);
			}
		},
	);
});
