import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { appendEntries, type NewEntry } from "./ledger/append";
import { rechargeIfDepleted } from "./recharge/depletion";
import { RevenueTally } from "./revenue/rules.tally";
import { addRevenue } from "./revenue/store";
import { type Accounts, moved } from "./rules.accounts";
import { saveWallet, type WalletChanges } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

export { minus, plus } from "../../kernel/decimal";

/** An entry, with its grant as it was before. */
export interface Posting extends Omit<NewEntry, "wallet" | "grant"> {
	readonly grant: CreditGrantRow;
}

/** What changes of a wallet beside its accounts, which follow from the entries. */
export type AlsoChanged = Omit<WalletChanges, keyof Accounts | "entryCount">;

/** What is to be written of one wallet. */
export interface Posted {
	readonly wallet: CreditWalletRow;
	readonly entries: readonly Posting[];
	readonly changes: AlsoChanged;
}

/** Writes entries of one wallet, and what follows from them: its accounts, and what became of the cost of its grants. */
export function post(
	work: Work,
	wallet: CreditWalletRow,
	entries: readonly Posting[],
	changes: AlsoChanged = {},
): CreditWalletRow {
	const [after] = postTogether(work, [{ wallet, entries, changes }]);
	assert(after, "what is posted has a wallet");
	return after;
}

/** The same of several wallets of an environment, in one go. */
export function postTogether(work: Work, posted: readonly Posted[]): CreditWalletRow[] {
	const rows = appendEntries(
		work,
		posted.flatMap(({ wallet, entries }) => entries.map((entry) => ({ ...entry, wallet }))),
	);
	for (const those of Map.groupBy(posted, ({ wallet }) => wallet.currencyId).values()) {
		const revenue = new RevenueTally();
		for (const { entries } of those) for (const entry of entries) revenue.add(entry, entry.grant, entry.grant.consumed);
		if (those[0]) addRevenue(work, those[0].wallet, revenue.days());
	}
	let first = 0;
	return posted.map(({ wallet, entries, changes }) => {
		const own = rows.slice(first, first + entries.length);
		first += entries.length;
		const after = saveWallet(work, wallet, {
			...accountsAfter(wallet, own),
			entryCount: wallet.entryCount + own.length,
			...changes,
		});
		if (own.length > 0) rechargeIfDepleted(work, after);
		return after;
	});
}

const accountsAfter = (
	{ granted, overdraft, balance, consumed, expired, voided }: Accounts,
	rows: Parameters<typeof moved>[1],
): Accounts => moved({ granted, overdraft, balance, consumed, expired, voided }, rows);
