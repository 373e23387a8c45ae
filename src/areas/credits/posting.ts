import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { appendEntries, type NewEntry } from "./ledger/append";
import { scheduleRechargeIfLow } from "./recharge/schedule";
import { RevenueTally } from "./revenue/rules.tally";
import { addRevenue } from "./revenue/store";
import { type Accounts, accountsAfter } from "./rules.accounts";
import { saveWallet, type WalletChanges } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

export { minus, plus } from "../../kernel/decimal";

/** A ledger entry, and its grant as it was before. */
export interface Posting extends Omit<NewEntry, "wallet" | "grant"> {
	readonly grant: CreditGrantRow;
}

/** The changes of a wallet in addition to its accounts, which follow from the entries. */
export type OtherWalletChanges = Omit<WalletChanges, keyof Accounts | "entryCount">;

/** The entries and changes of one wallet. */
export interface WalletPosting {
	readonly wallet: CreditWalletRow;
	readonly entries: readonly Posting[];
	readonly changes: OtherWalletChanges;
}

/** Writes ledger entries of one wallet, its accounts, and the revenue of its grants. Returns the changed wallet. */
export function post(
	work: Work,
	wallet: CreditWalletRow,
	entries: readonly Posting[],
	changes: OtherWalletChanges = {},
): CreditWalletRow {
	const [after] = postTogether(work, [{ wallet, entries, changes }]);
	assert(after, "each posting returns its wallet");
	return after;
}

/** As `post`, for several wallets of an environment at once. */
export function postTogether(work: Work, posted: readonly WalletPosting[]): CreditWalletRow[] {
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
			...accountsAfter(accountsIn(wallet), own),
			entryCount: wallet.entryCount + own.length,
			...changes,
		});
		if (own.length > 0) scheduleRechargeIfLow(work, after);
		return after;
	});
}

const accountsIn = ({ granted, overdraft, balance, consumed, expired, voided }: CreditWalletRow): Accounts => ({
	granted,
	overdraft,
	balance,
	consumed,
	expired,
	voided,
});
