import { describe, expect, test } from "bun:test";
import { assert, property } from "fast-check";
import { checkChain, checkWallets } from "../../../src/areas/credits/verification/operations.check";
import { actor, ground } from "./ground";
import { histories } from "./histories/random";
import { live } from "./histories/run";
import { expectRebuilt, findings } from "./rebuilt";

test("whatever has happened, the check finds nothing, and figures that are reckoned anew from the ledger are the same", () => {
	const one = ground();
	assert(
		property(histories, (history) => {
			live(one, history);
			expectRebuilt(one);
		}),
		{ numRuns: 25 },
	);
});

/** A wallet with three entries: granted, consumed, and consumed beyond what was granted. */
function spent() {
	const one = ground();
	one.grant("first", 10);
	one.draw(4, 9);
	return one;
}

describe("a ledger that was changed names its first bad entry", () => {
	for (const [what, sql, named] of [
		[
			"an amount",
			"UPDATE credit_entries SET amount = '5' WHERE sequence = 2",
			/^entry 2 of the credit ledger \([0-9a-f-]{36}\) is not what was written/,
		],
		["a time", "UPDATE credit_entries SET at = at + 1 WHERE sequence = 1", /^entry 1 of the credit ledger/],
		["a dimension", "UPDATE credit_entries SET dimensions = '{}' WHERE sequence = 3", /^entry 3 of the credit ledger/],
		["a hash", "UPDATE credit_entries SET hash = 'f' WHERE sequence = 3", /^entry 3 of the credit ledger/],
		["a removed entry", "DELETE FROM credit_entries WHERE sequence = 2", /^before entry 3 .* an entry is missing: 2/],
		[
			"entries that changed places",
			"UPDATE credit_entries SET sequence = CASE sequence WHEN 2 THEN -3 WHEN 3 THEN -2 ELSE sequence END; UPDATE credit_entries SET sequence = abs(sequence)",
			/^entry 2 of the credit ledger/,
		],
	] as const)
		test(what, () => {
			const one = spent();
			one.db.$client.run(sql);
			expect(one.transactions.read(actor, checkChain)).toEqual([expect.stringMatching(named)]);
		});
});

describe("what does not follow from the ledger is named with its wallet", () => {
	for (const [what, sql, named] of [
		["an account", "UPDATE credit_wallets SET balance = '1'", "balance is 1, the entries make 0"],
		["what is active", "UPDATE credit_wallets SET active_consumed = '1'", "activeConsumed is 1, the entries make 10"],
		["how many entries there are", "UPDATE credit_wallets SET entry_count = 99", "entryCount is 99, the entries make "],
		[
			"an entry at the end that is gone",
			"DELETE FROM credit_entries WHERE sequence = 4",
			"('Overdraft'): consumed is 3, the entries make 0",
		],
		[
			"what a grant has left",
			"UPDATE credit_grants SET consumed = '9' WHERE amount = '10'",
			"('first'): consumed is 9, the entries make 10",
		],
		[
			"a grant's status",
			"UPDATE credit_grants SET status = 'EXPIRED' WHERE amount = '10'",
			"activeAmount is 10, the entries make 0",
		],
		[
			"a grant that was granted another amount",
			"UPDATE credit_grants SET amount = '20', is_open = 1 WHERE amount = '10'",
			"it is ACTIVE with 20 granted, the entries make 10",
		],
		[
			"a settled overdraft that is open",
			"UPDATE credit_grants SET consumed = '0' WHERE grant_type = 'OVERDRAFT'",
			"('Overdraft'): consumed is 0, the entries make 3",
		],
		["the overdraft of a wallet", "UPDATE credit_wallets SET overdraft_grant_id = NULL", "overdraftGrantId is null"],
		["usage", "UPDATE credit_usage SET amount = '1' WHERE span = 'hour'", "the hour of"],
		["usage that is gone", "DELETE FROM credit_usage", "has 0 consumed 0 times, the entries make 13, 2 times"],
		["revenue", "UPDATE credit_revenue SET granted = '1'", "the credit revenue of the day of"],
	] as const)
		test(what, () => {
			const one = spent();
			expect(findings(one)).toEqual([]);
			one.db.$client.run(sql);
			const [first, ...others] = one.transactions.read(actor, checkWallets);
			expect(first).toContain(named);
			expect(others).toEqual([expect.stringContaining("tollgate credits rebuild")]);
		});
});
