import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { appendEntries, type NewEntry } from "./ledger";
import { type Accounts, moved } from "./rules.accounts";
import { saveWallet, type WalletChanges } from "./store.wallets";
import type { CreditWalletRow } from "./table";

/** What changes of a wallet beside its accounts, which follow from the entries. */
export type AlsoChanged = Omit<WalletChanges, keyof Accounts>;

/** Writes entries of one wallet, and the accounts that follow from them. */
export function post(
	work: Work,
	wallet: CreditWalletRow,
	entries: ReadonlyArray<Omit<NewEntry, "wallet">>,
	changes: AlsoChanged = {},
): CreditWalletRow {
	const rows = appendEntries(
		work,
		entries.map((entry) => ({ ...entry, wallet })),
	);
	return saveWallet(work, wallet, { ...accountsAfter(wallet, rows), ...changes });
}

const accountsAfter = (
	{ granted, overdraft, balance, consumed, expired, voided }: Accounts,
	rows: Parameters<typeof moved>[1],
): Accounts => moved({ granted, overdraft, balance, consumed, expired, voided }, rows);

export const plus = (one: Decimal, other: Decimal): Decimal => toDecimal(exact(one).plus(exact(other)));
export const minus = (one: Decimal, other: Decimal): Decimal => toDecimal(exact(one).minus(exact(other)));
