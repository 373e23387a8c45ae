import { describe, expect, test } from "bun:test";
import { documentOf } from "../../../../src/areas/invoices/document/document";
import { paymentCodeOf } from "../../../../src/areas/invoices/document/rules.payment-code";
import { exact } from "../../../../src/kernel/decimal";
import { acme, decimal, line } from "../samples";
import { invoiceWorld } from "../support";

const payment = {
	...{ currency: "eur", due: exact("1250.5"), payee: "Acme GmbH", iban: "DE89 3704 0044 0532 0130 00" },
	...{ bic: "COBADEFFXXX", creditorReference: "RF18539007547034" },
};

describe("the SEPA QR code (EPC069-12)", () => {
	test("has the fields of the guideline, one a line", () => {
		expect(paymentCodeOf(payment)).toBe(
			"BCD\n002\n1\nSCT\nCOBADEFFXXX\nAcme GmbH\nDE89370400440532013000\nEUR1250.5\n\nRF18539007547034",
		);
		expect(paymentCodeOf({ ...payment, bic: null })?.split("\n")[4]).toBe("");
	});

	test("cuts a long name at 70 characters, and stays within 331 bytes", () => {
		const code = paymentCodeOf({ ...payment, payee: "Ä".repeat(255), due: exact("999999999.99") }) ?? "";
		expect(code.split("\n")[5]).toBe("Ä".repeat(70));
		expect(Buffer.byteLength(code)).toBeLessThanOrEqual(331);
	});

	test("exists only for euro, from a cent to 999,999,999.99", () => {
		for (const [currency, due] of [
			["usd", "5"],
			["eur", "0"],
			["eur", "-5"],
			["eur", "1000000000"],
		] as const)
			expect(paymentCodeOf({ ...payment, currency, due: exact(due) })).toBeUndefined();
	});

	test("is on an OPEN invoice in euro with an IBAN, and not on that of an earlier release", () => {
		const bankAccount = { iban: "DE89370400440532013000", bic: null, bankName: null };
		const world = invoiceWorld(undefined, { ...acme, bankAccount });
		const issued = world.issue({ currency: "eur", lines: [line({ amount: decimal(49) })] });
		const code = documentOf(issued, [], []).paymentCode;
		expect(code?.split("\n").slice(4)).toEqual(["", acme.name, bankAccount.iban, "EUR49", "", "RF69INV000001"]);
		const { printsReference: _, ...issuer } = issued.issuer;
		expect(documentOf({ ...issued, issuer }, [], []).paymentCode).toBeUndefined();
		expect(documentOf({ ...issued, state: "PAID" }, [], []).paymentCode).toBeUndefined();
	});
});
