import { expect, test } from "bun:test";
import {
	checkedCreditorId,
	debtorIban,
	expiresOn,
	nextSequence,
	returnableUntil,
	stateOn,
	stoppingCodes,
	unauthorizedUntil,
} from "../../../src/areas/direct-debit/rules.mandate";

test("a creditor identifier has check digits, and its business code does not count", () => {
	for (const id of ["DE98ZZZ09999999999", "de98 abc 09999999999", "AT61ZZZ01234567890", "NL79ZZZ999999990000"])
		expect(checkedCreditorId(id)).toBe(id.replaceAll(" ", "").toUpperCase());
	for (const id of ["DE99ZZZ09999999999", "DE98ZZZ09999999998", "98DEZZZ09999999999", "DE98ZZ"])
		expect(() => checkedCreditorId(id)).toThrow("check digits");
});

test("a debtor's account has check digits and is in a country of SEPA", () => {
	expect(debtorIban("de02 1203 0000 0000 2020 51")).toBe("DE02120300000000202051");
	expect(() => debtorIban("DE02120300000000202052")).toThrow("check digits");
	expect(() => debtorIban("AE070331234567890123456")).toThrow("takes no part in SEPA");
});

test("a mandate expires after 36 months without a debit, counted from the last one", () => {
	const unused = { state: "ACTIVE", signedOn: "2026-01-31", lastCollectedOn: null } as const;
	expect(expiresOn(unused)).toBe("2029-01-31");
	expect([stateOn(unused, "2029-01-30"), stateOn(unused, "2029-01-31")]).toEqual(["ACTIVE", "EXPIRED"]);
	const used = { ...unused, lastCollectedOn: "2028-02-29" };
	expect(expiresOn(used)).toBe("2031-02-28");
	expect(stateOn({ ...used, state: "REVOKED" }, "2040-01-01")).toBe("REVOKED");
});

test("the first debit is FRST, later ones are RCUR, and the only one is OOFF", () => {
	expect(nextSequence({ isOneOff: false, lastCollectedOn: null })).toBe("FRST");
	expect(nextSequence({ isOneOff: false, lastCollectedOn: "2026-01-05" })).toBe("RCUR");
	expect(nextSequence({ isOneOff: true, lastCollectedOn: null })).toBe("OOFF");
	expect([returnableUntil("2026-03-06"), unauthorizedUntil("2026-03-06")]).toEqual(["2026-05-01", "2027-04-06"]);
	expect(["AM04", "MD06", "MS02", "MS03"].filter((code) => stoppingCodes.has(code))).toEqual([]);
});
