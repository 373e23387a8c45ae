import { expect, setDefaultTimeout, test } from "bun:test";
import { linesByCreditNote } from "../../../../src/areas/invoices/credit-notes/operations";
import { findCreditNote } from "../../../../src/areas/invoices/credit-notes/store";
import { creditNoteDocumentOf } from "../../../../src/areas/invoices/document/credit-note";
import { documentOf } from "../../../../src/areas/invoices/document/document";
import { languageOf, languages } from "../../../../src/areas/invoices/document/labels";
import { en, type Labels } from "../../../../src/areas/invoices/document/labels.en";
import { getInvoice, linesByInvoice } from "../../../../src/areas/invoices/operations";
import { textOf, wordings } from "../../../../src/areas/pricing/wording";
import { flat, till, used } from "../../subscriptions/billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

test("every language says what the others say, around the same places", () => {
	for (const [code, labels] of Object.entries(languages)) {
		for (const [key, text] of Object.entries(wordings)) {
			const said = labels[key as keyof typeof wordings];
			expect([key, said.split("{of}").length]).toEqual([key, text.split("{of}").length]);
			if (code !== "en") expect(said).not.toBe(text);
		}
	}
	expect(textOf({ codes: ["unusedTime"], of: "$& {of}" })).toBe("Unused time: $& {of}");
});

const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
/** Words that another language writes as English does, and labels that are a name or a figure alone. */
const sameWords: Readonly<Record<string, readonly string[]>> = {
	de: ["bank", "status"],
	fr: ["documentDate", "signature"],
	es: ["subtotal", "total"],
};

test.each(Object.keys(languages))(
	"documents in '%s' have each label in that language, with the same places",
	(code) => {
		const { labels, locale } = languageOf(code);
		expect(locale).toBe(code);
		expect(Object.keys(labels).toSorted()).toEqual(Object.keys(en).toSorted());
		for (const [key, english] of Object.entries(en)) {
			const said = labels[key as keyof Labels];
			expect([key, said.trim() === "", places(said)]).toEqual([key, false, places(english)]);
			if (code !== "en" && said === english) expect([key, sameWords[code]?.includes(key)]).toEqual([key, true]);
		}
	},
);

test("Arabic and Japanese labels are written in their script", () => {
	const scripts = { ar: /\p{Script=Arabic}/u, ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u };
	for (const [code, script] of Object.entries(scripts))
		for (const [key, said] of Object.entries(languageOf(code).labels))
			expect([key, script.test(said.replace(/\{\w+\}/g, "")) || said === "{name}"]).toEqual([key, true]);
});

test("rating's names of lines appear on documents in their language, and on the wire in English", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("least", [flat({ month: 30 }), used("calls", { month: 1 })], {
		minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
	});
	await ours.insist("PATCH", "/customers/acme", { language: "de" });
	const id = await ours.buy("least");
	await ours.use("calls", 10);
	await ours.advance("2026-05-01T00:00:00Z");
	const [first, second] = await ours.insist("GET", "/customers/acme/invoices");
	await ours.insist("POST", `/customers/acme/invoices/${second.invoiceId}/credit-note`, { amount: 10 });
	await ours.advance("2026-05-16T12:00:00Z");
	await ours.cancel(id);
	const [last, byHand] = await ours.insist("GET", "/customers/acme/credit-notes");
	const described = (of: { lineItems: Array<{ description: string }> }) => of.lineItems.map((one) => one.description);
	expect(described(first)).toEqual(["least", "Minimum spend"]);
	expect(described(second)).toContain("Covered by the minimum spend");
	expect(described(last)).toEqual(["Unused time: least", "Unused time: Minimum spend"]);
	const printed = ours.transactions.read(ours.actor, (work) => {
		const invoice = getInvoice(work, second.invoiceId);
		const notes = [last, byHand].flatMap(({ creditNoteId }) => findCreditNote(work, creditNoteId) ?? []);
		const lines = linesByCreditNote(work, notes);
		return {
			invoice: documentOf(invoice, linesByInvoice(work, [invoice]).get(invoice.id) ?? [], notes),
			notes: notes.map((note) => creditNoteDocumentOf(note, lines.get(note.id) ?? [], null, invoice)),
		};
	});
	const texts = (of: { lines: ReadonlyArray<{ description: string }> }) => of.lines.map((one) => one.description);
	expect(texts(printed.invoice)).toEqual([
		"least",
		"Mindestumsatz",
		"Calls (least)",
		"Durch den Mindestumsatz gedeckt",
	]);
	expect(printed.notes.map(texts)).toEqual([
		["Nicht genutzte Zeit: least", "Nicht genutzte Zeit: Mindestumsatz"],
		["least"],
	]);
	expect(printed.notes[0]?.facts).toContainEqual({ label: "Zur Rechnung", value: "INV-000002 (01.05.2026)" });
});
