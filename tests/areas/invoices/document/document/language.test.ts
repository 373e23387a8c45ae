import { beforeAll, describe, expect, test } from "bun:test";
import type { NewInvoice } from "../../../../../src/areas/invoices/new-documents";
import { loadHarfBuzz } from "../../../../../src/areas/invoices/pdf/harfbuzz";
import { renderPdf } from "../../../../../src/areas/invoices/pdf/render";
import { documentFrom, rich } from "../../documents";
import { embeddedFonts, pageTexts } from "../../pdf-text";
import { globex } from "../../samples";

beforeAll(loadHarfBuzz);

describe("a document in the customer's language:", () => {
	const inLanguage = (language: string | null, changes: Partial<NewInvoice> = {}) =>
		documentFrom({ ...rich, customer: { ...globex, language }, ...changes });

	test.each([
		["de", "Rechnung", "657,45 € fällig am 03.03.2026", "Seite 1 von 1"],
		["fr-CH", "Facture", "657.45 € à payer avant le 3 mars 2026", "Page 1 sur 1"],
		["es_MX", "Factura", "EUR 657.45 a pagar antes del 3 mar 2026", "Página 1 de 1"],
		["en-US", "Invoice", "€657.45 due Mar 3, 2026", "Page 1 of 1"],
		[null, "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
		["sv", "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
		["no language tag", "Invoice", "€657.45 due 3 Mar 2026", "Page 1 of 1"],
	])("%s", (language, title, headline, page) => {
		const document = inLanguage(language);
		expect([document.title, document.headline.replaceAll("\u00a0", " ")]).toEqual([title, headline]);
		expect(pageTexts(renderPdf(document))[0]).toContain(page);
	});

	test.each([
		["ar", "فاتورة", "657.45 € مستحق الدفع في 03/03/2026"],
		["ja", "請求書", "€657.45（支払期日 2026/03/03）"],
	])("%s is written in its own script with embedded faces", (language, title, headline) => {
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
	])("%s: the name of a discount is kept, and its percentage is formatted for the reader", (language, label) => {
		const labels = (changes: Partial<NewInvoice>) =>
			inLanguage(language, changes).totals.map((total) => total.label.replaceAll("\u00a0", " "));
		expect(labels({})).toContain(label);
		expect(labels({ discountLabel: null })).toContain(label.replace(/WELCOME \((.*)\)/, "$1"));
		// A fixed discount, and an invoice that was issued before percentages were stored.
		expect(labels({ discountLabel: "10% off", discountPercent: null })).toContain(
			label.replace(/WELCOME.*/, "10% off"),
		);
	});

	test("documents in German, French and Spanish embed no font", () => {
		for (const language of ["de", "fr", "es"]) expect(embeddedFonts(renderPdf(inLanguage(language)))).toEqual([]);
	});
});
