import { expect, test } from "bun:test";
import { remainingOf, totalsOf } from "../../../src/areas/credits/rules.totals";
import type { Decimal } from "../../../src/kernel/decimal";

const wallet = {
	id: "wallet",
	activeAmount: "100" as Decimal,
	activeConsumed: "40" as Decimal,
	overdraft: "0" as Decimal,
	waiting: "5" as Decimal,
};

test("the used credits include the overdraft and accepted consumptions", () => {
	const totals = totalsOf({ ...wallet, overdraft: "70" as Decimal });
	expect(totals).toMatchObject({ walletId: "wallet", limit: "100" as Decimal, usage: "115" as Decimal });
	expect(remainingOf(totals)).toBe("-15" as Decimal);
	expect(remainingOf(totalsOf(wallet))).toBe("55" as Decimal);
});
