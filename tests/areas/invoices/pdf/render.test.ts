import { beforeAll, describe, expect, test } from "bun:test";
import { contentBottom, margin, pageHeight, right } from "../../../../src/areas/invoices/pdf/geometry";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { layOut } from "../../../../src/areas/invoices/pdf/layout";
import { renderPdf } from "../../../../src/areas/invoices/pdf/render";
import { widthOf } from "../../../../src/areas/invoices/pdf/text";
import { documentFrom, long, rich, usd } from "../documents";
import { embeddedFonts, pageTexts } from "../pdf-text";
import { decimal, instant, line, manyScripts, tieredLine } from "../samples";

beforeAll(loadHarfBuzz);

describe("the PDF", () => {
	test("never has a page with the totals alone", () => {
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

	test("draws nothing outside the margins or over the footer", () => {
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
	])("is dated in UTC in any year and any time zone of the machine: %s", (at, created, shown) => {
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

	test("embeds the characters that standard fonts lack, so that text can be read and copied", () => {
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

	test("stays far below the size limit with a thousand lines", () => {
		const pdf = renderPdf(documentFrom({ lines: Array.from({ length: 1000 }, () => tieredLine()) }));
		expect(pdf.length).toBeLessThan(1_000_000);
		expect(pageTexts(pdf).length).toBeGreaterThan(50);
	});

	test("carries the sum of the lines from page to page", () => {
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

	test("names each character of right-to-left text by the letter, not by its joined form", () => {
		const pdf = renderPdf(documentFrom({ lines: [line({ description: "شركة" }), line({ description: "(אב)" })] }));
		expect(pageTexts(pdf).flat()).toEqual(expect.arrayContaining([reversed("شركة"), "(בא)"]));
	});
});

const reversed = (text: string): string => [...text].reverse().join("");
