import { beforeAll, expect, test } from "bun:test";
import { linesByCreditNote } from "../../../../src/areas/invoices/credit-notes/operations";
import { creditInvoice } from "../../../../src/areas/invoices/credit-notes/operations.credit";
import { creditNoteDocumentOf } from "../../../../src/areas/invoices/document/credit-note";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { renderPdf } from "../../../../src/areas/invoices/pdf/render";
import { rich } from "../documents";
import { pageTexts } from "../pdf-text";
import { decimal, instant, line } from "../samples";
import { invoiceWorld } from "../support";

beforeAll(loadHarfBuzz);

test("the document of a credit note shows the customer, the reason, the invoice and the credited amounts", () => {
	const world = invoiceWorld();
	world.clock.at = instant("2026-02-20T00:00:00Z");
	const invoice = world.issue({
		...rich,
		lines: [line({ amount: decimal(100), discount: decimal(10), tax: decimal("17.1") })],
	});
	const document = world.transactions.write(world.actor, (work) => {
		const note = creditInvoice(
			work,
			"cust-1",
			invoice.id,
			{ reasonCode: "SERVICE_UNSATISFACTORY" },
			{ waiting: [], reversed: new Set() },
		);
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
