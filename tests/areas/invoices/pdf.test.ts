import { describe, expect, test } from "bun:test";
import { documentOf, type InvoiceDocument } from "../../../src/areas/invoices/document";
import { creditNoteDocumentOf } from "../../../src/areas/invoices/document.credit-note";
import type { NewInvoice } from "../../../src/areas/invoices/new-documents";
import { getInvoice, linesByInvoice } from "../../../src/areas/invoices/operations";
import { creditInvoice, issueCreditNote, linesByCreditNote } from "../../../src/areas/invoices/operations.credit-notes";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { contentBottom, margin, pageHeight, right } from "../../../src/areas/invoices/pdf/geometry";
import { layOut } from "../../../src/areas/invoices/pdf/layout";
import { renderPdf } from "../../../src/areas/invoices/pdf/render";
import { widthOf } from "../../../src/areas/invoices/pdf/text";
import type { InvoiceParty } from "../../../src/areas/invoices/schema.party";
import { creditNotesOf } from "../../../src/areas/invoices/store.credit-notes";
import { embeddedFonts, pageTexts } from "./pdf-text";
import { decimal, globex, instant, january, line, manyScripts, tieredLine } from "./samples";
import { invoiceWorld } from "./support";

function documentFrom(changes: Partial<NewInvoice>, paidAt?: string, issuer?: InvoiceParty): InvoiceDocument {
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
	discountLabel: "WELCOME (10% off)",
	poNumber: "PO-17",
	customFields: { "Cost center": "R&D (4711)" },
	notes: "Payable within 30 days.\nThank you.",
	lines: [
		line({ amount: decimal(490), quantity: decimal(10), discount: decimal(49), tax: decimal("83.79") }),
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
			details: ["Invalidenstraße 112", "10115 Berlin", "Germany", "billing@acme.example", "EU VAT DE123456789"],
		});
		expect(document.headline).toBe("€657.45 EUR due 3 Mar 2026");
		expect(document.badge).toBeNull();
		expect(document.showsTaxRates).toBe(true);
		expect(document.lines[1]).toEqual({
			description: "API calls",
			period: null,
			quantity: "125,000",
			unitPrice: "",
			taxRate: "19%",
			amount: "€145.00",
			parts: [
				{ label: "First 10,000", quantity: "10,000", unitPrice: "€0.00", amount: "€0.00" },
				{ label: "Over 10,000, up to 100,000", quantity: "90,000", unitPrice: "€0.00125", amount: "€112.50" },
				{ label: "Over 100,000 (plus €10.00 flat)", quantity: "25,000", unitPrice: "€0.0009", amount: "€32.50" },
			],
		});
		expect(document.lines[0]?.parts).toEqual([{ label: "Discount", quantity: "", unitPrice: "", amount: "-€49.00" }]);
		expect(document.totals.map(({ label, value }) => [label, value])).toEqual([
			["Subtotal", "€622.66"],
			["Discount: WELCOME (10% off)", "-€49.00"],
			["Total excluding tax", "€573.66"],
			["Tax 19% on €586.00", "€83.79"],
			["Tax 7% on -€12.34", "€0.00"],
			["Total", "€657.45"],
			["Amount due", "€657.45 EUR"],
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
	function credited(amounts: readonly number[], late: readonly number[] = []): InvoiceDocument {
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
	const last = ({ totals }: InvoiceDocument, count: number) =>
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
		headline: "€107.10 EUR credited on 20 Feb 2026",
		badge: null,
	});
	expect(document.totals.map(({ label, value }) => [label, value])).toEqual([
		["Subtotal", "€100.00"],
		["Discount: WELCOME (10% off)", "-€10.00"],
		["Total excluding tax", "€90.00"],
		["Tax 19% on €90.00", "€17.10"],
		["Total credited", "€107.10 EUR"],
	]);
	const [page] = pageTexts(renderPdf(document));
	for (const text of ["Credit note", "CREDIT TO", "CN-000001", "INV-000001", "€107.10 EUR"])
		expect(page).toContain(text);
});

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
			"€657.45 EUR",
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
		expect(embeddedFonts(pdf).sort()).toEqual(["arimo", "arimo-bold", "dejavu", "droid", "symbola", "thai"]);
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
