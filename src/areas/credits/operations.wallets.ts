import { and, desc, eq, sql } from "drizzle-orm";
import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { type Decimal, exact, toWire } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Transaction, Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { minus, plus } from "./posting";
import { totalsOf, type WalletTotals } from "./rules.totals";
import type { ConsumedCredits } from "./schema.consumed";
import {
	dueOfWallet,
	getWallet,
	openGrants,
	periodEndOfWallet,
	selectGrant,
	selectWallet,
	walletsOfResource,
} from "./store.wallets";
import { type CreditGrantRow, type CreditWalletRow, creditEntries } from "./table";

export { newestConsumptions } from "./ledger/append";
export { remainingOf, totalsOf, type WalletTotals } from "./rules.totals";
export { findWallet, nextDueOfWallet, periodEndOfWallet, type WalletOf } from "./store.wallets";

export function findTotals(work: Work, walletId: string): WalletTotals | undefined {
	const wallet = selectWallet(work, walletId);
	return wallet && currentTotals(work, wallet);
}

/**
 * Returns the wallets of a resource (the caller's id), one for each currency: its own, and the customer's in other currencies.
 * Without a resource, returns the customer's.
 */
export function walletsFor(work: Work, customerId: string, resourceRef: string | null): CreditWalletRow[] {
	const ofCustomer = walletsOfResource(work, customerId, "");
	if (resourceRef === null) return ofCustomer;
	const own = walletsOfResource(work, customerId, resourceRef);
	const currencies = new Set(own.map(({ currencyId }) => currencyId));
	return [...own, ...ofCustomer.filter(({ currencyId }) => !currencies.has(currencyId))];
}

export const findWalletById = (work: Work, id: string): CreditWalletRow | undefined => selectWallet(work, id);

/** Returns when a grant of the wallet last became active. */
export const lastGrantedAt = (work: Work, { id, customerId }: CreditWalletRow): Instant | undefined =>
	work.prepared(lastGranted).get({ walletId: id, customerId })?.at;

const lastGranted = (tx: Transaction) =>
	tx
		.select({ at: creditEntries.at })
		.from(creditEntries)
		.where(
			and(
				eq(creditEntries.customerId, sql.placeholder("customerId")),
				eq(creditEntries.eventType, "CREDITS_GRANTED"),
				// The condition of the index.
				sql`event_type <> 'CREDITS_CONSUMED'`,
				sql`+${creditEntries.walletId} = ${sql.placeholder("walletId")}`,
			),
		)
		.orderBy(desc(creditEntries.sequence))
		.limit(1)
		.prepare();

/** Returns the first grants with remaining credits, in the order of consumption. */
export const firstOpenGrants = (work: Work, walletId: string, rowsMax: number): CreditGrantRow[] =>
	[...openGrants(work, walletId).take(rowsMax)].filter(({ expireAt }) => expireAt === null || expireAt > work.now);

/** Returns the overdraft that later grants will settle. */
export const overdraftOf = (work: Work, { overdraftGrantId }: CreditWalletRow): CreditGrantRow | undefined =>
	overdraftGrantId === null ? undefined : selectGrant(work, overdraftGrantId);

/** Returns the consumed credits and the balance afterwards, with the environment's time as the version of the balance. */
export function viewConsumed(work: Work, shown: WalletTotals, consumed: Decimal): ConsumedCredits {
	const { currencyId } = getWallet(work, shown);
	const currency = currenciesByIds(work, [currencyId]).get(currencyId);
	assert(currency, "wallets have a currency");
	return {
		currencyId: currency.refId,
		consumed: toWire(consumed),
		currentUsage: toWire(shown.usage),
		usageLimit: toWire(shown.limit),
		timestamp: toIso(work.now),
		usagePeriodEnd: toIsoOrNull(periodEndOfWallet(work, shown.walletId)),
	};
}

/** The due steps that a read calculates ahead. The scheduler carries them out within moments. */
const stepsAheadMax = 100;

/** Returns the totals of a wallet now, including due steps that are not carried out yet. */
export function currentTotals(work: Work, wallet: CreditWalletRow): WalletTotals {
	const due = dueOfWallet(work, wallet.id, work.now, stepsAheadMax);
	return totalsOf(due.reduce((state, grant) => afterStep(state, grant, work.now), wallet));
}

function afterStep(wallet: CreditWalletRow, { status, amount, consumed, expireAt }: CreditGrantRow, now: Instant) {
	const { activeAmount, activeConsumed, overdraft } = wallet;
	if (status !== "SCHEDULED")
		return { ...wallet, activeAmount: minus(activeAmount, amount), activeConsumed: minus(activeConsumed, consumed) };
	const settled = exact(overdraft).lt(exact(amount)) ? overdraft : amount;
	const after = { ...wallet, overdraft: minus(overdraft, settled) };
	// The grant became active and expired meanwhile. It has settled as much of the overdraft as it could.
	if (expireAt !== null && expireAt <= now) return after;
	return { ...after, activeAmount: plus(activeAmount, amount), activeConsumed: plus(activeConsumed, settled) };
}
