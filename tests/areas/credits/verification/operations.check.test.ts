import { describe, expect, test } from "bun:test";
import { assert, property } from "fast-check";
import { checkChain, checkWallets } from "../../../../src/areas/credits/verification/operations.check";
import { actor, ground } from "../ground";
import { histories } from "../histories/random";
import { live } from "../histories/run";
import { expectRebuilt, findings } from "./rebuilt";

test("the check finds nothing after any history, and a rebuild from the ledger changes nothing", () => {
	const one = ground();
	assert(
		property(histories, (history) => {
			live(one, history);
			expectRebuilt(one);
		}),
		{ numRuns: 25 },
	);
}, 30_000);

/** A wallet with three entries: a grant, a consumption and an overdraft. */
function spent() {
	const one = ground();
	one.grant("first", 10);
	one.draw(4, 9);
	return one;
}

describe("the check names the first changed entry of the ledger", () => {
	for (const [what, sql, named] of [
		[
			"an amount",
			"UPDATE credit_entries SET amount = '5' WHERE sequence = 2",
			/^entry 2 of the credit ledger \([0-9a-f-]{36}\) or the entry before it was changed/,
		],
		["a time", "UPDATE credit_entries SET at = at + 1 WHERE sequence = 1", /^entry 1 of the credit ledger/],
		["a dimension", "UPDATE credit_entries SET dimensions = '{}' WHERE sequence = 3", /^entry 3 of the credit ledger/],
		["a hash", "UPDATE credit_entries SET hash = 'f' WHERE sequence = 3", /^entry 3 of the credit ledger/],
		["a removed entry", "DELETE FROM credit_entries WHERE sequence = 2", /^entry 2 is missing before entry 3 /],
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

describe("the check names rows that differ from the ledger, with their wallet", () => {
	for (const [what, sql, named] of [
		["an account", "UPDATE credit_wallets SET balance = '1'", "balance is 1, the ledger gives 0"],
		[
			"the active amount",
			"UPDATE credit_wallets SET active_consumed = '1'",
			"activeConsumed is 1, the ledger gives 10",
		],
		["the entry count", "UPDATE credit_wallets SET entry_count = 99", "entryCount is 99, the ledger gives "],
		[
			"a deleted last entry",
			"DELETE FROM credit_entries WHERE sequence = 4",
			"('Overdraft'): consumed is 3, the ledger gives 0",
		],
		[
			"the consumption of a grant",
			"UPDATE credit_grants SET consumed = '9' WHERE amount = '10'",
			"('first'): consumed is 9, the ledger gives 10",
		],
		[
			"a grant's status",
			"UPDATE credit_grants SET status = 'EXPIRED' WHERE amount = '10'",
			"activeAmount is 10, the ledger gives 0",
		],
		[
			"the amount of a grant",
			"UPDATE credit_grants SET amount = '20', is_open = 1 WHERE amount = '10'",
			"it is ACTIVE with 20 granted, the ledger gives 10",
		],
		[
			"an overdraft",
			"UPDATE credit_grants SET consumed = '0' WHERE grant_type = 'OVERDRAFT'",
			"('Overdraft'): consumed is 0, the ledger gives 3",
		],
		["the overdraft of a wallet", "UPDATE credit_wallets SET overdraft_grant_id = NULL", "overdraftGrantId is null"],
		["usage", "UPDATE credit_usage SET amount = '1' WHERE span = 'hour'", "the hour of"],
		["deleted usage", "DELETE FROM credit_usage", "has 0 consumed 0 times, the ledger gives 13, 2 times"],
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
