import type { Work } from "../../kernel/work";
import { appendEntries, type NewEntry } from "./ledger";
import { type Accounts, moved } from "./rules.accounts";
import { RevenueTally } from "./rules.revenue";
import { addRevenue } from "./store.revenue";
import { saveWallet, type WalletChanges } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

export { minus, plus } from "../../kernel/decimal";

/** An entry, with its grant as it was before. */
export interface Posting extends Omit<NewEntry, "wallet" | "grant"> {
	readonly grant: CreditGrantRow;
}

/** What changes of a wallet beside its accounts, which follow from the entries. */
export type AlsoChanged = Omit<WalletChanges, keyof Accounts>;

/** Writes entries of one wallet, and what follows from them: its accounts, and what became of the cost of its grants. */
export function post(
	work: Work,
	wallet: CreditWalletRow,
	entries: readonly Posting[],
	changes: AlsoChanged = {},
): CreditWalletRow {
	const rows = appendEntries(
		work,
		entries.map((entry) => ({ ...entry, wallet })),
	);
	const revenue = new RevenueTally();
	for (const entry of entries) revenue.add(entry, entry.grant, entry.grant.consumed);
	addRevenue(work, wallet, revenue.days());
	return saveWallet(work, wallet, { ...accountsAfter(wallet, rows), ...changes });
}

const accountsAfter = (
	{ granted, overdraft, balance, consumed, expired, voided }: Accounts,
	rows: Parameters<typeof moved>[1],
): Accounts => moved({ granted, overdraft, balance, consumed, expired, voided }, rows);
