import { eq } from "drizzle-orm";
import { zero } from "../../../kernel/decimal";
import { FolderError } from "../../../kernel/errors";
import { insertRows } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { RevenueTotals } from "../revenue/revenue-totals";
import { saveGrant, saveWallet } from "../store.wallets";
import { type CreditWalletRow, creditRevenue, creditUsage } from "../table";
import { ExpectedBalances } from "./expected-balances";
import { entriesOf, grantsOf, wallets } from "./store";

/**
 * Rebuilds from an environment's ledger: the accounts of its wallets, the consumed credits of its grants, usage by hours and days,
 * and revenue. The ledger and the statuses of grants stay unchanged. Returns the number of wallets.
 */
export function rebuildCredits(work: Work): number {
	const revenue = new RevenueTotals(work.actor.environmentId);
	let count = 0;
	for (const wallet of wallets(work)) {
		rebuildWallet(work, wallet, revenue);
		count += 1;
	}
	work.tx.delete(creditRevenue).where(eq(creditRevenue.environmentId, work.actor.environmentId)).run();
	insertRows(work, creditRevenue, [...revenue.rows().values()]);
	return count;
}

function rebuildWallet(work: Work, wallet: CreditWalletRow, revenue: RevenueTotals): void {
	const { id } = wallet;
	const grants = grantsOf(work, id);
	const expected = new ExpectedBalances(wallet, grants);
	for (const entry of entriesOf(work, id)) {
		const wrong = expected.add(entry);
		if (wrong !== undefined)
			throw new FolderError(`Entry ${entry.sequence} of the credit ledger is invalid: ${wrong}.`);
	}
	for (const grant of grants.values()) {
		const { consumed } = expected.ofGrant(grant.id);
		const isOpen = grant.status === "ACTIVE" && grant.grantType !== "OVERDRAFT" && consumed !== grant.amount;
		const status = grant.grantType === "OVERDRAFT" ? (consumed === zero ? "VOIDED" : "ACTIVE") : grant.status;
		if (grant.consumed !== consumed || grant.isOpen !== isOpen || grant.status !== status)
			saveGrant(work, grant, { consumed, isOpen, status });
	}
	saveWallet(work, wallet, expected.wallet());
	work.tx.delete(creditUsage).where(eq(creditUsage.walletId, id)).run();
	insertRows(work, creditUsage, [...expected.usage().values()]);
	revenue.add(wallet.currencyId, expected.revenue());
}
