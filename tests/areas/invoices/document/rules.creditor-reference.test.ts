import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	creditorReferenceOf,
	groupedReference,
	readCreditorReference,
} from "../../../../src/areas/invoices/document/rules.creditor-reference";

/** The remainder by exact integers, independent of the judged code. */
const remainder = (reference: string): bigint =>
	BigInt(
		[...(reference.slice(4) + reference.slice(0, 4))]
			.map((one) => (one >= "A" ? String(one.charCodeAt(0) - "A".charCodeAt(0) + 10) : one))
			.join(""),
	) % 97n;

describe("the creditor reference of an invoice (ISO 11649)", () => {
	test("accepts the example of the standard, with and without spaces", () => {
		expect(readCreditorReference("RF18 5390 0754 7034")).toBe("RF18539007547034");
		expect(readCreditorReference("rf18539007547034")).toBe("RF18539007547034");
		expect(groupedReference("RF18539007547034")).toBe("RF18 5390 0754 7034");
	});

	test("rejects a wrong digit, two exchanged digits and other forms", () => {
		for (const wrong of [
			"RF19539007547034",
			"RF18539007547043",
			"RF18539007547",
			"DE18539007547034",
			"RF18",
			"",
			`RF18${"1".repeat(22)}`,
		])
			expect(readCreditorReference(wrong)).toBeUndefined();
	});

	test("is the number without signs, and the position of an invoice whose number is too long", () => {
		expect(creditorReferenceOf({ number: "INV-000042", sequence: 7 })).toMatch(/^RF[0-9]{2}INV000042$/);
		expect(creditorReferenceOf({ number: "ACME-2026-0042", sequence: 7 })).toMatch(/^RF[0-9]{2}ACME20260042$/);
		expect(creditorReferenceOf({ number: "VERY.LONG-PREFIX.A-2026-0042", sequence: 7 })).toMatch(/^RF[0-9]{2}7$/);
	});

	test("a draft has none", () => {
		expect(creditorReferenceOf({ number: "", sequence: 0 })).toBeNull();
	});

	test("each reference has the remainder 1, and each single wrong character is found", () => {
		const number = fc
			.tuple(fc.stringMatching(/^[A-Za-z0-9._-]{0,8}[A-Za-z]-?$/), fc.integer({ min: 1, max: 999_999_999 }))
			.map(([prefix, count]) => `${prefix}${String(count).padStart(6, "0")}`);
		fc.assert(
			fc.property(number, fc.nat(), fc.nat(), (printed, place, other) => {
				const reference = creditorReferenceOf({ number: printed, sequence: 1 }) ?? "";
				expect(remainder(reference)).toBe(1n);
				expect(readCreditorReference(groupedReference(reference))).toBe(reference);
				const at = 2 + (place % (reference.length - 2));
				const digit = String(other % 10);
				if (digit === reference[at]) return;
				const changed = reference.slice(0, at) + digit + reference.slice(at + 1);
				// A letter and a digit whose values differ by 97 times a power would pass; single digits never do.
				if (/[0-9]/.test(reference[at] ?? "")) expect(readCreditorReference(changed)).toBeUndefined();
			}),
		);
	});
});
