import { systemActor } from "../../../src/areas/access/rules.actors";
import { consumeFromWallets, type WalletUse } from "../../../src/areas/credits/operations.consume";
import { issueGrant, type NewGrant } from "../../../src/areas/credits/operations.issue";
import type { WalletTotals } from "../../../src/areas/credits/operations.wallets";
import { findWallet } from "../../../src/areas/credits/store.wallets";
import { type CreditGrantRow, creditEntries, creditGrants } from "../../../src/areas/credits/table";
import { createCurrency } from "../../../src/areas/currencies/operations";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import type { Instant } from "../../../src/kernel/clock";
import type { Decimal } from "../../../src/kernel/decimal";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { freshFolder, testNow } from "../../support/world";

export const actor = systemActor("env");
export const day = 86_400_000;

/** A customer and a currency in a folder of their own, a manual clock, and operations on the wallet. */
export function ground() {
	const folder = freshFolder();
	const db = openFile(folder, "main", ["usage", "events"]);
	const clock = { at: testNow as Instant, now: () => clock.at };
	const transactions = openTransactions({ db, clock, newId: newUuidV7, wake: () => {} });
	const wallet = transactions.write(actor, (work) => ({
		customerId: provisionCustomer(work, { id: "acme" }).id,
		currencyId: createCurrency(work, { id: "tokens", displayName: "Tokens" }).id,
		resourceRef: "",
	}));
	const at = (days: number) => (testNow + days * day) as Instant;
	return {
		folder,
		db,
		clock,
		transactions,
		wallet,
		at,
		grant: (displayName: string, amount: number, given: Partial<NewGrant> = {}): CreditGrantRow =>
			transactions.write(actor, (work) =>
				issueGrant(work, {
					...wallet,
					displayName,
					grantType: "PROMOTIONAL",
					amount: String(amount) as Decimal,
					effectiveAt: work.now,
					expireAt: null,
					...given,
				}),
			),
		draw: (...amounts: number[]): WalletTotals[] =>
			transactions.write(actor, (work) =>
				consumeFromWallets(
					work,
					amounts.map(
						(amount): WalletUse => ({
							wallet,
							amount: String(amount) as Decimal,
							at: work.now,
							featureId: null,
							eventId: newUuidV7(),
							dimensions: null,
						}),
					),
				),
			),
		shown: () => transactions.read(actor, (work) => findWallet(work, wallet)),
		grants: () => transactions.read(actor, (work) => work.tx.select().from(creditGrants).all()),
		/** `type amount grant`, in the order of the ledger. */
		ledger: () =>
			transactions.read(actor, (work) => {
				const names = new Map(
					work.tx
						.select()
						.from(creditGrants)
						.all()
						.map(({ id, displayName }) => [id, displayName]),
				);
				return work.tx
					.select()
					.from(creditEntries)
					.all()
					.map(
						({ eventType, amount, grantId }) =>
							`${eventType.replace("CREDITS_", "").replace("CONSUMPTION_", "")} ${amount} ${names.get(grantId)}`,
					);
			}),
	};
}
