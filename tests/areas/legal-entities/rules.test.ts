import { describe, expect, test } from "bun:test";
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { checkedIban, countedYear, documentNumber, stemOf } from "../../../src/areas/legal-entities/rules";
import { readLogo } from "../../../src/areas/legal-entities/rules.logo";
import type { Instant } from "../../../src/kernel/clock";

const format = { invoicePrefix: "INV-", creditNotePrefix: "CN.", numberYear: false, numberPadding: 6 };

describe("numbers", () => {
	test.each([
		["INVOICE", 0, 1, "INV-000001"],
		["CREDIT_NOTE", 0, 42, "CN.000042"],
		["INVOICE", 2026, 7, "INV-2026-000007"],
		["INVOICE", 0, 12_345_678, "INV-12345678"],
	] as const)("%s %i %i is %s", (kind, year, count, number) => {
		expect(documentNumber(format, kind, year, count)).toBe(number);
	});

	test("are counted by the year of their date in UTC, where they carry it", () => {
		const newYear = Date.UTC(2027, 0, 1) as Instant;
		expect(countedYear({ numberYear: true }, newYear)).toBe(2027);
		expect(countedYear({ numberYear: true }, (newYear - 1) as Instant)).toBe(2026);
		expect(countedYear({ numberYear: false }, newYear)).toBe(0);
	});

	test("prefixes that a reader takes for one have one stem", () => {
		expect(["INV-", "inv.", "Inv"].map(stemOf)).toEqual(["INV", "INV", "INV"]);
		expect(stemOf("INV-DE-")).toBe("INV-DE");
	});
});

describe("an IBAN", () => {
	test.each([
		"DE89 3704 0044 0532 0130 00",
		"gb29nwbk60161331926819",
		"FR1420041010050500013M02606",
		"NO9386011117947",
	])("%s is taken without its blanks", (iban) => {
		expect(checkedIban(iban)).toBe(iban.replaceAll(" ", "").toUpperCase());
	});

	test("with any one digit changed, or two neighbours swapped, is none", () => {
		const iban = "DE89370400440532013000";
		fc.assert(
			fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
				const digits = [...iban];
				digits[at] = String((Number(digits[at]) + by) % 10);
				expect(() => checkedIban(digits.join(""))).toThrow("check digits");
			}),
		);
		for (let at = 4; at < iban.length - 1; at += 1) {
			const swapped = iban.slice(0, at) + iban[at + 1] + iban[at] + iban.slice(at + 2);
			if (swapped !== iban) expect(() => checkedIban(swapped)).toThrow("check digits");
		}
	});
});

/** Written by the format's own book: signature, then chunks of length, type, data and check sum. */
function png(
	width: number,
	height: number,
	{ colourType = 2, rows = width * 3 + 1, depth = 8, interlaced = 0 } = {},
): Buffer {
	const chunk = (type: string, data: Buffer): Buffer => {
		const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
		const ends = Buffer.alloc(8);
		ends.writeUInt32BE(data.length, 0);
		ends.writeUInt32BE(crc32(body), 4);
		return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
	};
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([depth, colourType, 0, 0, interlaced], 8);
	return Buffer.concat([
		Buffer.from("89504e470d0a1a0a", "hex"),
		chunk("IHDR", head),
		chunk("IDAT", deflateSync(Buffer.alloc(rows * height))),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

const jpeg = (width: number, height: number, channels = 3): Buffer => {
	const frame = Buffer.from("ffd8ffe00004aabbffc0001108000000000000", "hex");
	frame.writeUInt16BE(height, 13);
	frame.writeUInt16BE(width, 15);
	return Buffer.concat([frame.subarray(0, 17), Buffer.from([channels]), Buffer.alloc(30)]);
};

describe("a logo", () => {
	const read = (bytes: Buffer) => readLogo(bytes.toString("base64"));

	test("is a PNG or a JPEG, and tells its size", () => {
		expect(read(png(40, 20))).toMatchObject({ contentType: "image/png", width: 40, height: 20 });
		expect(read(jpeg(300, 200))).toMatchObject({ contentType: "image/jpeg", width: 300, height: 200 });
	});

	const good = png(40, 20);
	const flipped = Buffer.from(good);
	flipped.writeUInt8(flipped.readUInt8(50) ^ 1, 50);
	test.each([
		["no base64", "*", "base64"],
		["a text", Buffer.from("<svg/>").toString("base64"), "neither"],
		["too wide", png(1201, 1).toString("base64"), "1201 by 1"],
		["of no height", png(1, 0).toString("base64"), "1 by 0"],
		["cut off", good.subarray(0, -12).toString("base64"), "cut off"],
		["with a wrong check sum", flipped.toString("base64"), "damaged"],
		["with fewer rows than it says", png(40, 20, { rows: 30 }).toString("base64"), "damaged"],
		["with more rows than it says", png(40, 20, { rows: 300 }).toString("base64"), "damaged"],
		["with a palette that is missing", png(40, 20, { colourType: 3, rows: 41 }).toString("base64"), "palette"],
		["of 16 bits", png(40, 20, { depth: 16 }).toString("base64"), "8 bits"],
		["interlaced", png(40, 20, { interlaced: 1 }).toString("base64"), "8 bits"],
		["a JPEG for printers", jpeg(300, 200, 4).toString("base64"), "RGB"],
		["a JPEG without a picture", Buffer.from("ffd8ffd9", "hex").toString("base64"), "no picture"],
	])("is not taken: %s", (_, base64, reason) => {
		expect(() => readLogo(base64)).toThrow(reason);
	});
});
