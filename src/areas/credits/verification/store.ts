import { and, asc, eq, gt } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import {
	type CreditEntryRow,
	type CreditGrantRow,
	type CreditWalletRow,
	creditEntries,
	creditGrants,
	creditUsage,
	creditWallets,
} from "../table";
import type { UsageRow } from "./expected-balances";

/** The rows in memory at a time. */
const rowsAtOnce = 1000;

/** Returns entries of all wallets and environments, which share one chain. */
export const entriesAfter = ({ tx }: Work, sequence: number): CreditEntryRow[] =>
	tx
		.select()
		.from(creditEntries)
		.where(gt(creditEntries.sequence, sequence))
		.orderBy(asc(creditEntries.sequence))
		.limit(rowsAtOnce)
		.all();

export function* entriesOf({ tx }: Work, walletId: string): Generator<CreditEntryRow, undefined> {
	for (let last = 0; ; ) {
		const rows = tx
			.select()
			.from(creditEntries)
			.where(and(eq(creditEntries.walletId, walletId), gt(creditEntries.sequence, last)))
			.orderBy(asc(creditEntries.sequence))
			.limit(rowsAtOnce)
			.all();
		yield* rows;
		last = rows.at(-1)?.sequence ?? last;
		if (rows.length < rowsAtOnce) return;
	}
}

/** Yields the wallets of the environment. Changes of wallets that it has already yielded are allowed. */
export function* wallets({ tx, actor }: Work): Generator<CreditWalletRow, undefined> {
	for (let last = ""; ; ) {
		const rows = tx
			.select()
			.from(creditWallets)
			.where(and(eq(creditWallets.environmentId, actor.environmentId), gt(creditWallets.id, last)))
			.orderBy(asc(creditWallets.id))
			.limit(rowsAtOnce)
			.all();
		yield* rows;
		last = rows.at(-1)?.id ?? last;
		if (rows.length < rowsAtOnce) return;
	}
}

export const grantsOf = ({ tx }: Work, walletId: string): Map<string, CreditGrantRow> =>
	new Map(
		tx
			.select()
			.from(creditGrants)
			.where(eq(creditGrants.walletId, walletId))
			.orderBy(asc(creditGrants.id))
			.all()
			.map((grant) => [grant.id, grant]),
	);

export const usageOf = ({ tx }: Work, walletId: string): UsageRow[] =>
	tx.select().from(creditUsage).where(eq(creditUsage.walletId, walletId)).all();
