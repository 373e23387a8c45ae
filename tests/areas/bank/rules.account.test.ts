import { expect, test } from "bun:test";
import { isAccount } from "../../../src/areas/bank/rules.account";

const iban = "DE89370400440532013000";

test.each([
	["the IBAN", iban, true],
	["the IBAN with a currency", `${iban}EUR`, true],
	["the bank code and the number", "37040044/532013000", true],
	["a number with leading zeros", "37040044/0532013000", true],
	["a number with a currency", "37040044/0532013000EUR", true],
	["another IBAN", "DE02120300000000202051", false],
	["the number of another bank", "37040045/532013000", false],
	["another number of the bank", "37040044/32013000", false],
	["a number without its bank", "532013000", false],
	["a part of the IBAN", iban.slice(0, 20), false],
])("a statement that states %s", (_, stated, expected) => {
	expect(isAccount(iban, stated)).toBe(expected);
});
