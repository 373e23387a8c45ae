import { beforeAll, describe, expect, test } from "bun:test";
import { issueCreditNote } from "../../../../src/areas/invoices/credit-notes/operations";
import { creditNotesOf } from "../../../../src/areas/invoices/credit-notes/store";
import { documentOf, type PrintedDocument } from "../../../../src/areas/invoices/document/document";
import { getInvoice, linesByInvoice } from "../../../../src/areas/invoices/operations";
import { markPaid } from "../../../../src/areas/invoices/payments/operations";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { renderPdf } from "../../../../src/areas/invoices/pdf/render";
import { exact } from "../../../../src/kernel/decimal";
import { documentFrom, long, rich } from "../documents";
import { pageTexts } from "../pdf-text";
import { acme, decimal, globex, instant, january, line } from "../samples";
import { invoiceWorld } from "../support";

beforeAll(loadHarfBuzz);

describe("the document of an invoice shows", () => {
	test("the parties, the lines, the dates and the amounts", () => {
		const document = documentFrom(rich);
		expect(document.facts).toEqual([
			{ label: "Invoice number", value: "INV-000001" },
			{ label: "Issue date", value: "1 Feb 2026" },
			{ label: "Due date", value: "3 Mar 2026" },
			{ label: "Service period", value: "1 Jan 2026 – 31 Jan 2026" },
			{ label: "PO number", value: "PO-17" },
			{ label: "Cost center", value: "R&D (4711)" },
		]);
		expect(document.issuer).toEqual({
			name: "Acme Cloud GmbH",
			details: ["Invalidenstraße 112", "10115 Berlin", "Germany", "billing@acme.example", "VAT no. DE136695976"],
		});
		expect(document.headline).toBe("€657.45 due 3 Mar 2026");
		expect(document.badge).toBeNull();
		expect(document.columns).toEqual({ unit: true, discount: true, taxRate: true });
		expect(document.lines[0]).toMatchObject({ unit: "seats", discount: "-€49.00", net: "€441.00" });
		expect(document.lines[1]).toEqual({
			description: "API calls",
			period: null,
			quantity: "125,000",
			unit: "",
			unitPrice: "",
			discount: "",
			taxRate: "19%",
			net: "€145.00",
			netAmount: exact("145"),
			parts: [
				{ label: "First 10,000", quantity: "10,000", unitPrice: "€0.00", net: "€0.00" },
				{ label: "Over 10,000, up to 100,000", quantity: "90,000", unitPrice: "€0.00125", net: "€112.50" },
				{ label: "Over 100,000 (plus €10.00 flat)", quantity: "25,000", unitPrice: "€0.0009", net: "€32.50" },
			],
		});
		expect(document.taxes).toEqual([
			{ rate: "19%", net: "€586.00", tax: "€83.79", gross: "€669.79" },
			{ rate: "7%", net: "-€12.34", tax: "€0.00", gross: "-€12.34" },
		]);
		expect(document.totals.map(({ label, value }) => [label, value])).toEqual([
			["Subtotal", "€622.66"],
			["Discount: WELCOME (10% off)", "-€49.00"],
			["Total excluding tax", "€573.66"],
			["Tax", "€83.79"],
			["Total", "€657.45"],
			["Amount due", "€657.45"],
		]);
	});

	test("the payment, and nothing due, once it is paid", () => {
		const document = documentFrom({}, "2026-02-03T10:00:00Z");
		expect(document).toMatchObject({ headline: "$49.00 USD paid on 3 Feb 2026", badge: { text: "PAID", good: true } });
		expect(document.facts).toContainEqual({ label: "Paid on", value: "3 Feb 2026" });
		expect(document.totals.slice(-2).map(({ value }) => value)).toEqual(["-$49.00", "$0.00 USD"]);
	});

	test("a negative total as a credit", () => {
		const document = documentFrom({ lines: [line({ amount: decimal("-120.5") })] });
		expect(document).toMatchObject({ headline: "$120.50 USD credited on 1 Feb 2026", badge: { text: "CREDITED" } });
		expect(document.facts).toContainEqual({ label: "Credited on", value: "1 Feb 2026" });
		expect(document.totals.map(({ label, value }) => [label, value])).toEqual([
			["Subtotal", "-$120.50"],
			["Total", "-$120.50"],
			["Amount due", "$0.00 USD"],
		]);
	});
});

describe("the document of a credited invoice shows", () => {
	/** Issues a credit note over each amount, those in `late` after the payment. */
	function credited(amounts: readonly number[], late: readonly number[] = []): PrintedDocument {
		const world = invoiceWorld();
		world.clock.at = instant("2026-02-20T00:00:00Z");
		const { id } = world.issue();
		const credit = (amount: number) =>
			world.transactions.write(world.actor, (work) =>
				issueCreditNote(work, {
					customerId: world.customer.id,
					customer: globex,
					invoiceId: id,
					currency: "usd",
					lines: [line({ amount: decimal(amount) })],
				}),
			);
		amounts.forEach(credit);
		if (late.length > 0) world.transactions.write(world.actor, (work) => markPaid(work, id, world.clock.at));
		late.forEach(credit);
		return world.transactions.read(world.actor, (work) => {
			const invoice = getInvoice(work, id);
			return documentOf(invoice, linesByInvoice(work, [invoice]).get(id) ?? [], creditNotesOf(work, invoice));
		});
	}
	const last = ({ totals }: PrintedDocument, count: number) =>
		totals.slice(-count).map(({ label, value }) => [label, value]);

	test("the amount still due", () => {
		const document = credited([9, 10.5]);
		expect(document).toMatchObject({ headline: "$29.50 USD due 3 Mar 2026", badge: null });
		expect(document.facts).toContainEqual({ label: "Credited by", value: "CN-000001, CN-000002" });
		expect(last(document, 4)).toEqual([
			["Total", "$49.00"],
			["Credited by CN-000001", "-$9.00"],
			["Credited by CN-000002", "-$10.50"],
			["Amount due", "$29.50 USD"],
		]);
	});

	test("credited, not paid, when nothing is due", () => {
		const document = credited([49]);
		expect(document).toMatchObject({ headline: "$49.00 USD credited on 20 Feb 2026", badge: { text: "CREDITED" } });
		expect(document.facts).toContainEqual({ label: "Credited on", value: "20 Feb 2026" });
		expect(last(document, 2)).toEqual([
			["Credited by CN-000001", "-$49.00"],
			["Amount due", "$0.00 USD"],
		]);
	});

	test("the amount paid, whatever is credited afterwards", () => {
		const document = credited([9], [40]);
		expect(document).toMatchObject({ headline: "$40.00 USD paid on 20 Feb 2026", badge: { text: "PAID" } });
		expect(document.facts).toContainEqual({ label: "Credited by", value: "CN-000001, CN-000002" });
		expect(last(document, 3)).toEqual([
			["Credited by CN-000001", "-$9.00"],
			["Amount paid", "-$40.00"],
			["Amount due", "$0.00 USD"],
		]);
	});

	test("many credit notes in one row", () => {
		expect(last(credited([10, 10, 10, 8, 5, 5]), 2)).toEqual([
			["Credited by 6 credit notes", "-$48.00"],
			["Amount due", "$1.00 USD"],
		]);
	});
});

describe("the document meets the needs of a finance department:", () => {
	test.each([
		["REVERSE_CHARGE", decimal(0), /Reverse charge.*\(Article 196, Directive 2006\/112\/EC\)\.$/],
		["EXEMPT", decimal(0), /Exempt from tax/],
		["REVERSE_CHARGE", decimal("9.31"), undefined],
	] as const)("the reason why no tax is charged: %s, %s of tax", (taxExemption, tax, remark) => {
		const { remarks } = documentFrom({ customer: { ...globex, taxExemption }, lines: [line({ tax })] });
		if (remark) expect(remarks[0]).toMatch(remark);
		else expect(remarks).toEqual([]);
	});

	test.each([
		["EXEMPT", "§ 4 Nr. 11 UStG", "de", "Steuerfrei: § 4 Nr. 11 UStG."],
		["EXEMPT", "Art. 132(1)(i) Dir. 2006/112/EC.", "en", "Exempt from tax: Art. 132(1)(i) Dir. 2006/112/EC."],
		["REVERSE_CHARGE", "§ 13b UStG", "de", "Steuerschuldnerschaft des Leistungsempfängers (§ 13b UStG)."],
		["EXEMPT", "§ 4 Nr. 11 UStG", "ja", "非課税：§ 4 Nr. 11 UStG。"],
	] as const)(
		"the provision by which no tax is charged: %s, %s, %s",
		(taxExemption, taxExemptionProvision, language, remark) => {
			const customer = { ...globex, language, taxExemption, taxExemptionProvision };
			expect(documentFrom({ customer }).remarks).toEqual([remark]);
		},
	);

	test("payment instructions while an amount is due, and none once it is paid", () => {
		const bankAccount = { iban: "DE89 3704 0044 0532 0130 00", bic: "COBADEFFXXX", bankName: "Commerzbank" };
		const issuer = {
			...acme,
			bankAccount,
			paymentText: "Without deduction.",
			footer: "HRB 4711",
			registration: "Berlin",
		};
		const document = documentFrom({}, undefined, issuer);
		expect(document.payment).toEqual([
			"Please pay $49.00 USD by 3 Mar 2026, stating INV-000001.",
			"Bank: Commerzbank",
			"IBAN: DE89 3704 0044 0532 0130 00   BIC: COBADEFFXXX",
			"Payment reference: RF69 INV0 0000 1",
			"Without deduction.",
		]);
		expect(document.issuer.details).toContain("Berlin");
		for (const page of pageTexts(renderPdf({ ...document, lines: documentFrom(long).lines })))
			expect(page).toContain("HRB 4711");
		expect(documentFrom({}, "2026-02-03T10:00:00Z", issuer).payment).toEqual([]);
	});

	test("an invoice of an earlier release keeps its text without a payment reference", () => {
		const bankAccount = { iban: "DE89370400440532013000", bic: null, bankName: null };
		const issued = invoiceWorld(undefined, { ...acme, bankAccount }).issue({});
		const { printsReference, ...issuer } = issued.issuer;
		expect(printsReference).toBe(true);
		expect(documentOf({ ...issued, issuer }, [], []).payment).toEqual([
			"Please pay $49.00 USD by 3 Mar 2026, stating INV-000001.",
			"IBAN: DE89 3704 0044 0532 0130 00",
		]);
	});

	test("an invoice without a period states its issue date as the date of supply", () => {
		const supplied = { label: "Date of supply", value: "1 Feb 2026" };
		expect(documentFrom({ period: null }).facts).toContainEqual(supplied);
		expect(documentFrom({}).facts).not.toContainEqual(supplied);
	});

	test.each([
		["jpy", "123456", "¥123,456 JPY"],
		["kwd", "1234.567", "KWD 1,234.567"],
	])("%s is shown in its own minor unit", (currency, amount, due) => {
		const { totals } = documentFrom({ currency, lines: [line({ amount: decimal(amount) })] });
		expect(totals.at(-1)?.value.replaceAll("\u00a0", " ")).toBe(due);
	});
});

test("lines show their periods when one of them differs from the invoice's", () => {
	const february = { start: january.end, end: instant("2026-03-01T00:00:00Z") };
	const periodsOf = (...periods: (typeof january | null)[]) =>
		documentFrom({ lines: periods.map((period) => line({ period })) }).lines.map(({ period }) => period);
	expect(periodsOf(january, january, null)).toEqual([null, null, null]);
	expect(periodsOf(january, february, null)).toEqual(["1 Jan 2026 – 31 Jan 2026", "1 Feb 2026 – 28 Feb 2026", null]);
});
