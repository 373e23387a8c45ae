import { and, desc, eq, sql } from "drizzle-orm";
import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { type Decimal, exact, toWire } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Transaction, Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { minus, plus } from "./posting";
import { shownOf, type WalletShown } from "./rules.totals";
import type { CreditTaken } from "./schema.consumed";
import {
	dueOfWallet,
	openGrants,
	periodEndOfWallet,
	selectGrant,
	selectWallet,
	walletsOfResource,
} from "./store.wallets";
import { type CreditGrantRow, type CreditWalletRow, creditEntries } from "./table";

export { newestConsumptions } from "./ledger/append";
export { leftOf, shownOf, type WalletShown } from "./rules.totals";
export { findWallet, nextDueOfWallet, periodEndOfWallet, type WalletOf } from "./store.wallets";

export function findShownById(work: Work, walletId: string): WalletShown | undefined {
	const wallet = selectWallet(work, walletId);
	return wallet && shownNow(work, wallet);
}

/**
 * The wallets that count for a resource of a customer (the caller's id): its own, and the customer's of other currencies;
 * without a resource the customer's. One for each currency.
 */
export function walletsFor(work: Work, customerId: string, resourceRef: string | null): CreditWalletRow[] {
	const ofCustomer = walletsOfResource(work, customerId, "");
	if (resourceRef === null) return ofCustomer;
	const own = walletsOfResource(work, customerId, resourceRef);
	const currencies = new Set(own.map(({ currencyId }) => currencyId));
	return [...own, ...ofCustomer.filter(({ currencyId }) => !currencies.has(currencyId))];
}

export const findWalletById = (work: Work, id: string): CreditWalletRow | undefined => selectWallet(work, id);

/** When a grant of the wallet became effective last. */
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
				// As the index says it.
				sql`event_type <> 'CREDITS_CONSUMED'`,
				sql`+${creditEntries.walletId} = ${sql.placeholder("walletId")}`,
			),
		)
		.orderBy(desc(creditEntries.sequence))
		.limit(1)
		.prepare();

/** The first so many grants of which something is left, in the order in which they are consumed. */
export const someOpenGrants = (work: Work, walletId: string, rowsMax: number): CreditGrantRow[] =>
	[...openGrants(work, walletId).take(rowsMax)].filter(({ expireAt }) => expireAt === null || expireAt > work.now);

/** What waits for grants to settle it. */
export const overdraftOf = (work: Work, { overdraftGrantId }: CreditWalletRow): CreditGrantRow | undefined =>
	overdraftGrantId === null ? undefined : selectGrant(work, overdraftGrantId);

/** What was taken at once, and what there is since; as a change of the balance it is told in the environment's time. */
export function takenView(work: Work, shown: WalletShown, consumed: Decimal): CreditTaken {
	const wallet = selectWallet(work, shown.walletId);
	const currency = wallet && currenciesByIds(work, [wallet.currencyId]).get(wallet.currencyId);
	assert(currency, "a wallet that is drawn on has a currency");
	return {
		currencyId: currency.refId,
		consumed: toWire(consumed),
		currentUsage: toWire(shown.usage),
		usageLimit: toWire(shown.limit),
		timestamp: toIso(work.now),
		usagePeriodEnd: toIsoOrNull(periodEndOfWallet(work, shown.walletId)),
	};
}

/** Our choice: as many steps as a reading looks ahead; the sweep carries them out within moments. */
const stepsAheadMax = 100;

/** What the wallet shows now, with what has fallen due and was not carried out yet. */
export function shownNow(work: Work, wallet: CreditWalletRow): WalletShown {
	const due = dueOfWallet(work, wallet.id, work.now, stepsAheadMax);
	return shownOf(due.reduce((state, grant) => afterStep(state, grant, work.now), wallet));
}

function afterStep(wallet: CreditWalletRow, { status, amount, consumed, expireAt }: CreditGrantRow, now: Instant) {
	const { activeAmount, activeConsumed, overdraft } = wallet;
	if (status !== "SCHEDULED")
		return { ...wallet, activeAmount: minus(activeAmount, amount), activeConsumed: minus(activeConsumed, consumed) };
	const settled = exact(overdraft).lt(exact(amount)) ? overdraft : amount;
	const after = { ...wallet, overdraft: minus(overdraft, settled) };
	// It has come and gone meanwhile, and has settled what it could.
	if (expireAt !== null && expireAt <= now) return after;
	return { ...after, activeAmount: plus(activeAmount, amount), activeConsumed: plus(activeConsumed, settled) };
}
