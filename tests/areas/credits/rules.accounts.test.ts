import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
	type Accounts,
	accountsAfter,
	accountsOf,
	isBalanced,
	isReversal,
} from "../../../src/areas/credits/rules.accounts";
import { grantTypes, ledgerEventTypes } from "../../../src/areas/credits/schema.values";
import type { Decimal } from "../../../src/kernel/decimal";

const zeros = Object.fromEntries(
	["granted", "overdraft", "balance", "consumed", "expired", "voided"].map((account) => [account, "0" as Decimal]),
) as unknown as Accounts;

describe("the accounts of an entry", () => {
	test.each([
		["CREDITS_GRANTED", "PAID", "granted", "balance"],
		["CREDITS_CONSUMED", "PAID", "balance", "consumed"],
		["CREDITS_CONSUMED", "OVERDRAFT", "overdraft", "consumed"],
		["CREDITS_EXPIRED", "PROMOTIONAL", "balance", "expired"],
		["CREDITS_VOIDED", "RECURRING", "balance", "voided"],
		["CREDITS_CONSUMPTION_TRANSFER_SOURCE", "OVERDRAFT", "consumed", "overdraft"],
		["CREDITS_CONSUMPTION_TRANSFER_SOURCE", "PAID", "consumed", "balance"],
		["CREDITS_CONSUMPTION_TRANSFER_TARGET", "PAID", "balance", "consumed"],
		["CREDITS_UPDATED", "PAID", null, null],
	] as const)("%s of a grant %s moves credits from %s to %s", (eventType, grantType, fromAccount, toAccount) => {
		expect(accountsOf(eventType, grantType)).toEqual({ fromAccount, toAccount });
	});

	test("keep the wallet balanced, for any entries", () => {
		const entry = fc.record({
			eventType: fc.constantFrom(...ledgerEventTypes),
			grantType: fc.constantFrom(...grantTypes),
			amount: fc.integer({ min: 0, max: 9 }).map((amount) => String(amount) as Decimal),
		});
		fc.assert(
			fc.property(fc.array(entry), (entries) => {
				const movements = entries.map(({ amount, eventType, grantType }) => ({
					amount,
					...accountsOf(eventType, grantType),
				}));
				expect(isBalanced(accountsAfter(zeros, movements))).toBe(true);
			}),
		);
	});
});

test.each(["granted", "overdraft", "balance", "consumed", "expired", "voided"] as const)(
	"a wallet with credits only in %s is not balanced",
	(account) => expect(isBalanced({ ...zeros, [account]: "1" as Decimal })).toBe(false),
);

test("a transfer from a grant reverses an event if it has a feature, and settles an overdraft if it has none", () => {
	const source = "CREDITS_CONSUMPTION_TRANSFER_SOURCE";
	expect(isReversal({ eventType: source, featureId: "feature" })).toBe(true);
	expect(isReversal({ eventType: source, featureId: null })).toBe(false);
	expect(isReversal({ eventType: "CREDITS_CONSUMED", featureId: "feature" })).toBe(false);
});
