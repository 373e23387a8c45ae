import { expect } from "bun:test";
import { checkChain, checkWallets } from "../../../../src/areas/credits/verification/operations.check";
import { rebuildCredits } from "../../../../src/areas/credits/verification/operations.rebuild";
import { actor, type ground } from "../ground";

type Ground = ReturnType<typeof ground>;

/** Returns the findings of the check. */
export const findings = ({ transactions }: Ground): string[] => [
	...transactions.read(actor, checkChain),
	...transactions.read(actor, checkWallets),
];

/** All stored rows that follow from the ledger. */
const figures = ({ db }: Ground) =>
	[
		"SELECT id, granted, overdraft, balance, consumed, expired, voided, active_amount, active_consumed, entry_count, overdraft_grant_id FROM credit_wallets ORDER BY id",
		"SELECT id, status, consumed, is_open FROM credit_grants ORDER BY id",
		"SELECT * FROM credit_usage ORDER BY wallet_id, span, at, feature_id",
		"SELECT * FROM credit_revenue ORDER BY environment_id, span, at, currency_id, grant_type, cost_currency",
	].map((sql) => db.$client.query(sql).all());

const ruin = ({ db }: Ground): void => {
	for (const sql of [
		"UPDATE credit_wallets SET granted = '7', overdraft = '7', balance = '1.5', consumed = '0', active_amount = '3', active_consumed = '9', entry_count = 77, overdraft_grant_id = NULL",
		"UPDATE credit_grants SET consumed = '0', is_open = 1",
		"UPDATE credit_usage SET amount = '1', events = 99",
		"DELETE FROM credit_revenue",
	])
		db.$client.run(sql);
};

/** Asserts that the check finds nothing, and that a rebuild restores damaged rows from the ledger. */
export function expectRebuilt(one: Ground): void {
	expect(findings(one)).toEqual([]);
	const before = figures(one);
	ruin(one);
	one.transactions.write(actor, rebuildCredits);
	expect(figures(one)).toEqual(before);
}
