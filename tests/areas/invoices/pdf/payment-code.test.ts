import { expect, test } from "bun:test";
import { Canvas } from "../../../../src/areas/invoices/pdf/canvas";
import { margin } from "../../../../src/areas/invoices/pdf/geometry";
import { layPaymentCode } from "../../../../src/areas/invoices/pdf/payment-code";

const code = "BCD\n002\n1\nSCT\n\nAcme GmbH\nDE89370400440532013000\nEUR49\n\nRF69INV000001";

/** Returns the dark modules of the placed boxes, as rows of "#" and ".". */
function modulesOf(text: string): string[] {
	const canvas = new Canvas(800);
	canvas.y = 100;
	layPaymentCode(canvas, text);
	const boxes = canvas.pages.flat().flatMap((command) => (command.kind === "box" ? [command] : []));
	const side = boxes[0]?.height ?? 1;
	const size = Math.round(86 / side);
	const rows = Array.from({ length: size }, () => Array<string>(size).fill("."));
	for (const { x, y, width } of boxes) {
		const row = rows[Math.round((y - 100) / side)] ?? [];
		const from = Math.round((x - margin) / side);
		row.fill("#", from, from + Math.round(width / side));
	}
	return rows.map((row) => row.join(""));
}

test("the code has the three patterns in its corners, the timing patterns between them, and a size that EPC069-12 permits", () => {
	const rows = modulesOf(code);
	const size = rows.length;
	expect((size - 17) % 4).toBe(0);
	expect(size).toBeLessThanOrEqual(69);
	const pattern = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
	expect(rows.slice(0, 7).map((row) => row.slice(0, 7))).toEqual(pattern);
	expect(rows.slice(0, 7).map((row) => row.slice(-7))).toEqual(pattern);
	expect(rows.slice(-7).map((row) => row.slice(0, 7))).toEqual(pattern);
	expect(rows[6]?.slice(8, size - 8)).toMatch(/^(#\.)*#$/);
});

test("the same text gives the same boxes, another text gives others, and no text gives none", () => {
	expect(modulesOf(code)).toEqual(modulesOf(code));
	expect(modulesOf(code)).not.toEqual(modulesOf(code.replace("EUR49", "EUR50")));
	const canvas = new Canvas(800);
	layPaymentCode(canvas, undefined);
	expect(canvas.pages.flat()).toEqual([]);
	expect(canvas.y).toBe(0);
});

test("a code that does not fit on the page begins the next one", () => {
	const canvas = new Canvas(800);
	canvas.y = 750;
	layPaymentCode(canvas, code);
	expect(canvas.pages.map((page) => page.length > 0)).toEqual([false, true]);
});
