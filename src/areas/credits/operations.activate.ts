import { type Decimal, exact, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { minus, plus, post } from "./posting";
import { getWallet, saveGrant, selectGrant } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/**
 * Activates a scheduled grant: it first settles the overdraft of its wallet, as far as it goes. A grant that expired before it was
 * created or paid settles nothing.
 */
export function activate(work: Work, grant: CreditGrantRow): CreditGrantRow {
	const wallet = getWallet(work, grant);
	const { overdraftGrantId } = wallet;
	const overdraft =
		overdraftGrantId === null || hasExpired(work, grant) ? undefined : selectGrant(work, overdraftGrantId);
	const settled = overdraft === undefined ? zero : lesser(overdraft.consumed, grant.amount);
	const active = saveGrant(work, grant, {
		status: "ACTIVE",
		consumed: settled,
		isOpen: exact(grant.amount).gt(exact(settled)),
		nextDueAt: grant.expireAt,
		activeAt: work.now,
	});
	const remainder = overdraft && settleOverdraft(work, overdraft, settled);
	const at = work.now;
	post(
		work,
		wallet,
		[
			{ grant, eventType: "CREDITS_GRANTED", amount: grant.amount, at },
			...(overdraft && settled !== zero
				? ([
						{ grant: overdraft, eventType: "CREDITS_CONSUMPTION_TRANSFER_SOURCE", amount: settled, at },
						{ grant, eventType: "CREDITS_CONSUMPTION_TRANSFER_TARGET", amount: settled, at },
					] as const)
				: []),
		],
		{
			activeAmount: plus(wallet.activeAmount, grant.amount),
			activeConsumed: plus(wallet.activeConsumed, settled),
			...(remainder?.status === "VOIDED" && { overdraftGrantId: null }),
		},
	);
	return active;
}

/** Reduces an overdraft. One that is settled completely is voided; the next shortfall creates another. */
export function settleOverdraft(work: Work, overdraft: CreditGrantRow, settled: Decimal): CreditGrantRow {
	const consumed = minus(overdraft.consumed, settled);
	return saveGrant(work, overdraft, {
		consumed,
		...(consumed === zero && { status: "VOIDED", voidedAt: work.now }),
	});
}

/** Whether a grant has expired. At the instant of its expiry it no longer counts. */
export const hasExpired = (work: Work, { expireAt }: CreditGrantRow): boolean =>
	expireAt !== null && expireAt <= work.now;

export const lesser = (one: Decimal, other: Decimal): Decimal => (exact(one).lt(exact(other)) ? one : other);
