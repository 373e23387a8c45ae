import { eq } from "drizzle-orm";
import { zero } from "../../../kernel/decimal";
import { FolderError } from "../../../kernel/errors";
import { insertRows } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { RevenueTotals } from "../revenue/revenue-totals";
import { saveGrant, saveWallet } from "../store.wallets";
import { type CreditWalletRow, creditRevenue, creditUsage } from "../table";
import { Reckoning } from "./expected-balances";
import { entriesOf, grantsOf, wallets } from "./store";

/**
 * Writes anew what follows from an environment's ledger: the figures of its wallets, what its grants have left, usage by hours
 * and days, and revenue. The ledger, and whether a grant is active, are left as they are. Answers how many wallets there were.
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
	const reckoning = new Reckoning(wallet, grants);
	for (const entry of entriesOf(work, id)) {
		const wrong = reckoning.add(entry);
		if (wrong !== undefined)
			throw new FolderError(`Nothing can be reckoned from entry ${entry.sequence} of the credit ledger: ${wrong}.`);
	}
	for (const grant of grants.values()) {
		const { consumed } = reckoning.ofGrant(grant.id);
		const isOpen = grant.status === "ACTIVE" && grant.grantType !== "OVERDRAFT" && consumed !== grant.amount;
		const status = grant.grantType === "OVERDRAFT" ? (consumed === zero ? "VOIDED" : "ACTIVE") : grant.status;
		if (grant.consumed !== consumed || grant.isOpen !== isOpen || grant.status !== status)
			saveGrant(work, grant, { consumed, isOpen, status });
	}
	saveWallet(work, wallet, reckoning.wallet());
	work.tx.delete(creditUsage).where(eq(creditUsage.walletId, id)).run();
	insertRows(work, creditUsage, [...reckoning.usage().values()]);
	revenue.add(wallet.currencyId, reckoning.revenue());
}
