import { beforeAll, describe, expect, test } from "bun:test";
import { creditInvoice, issueCreditNote, linesByCreditNote } from "../../../src/areas/invoices/credit-notes/operations";
import { creditNotesOf } from "../../../src/areas/invoices/credit-notes/store";
import { creditNoteDocumentOf } from "../../../src/areas/invoices/document/credit-note";
import { documentOf, type PrintedDocument } from "../../../src/areas/invoices/document/document";
import type { NewInvoice } from "../../../src/areas/invoices/new-documents";
import { getInvoice, linesByInvoice } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { contentBottom, margin, pageHeight, right } from "../../../src/areas/invoices/pdf/geometry";
import { layOut } from "../../../src/areas/invoices/pdf/layout";
import { renderPdf } from "../../../src/areas/invoices/pdf/render";
import { loadShaper } from "../../../src/areas/invoices/pdf/shaping";
import { widthOf } from "../../../src/areas/invoices/pdf/text";
import type { InvoiceIssuer } from "../../../src/areas/invoices/schema.party";
import { exact } from "../../../src/kernel/decimal";
import { embeddedFonts, pageTexts } from "./pdf-text";
import { acme, decimal, globex, instant, january, line, manyScripts, tieredLine } from "./samples";
import { invoiceWorld } from "./support";

beforeAll(loadShaper);

function documentFrom(changes: Partial<NewInvoice>, paidAt?: string, issuer?: InvoiceIssuer): PrintedDocument {
	const world = invoiceWorld(undefined, issuer);
	const issued = world.issue(changes);
	const invoice = paidAt
		? world.transactions.write(world.actor, (work) => markPaid(work, issued.id, instant(paidAt)))
		: issued;
	const lines = world.transactions.read(world.actor, (work) => linesByInvoice(work, [invoice]).get(invoice.id) ?? []);
	return documentOf(invoice, lines, []);
}

const long = {
	lines: Array.from({ length: 120 }, (_, at) => line({ description: `Line ${at + 1}`, amount: decimal(at) })),
};
const rich: Partial<NewInvoice> = {
	currency: "eur",
	taxPercentage: decimal(19),
	discountLabel: "WELCOME",
	discountPercent: decimal(10),
	poNumber: "PO-17",
	customFields: { "Cost center": "R&D (4711)" },
	notes: "Payable within 30 days.\nThank you.",
	lines: [
		line({ unit: "seats", amount: decimal(490), quantity: decimal(10), discount: decimal(49), tax: decimal("83.79") }),
		tieredLine(),
		line({
			kind: "Other",
			description: "Unused time",
			quantity: null,
			unitPrice: null,
			amount: decimal("-12.34"),
			taxPercentage: decimal(7),
		}),
	],
};

describe("the document says", () => {
	test("who, what, when and how much", () => {
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

	test("that it is paid, and that nothing is due any more", () => {
		const document = documentFrom({}, "2026-02-03T10:00:00Z");
		expect(document).toMatchObject({ headline: "$49.00 USD paid on 3 Feb 2026", badge: { text: "PAID", good: true } });
		expect(document.facts).toContainEqual({ label: "Paid on", value: "3 Feb 2026" });
		expect(document.totals.slice(-2).map(({ value }) => value)).toEqual(["-$49.00", "$0.00 USD"]);
	});

	test("a credit as a credit", () => {
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

describe("an invoice that was credited says", () => {
	/** After credit notes over so much each; those in `late` come after the payment. */
	function credited(amounts: readonly number[], late: readonly number[] = []): PrintedDocument {
		const world = invoiceWorld();
		world.clock.at = instant("2026-02-20T00:00:00Z");
		const { id } = world.issue();
		const give = (amount: number) =>
			world.transactions.write(world.actor, (work) =>
				issueCreditNote(work, {
					customerId: world.customer.id,
					customer: globex,
					invoiceId: id,
					currency: "usd",
					lines: [line({ amount: decimal(amount) })],
				}),
			);
		amounts.forEach(give);
		if (late.length > 0) world.transactions.write(world.actor, (work) => markPaid(work, id, world.clock.at));
		late.forEach(give);
		return world.transactions.read(world.actor, (work) => {
			const invoice = getInvoice(work, id);
			return documentOf(invoice, linesByInvoice(work, [invoice]).get(id) ?? [], creditNotesOf(work, invoice));
		});
	}
	const last = ({ totals }: PrintedDocument, count: number) =>
		totals.slice(-count).map(({ label, value }) => [label, value]);

	test("what is still due", () => {
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

	test("that nothing is due, and that nobody paid", () => {
		const document = credited([49]);
		expect(document).toMatchObject({ headline: "$49.00 USD credited on 20 Feb 2026", badge: { text: "CREDITED" } });
		expect(document.facts).toContainEqual({ label: "Credited on", value: "20 Feb 2026" });
		expect(last(document, 2)).toEqual([
			["Credited by CN-000001", "-$49.00"],
			["Amount due", "$0.00 USD"],
		]);
	});

	test("what was paid, whatever was given back afterwards", () => {
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

test("a credit note says whom, why, for which invoice, and how much comes back", () => {
	const world = invoiceWorld();
	world.clock.at = instant("2026-02-20T00:00:00Z");
	const invoice = world.issue({
		...rich,
		lines: [line({ amount: decimal(100), discount: decimal(10), tax: decimal("17.1") })],
	});
	const document = world.transactions.write(world.actor, (work) => {
		const note = creditInvoice(work, "cust-1", invoice.id, { reasonCode: "SERVICE_UNSATISFACTORY" }, []);
		return creditNoteDocumentOf(note, linesByCreditNote(work, [note]).get(note.id) ?? []);
	});
	expect(document).toMatchObject({
		title: "Credit note",
		customerLabel: "Credit to",
		issuer: { name: "Acme Cloud GmbH" },
		customer: { name: "Globex Corporation" },
		facts: [
			{ label: "Credit note number", value: "CN-000001" },
			{ label: "For invoice", value: "INV-000001" },
			{ label: "Issue date", value: "20 Feb 2026" },
			{ label: "Reason", value: "Service unsatisfactory" },
			{ label: "Service period", value: "1 Jan 2026 – 31 Jan 2026" },
		],
		headline: "€107.10 credited on 20 Feb 2026",
		badge: null,
	});
	expect(document.totals.map(({ label, value }) => [label, value])).toEqual([
		["Subtotal", "€100.00"],
		["Discount: WELCOME (10% off)", "-€10.00"],
		["Total excluding tax", "€90.00"],
		["Tax", "€17.10"],
		["Total credited", "€107.10"],
	]);
	const [page] = pageTexts(renderPdf(document));
	for (const text of ["Credit note", "CREDIT TO", "CN-000001", "INV-000001", "€107.10"]) expect(page).toContain(text);
});

describe("in the customer's language", () => {
	const inLanguage = (language: string | null, changes: Partial<NewInvoice> = {}) =>
		documentFrom({ ...rich, customer: { ...globex, language }, ...changes });

	test.each([
		["de", "Rechnung", "657,45 € fällig am 03.03.2026", "Seite 1 von 1"],
		["fr-CH", "Facture", "657.45 € à payer avant le 3 mars 2026", "Page 1 sur 1"],
		["es_MX", "Factura", "EUR 657.45 a pagar antes del 3 mar 2026", "Página 1 de 1"],
		["en-US", "Invoice", "€657.45 due Mar 3, 2026", "Page 1 of 1"],
		[null, "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
		["sv", "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
		["what the customer speaks", "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
	])("%s", (language, title, headline, page) => {
		const document = inLanguage(language);
		expect([document.title, document.headline.replaceAll("\u00a0", " ")]).toEqual([title, headline]);
		expect(pageTexts(renderPdf(document))[0]).toContain(page);
	});

	test.each([
		["ar", "فاتورة", "657.45 € مستحق الدفع في 03/03/2026"],
		["ja", "請求書", "€657.45（支払期日 2026/03/03）"],
	])("%s, in its own script, with faces of its own", (language, title, headline) => {
		const document = inLanguage(language);
		expect([document.title, document.headline.replaceAll("\u00a0", " ")]).toEqual([title, headline]);
		const pdf = renderPdf(document);
		expect(embeddedFonts(pdf)).not.toEqual([]);
		for (const label of ["Invoice", "Description", "Subtotal", "Amount due", "Page"])
			expect(pageTexts(pdf).flat().join(" ")).not.toContain(label);
	});

	test.each([
		["de", "Rabatt: WELCOME (10 %)"],
		["fr", "Remise : WELCOME (10 %)"],
		["es", "Descuento: WELCOME (10 %)"],
		["en", "Discount: WELCOME (10% off)"],
	])("%s: what the discount is called stays, how much it is is written as the reader does", (language, label) => {
		const labels = (changes: Partial<NewInvoice>) =>
			inLanguage(language, changes).totals.map((total) => total.label.replaceAll("\u00a0", " "));
		expect(labels({})).toContain(label);
		expect(labels({ discountLabel: null })).toContain(label.replace(/WELCOME \((.*)\)/, "$1"));
		// A fixed one; and one that was issued before its percentage was kept.
		expect(labels({ discountLabel: "10% off", discountPercent: null })).toContain(
			label.replace(/WELCOME.*/, "10% off"),
		);
	});

	test("every label is drawn in standard fonts, and fits", () => {
		for (const language of ["de", "fr", "es"]) expect(embeddedFonts(renderPdf(inLanguage(language)))).toEqual([]);
	});
});

describe("what a finance department looks for", () => {
	test.each([
		["REVERSE_CHARGE", decimal(0), /Reverse charge.*\(Article 196, Directive 2006\/112\/EC\)\.$/],
		["EXEMPT", decimal(0), /Exempt from tax/],
		["REVERSE_CHARGE", decimal("9.31"), undefined],
	] as const)("why no tax is charged: %s, %s of tax", (taxExemption, tax, remark) => {
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

	test("how to pay what is due, and nothing of it once it is paid", () => {
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
			"Without deduction.",
		]);
		expect(document.issuer.details).toContain("Berlin");
		for (const page of pageTexts(renderPdf({ ...document, lines: documentFrom(long).lines })))
			expect(page).toContain("HRB 4711");
		expect(documentFrom({}, "2026-02-03T10:00:00Z", issuer).payment).toEqual([]);
	});

	test("what is for no time was supplied when it was invoiced", () => {
		const supplied = { label: "Date of supply", value: "1 Feb 2026" };
		expect(documentFrom({ period: null }).facts).toContainEqual(supplied);
		expect(documentFrom({}).facts).not.toContainEqual(supplied);
	});

	test.each([
		["jpy", "123456", "¥123,456 JPY"],
		["kwd", "1234.567", "KWD 1,234.567"],
	])("%s has its own minor unit", (currency, amount, due) => {
		const { totals } = documentFrom({ currency, lines: [line({ amount: decimal(amount) })] });
		expect(totals.at(-1)?.value.replaceAll("\u00a0", " ")).toBe(due);
	});

	test("a table that goes on says on each page what it comes to so far", () => {
		const pages = pageTexts(renderPdf(documentFrom(long)));
		let sum = 0;
		for (const [at, texts] of pages.entries()) {
			const isLast = at === pages.length - 1;
			const before = texts.indexOf("Brought forward");
			if (at > 0) expect(texts[before + 1]).toBe(usd(sum));
			for (const text of texts) if (/^Line \d+$/.test(text)) sum += Number(text.slice(5)) - 1;
			const after = texts.indexOf("Carried forward");
			expect(after >= 0).toBe(!isLast);
			if (!isLast) expect(texts[after + 1]).toBe(usd(sum));
		}
	});
});

const usd = (amount: number): string => amount.toLocaleString("en-US", { style: "currency", currency: "usd" });

test("lines tell their periods once one of them has another than the invoice", () => {
	const february = { start: january.end, end: instant("2026-03-01T00:00:00Z") };
	const periodsOf = (...periods: (typeof january | null)[]) =>
		documentFrom({ lines: periods.map((period) => line({ period })) }).lines.map(({ period }) => period);
	expect(periodsOf(january, january, null)).toEqual([null, null, null]);
	expect(periodsOf(january, february, null)).toEqual(["1 Jan 2026 – 31 Jan 2026", "1 Feb 2026 – 28 Feb 2026", null]);
});

describe("the PDF", () => {
	test("the totals never stand alone on a page", () => {
		const document = documentFrom(long);
		for (let count = 2; count < 40; count += 1) {
			const last = layOut({ ...document, lines: document.lines.slice(0, count) }).at(-1) ?? [];
			const texts = last.flatMap((command) => (command.kind === "text" ? [command.text] : []));
			expect(texts).toContain(`Line ${count}`);
			expect(texts).toContain("Subtotal");
		}
	});

	test("has every text on its page, in standard fonts alone", () => {
		const pdf = renderPdf(documentFrom(rich));
		expect(embeddedFonts(pdf)).toEqual([]);
		const pages = pageTexts(pdf);
		expect(pages).toHaveLength(1);
		for (const text of [
			"INV-000001",
			"Acme Cloud GmbH",
			"Globex Corporation",
			"€0.00125",
			"-€49.00",
			"€657.45",
			"R&D (4711)",
			"Page 1 of 1",
			"Thank you.",
		])
			expect(pages[0]).toContain(text);
	});

	test("repeats the table's head, numbers its pages and loses no line", () => {
		const pages = pageTexts(renderPdf(documentFrom(long)));
		expect(pages.length).toBeGreaterThan(2);
		for (const [at, page] of pages.entries()) {
			expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
			expect(page).toContain("Description");
		}
		const found = pages.flat().filter((text) => text.startsWith("Line "));
		expect(found).toEqual(long.lines.map(({ description }) => description));
		expect(pages.at(-1)).toContain("$7,140.00 USD");
	});

	test("never draws outside the margins or over the foot", () => {
		const wide = "Łodyga".repeat(60);
		const issuer = {
			name: `${wide} ${wide}`,
			email: wide,
			address: { line1: wide },
			taxIds: [{ type: "x", value: wide }],
		};
		const document = documentFrom(
			{
				...rich,
				customer: { ...manyScripts, name: wide },
				customFields: Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`${wide} ${at}`, wide])),
				notes: `${wide}\n`.repeat(80),
				lines: [
					...(rich.lines ?? []),
					line({
						description: `${wide} ${wide}`.repeat(8),
						amount: decimal("9999999999.99"),
						quantity: decimal("123456789.123456789"),
						unitPrice: decimal("1234567.12345"),
					}),
				],
			},
			undefined,
			issuer,
		);
		for (const page of layOut(document))
			for (const command of page) {
				if (command.kind !== "text") continue;
				const width = widthOf(command.text, command);
				const left = command.align === "right" ? command.x - width : command.x;
				expect(left).toBeGreaterThanOrEqual(margin - 0.01);
				expect(left + width).toBeLessThanOrEqual(right + 0.01);
				const isFoot = command.y === pageHeight - 36;
				if (!isFoot) expect(command.y).toBeLessThanOrEqual(contentBottom);
			}
	});

	test("is the same, byte for byte, for the same document", () => {
		for (const changes of [rich, { customer: manyScripts }]) {
			const document = documentFrom(changes);
			const first = renderPdf(document);
			renderPdf(documentFrom({ customer: { ...manyScripts, name: "Ω漢字" } }));
			expect(renderPdf(document).equals(first)).toBe(true);
		}
	});

	test.each([
		["2026-02-01T00:00:00Z", "D:20260201000000-00'00'", "1 Feb 2026"],
		["2037-12-31T23:59:59Z", "D:20371231235959-00'00'", "31 Dec 2037"],
		["2038-02-01T00:00:00Z", "D:20380201000000-00'00'", "1 Feb 2038"],
		["2100-02-28T12:30:15Z", "D:21000228123015-00'00'", "28 Feb 2100"],
		["9999-12-31T23:59:59Z", "D:99991231235959-00'00'", "31 Dec 9999"],
	])("is dated in UTC whatever the year and the machine's time zone: %s", (at, created, shown) => {
		const invoice = documentFrom({ issuedAt: instant(at), dueAt: instant(at), period: null });
		const zone = process.env.TZ;
		try {
			for (const elsewhere of ["Pacific/Kiritimati", "America/St_Johns", "UTC"]) {
				process.env.TZ = elsewhere;
				const pdf = renderPdf({ ...invoice, changedAt: instant(at) });
				expect(pdf.toString("latin1")).toContain(`/CreationDate (${created})`);
				expect(pageTexts(pdf).flat()).toContain(shown);
			}
		} finally {
			process.env.TZ = zone ?? "UTC";
		}
	});

	test("embeds what the standard fonts lack, so that it reads and copies as it was written", () => {
		const pdf = renderPdf(
			documentFrom({
				customer: manyScripts,
				lines: [line({ description: "Тариф «Рост»" }), line({ description: "プラン ₹5" })],
			}),
		);
		expect(embeddedFonts(pdf).sort()).toEqual([
			"arimo",
			"arimo-bold",
			"dejavu",
			"devanagari",
			"droid",
			"symbola",
			"thai",
		]);
		const text = pageTexts(pdf).flat();
		for (const expected of ["Тариф «Рост»", "プラン", "株式会社サンプル", "ประเทศไทย", "Łukasz Ćwikliński"])
			expect(text.join("\n")).toContain(expected);
		expect(pdf.length).toBeLessThan(60_000);
	});

	test("keeps a document of a thousand lines far below the bound", () => {
		const pdf = renderPdf(documentFrom({ lines: Array.from({ length: 1000 }, () => tieredLine()) }));
		expect(pdf.length).toBeLessThan(1_000_000);
		expect(pageTexts(pdf).length).toBeGreaterThan(50);
	});
});
