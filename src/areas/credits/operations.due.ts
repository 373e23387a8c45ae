import { HttpRefusal } from "../../http/refusal";
import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { type Work, workAt } from "../../kernel/work";
import { grantTold } from "./operations.events";
import { minus, plus, post } from "./posting";
import { firstDueOfWallet, saveGrant, selectGrant, selectWallet } from "./store.wallets";
import type { CreditGrantRow, CreditWalletRow } from "./table";

/** What falls due of a grant: it becomes effective, or expires; at its own time. */
export function carryOut(work: Work, grant: CreditGrantRow, dueAt: Instant): CreditGrantRow {
	const then = workAt(work, dueAt);
	if (grant.status !== "SCHEDULED") return expire(then, grant);
	const active = activate(then, grant);
	grantTold(then, "updated", active);
	return active;
}

/** Our choice: as many steps as a consumption carries out before itself; nearly always there is none. */
const stepsPerCallMax = 100;

/**
 * Carries out what is due of a wallet by now, so that nothing is taken of what has expired; 503 for a longer backlog. Answers
 * whether there was anything.
 */
export function carryOutDue(work: Work, walletId: string): boolean {
	for (let steps = 0; steps < stepsPerCallMax; steps += 1) {
		const grant = firstDueOfWallet(work, walletId, work.now);
		if (grant?.nextDueAt == null) return steps > 0;
		carryOut(work, grant, grant.nextDueAt);
	}
	if (!firstDueOfWallet(work, walletId, work.now)) return true;
	throw new HttpRefusal(
		503,
		"Many grants of this customer have fallen due and are being carried out; repeat the call shortly. On a frozen test clock, set the clock to the time at which it stands first.",
		{ "Retry-After": "1" },
	);
}

/**
 * A scheduled grant becomes effective: it settles the overdraft of its wallet first, as far as it goes. One whose end has come
 * before it was made, or paid, settles nothing.
 */
export function activate(work: Work, grant: CreditGrantRow): CreditGrantRow {
	const wallet = walletOf(work, grant);
	const { overdraftGrantId } = wallet;
	const overdraft =
		overdraftGrantId === null || hasEnded(work, grant) ? undefined : selectGrant(work, overdraftGrantId);
	const settled = overdraft === undefined ? zero : least(overdraft.consumed, grant.amount);
	const active = saveGrant(work, grant, {
		status: "ACTIVE",
		consumed: settled,
		isOpen: exact(grant.amount).gt(exact(settled)),
		nextDueAt: grant.expireAt,
		activeAt: work.now,
	});
	const left = overdraft && settleOverdraft(work, overdraft, settled);
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
			...(left?.status === "VOIDED" && { overdraftGrantId: null }),
		},
	);
	return active;
}

/** An overdraft that is settled whole is over; the next shortfall makes another. */
export function settleOverdraft(work: Work, overdraft: CreditGrantRow, settled: Decimal): CreditGrantRow {
	const consumed = minus(overdraft.consumed, settled);
	return saveGrant(work, overdraft, {
		consumed,
		...(consumed === zero && { status: "VOIDED", voidedAt: work.now }),
	});
}

/** Its end is the first instant at which it does not count. */
export const hasEnded = (work: Work, { expireAt }: CreditGrantRow): boolean =>
	expireAt !== null && expireAt <= work.now;

/** What is left of an active grant is lost at its end. */
export const expire = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	end(work, grant, { status: "EXPIRED", eventType: "CREDITS_EXPIRED" });

/** Takes what is left of an active grant out of the balance. */
export function end(
	work: Work,
	grant: CreditGrantRow,
	{ status, eventType }: { status: "EXPIRED" | "VOIDED"; eventType: "CREDITS_EXPIRED" | "CREDITS_VOIDED" },
): CreditGrantRow {
	const wallet = walletOf(work, grant);
	const ended = saveGrant(work, grant, {
		status,
		isOpen: false,
		nextDueAt: null,
		...(status === "VOIDED" && { voidedAt: work.now }),
	});
	const left = minus(grant.amount, grant.consumed);
	post(work, wallet, left === zero ? [] : [{ grant, eventType, amount: left, at: work.now }], {
		activeAmount: minus(wallet.activeAmount, grant.amount),
		activeConsumed: minus(wallet.activeConsumed, grant.consumed),
	});
	grantTold(work, status === "EXPIRED" ? "expired" : "voided", ended);
	return ended;
}

const walletOf = (work: Work, { walletId }: CreditGrantRow): CreditWalletRow => {
	const wallet = selectWallet(work, walletId);
	assert(wallet, "a grant has a wallet");
	return wallet;
};

export const least = (one: Decimal, other: Decimal): Decimal => (exact(one).lt(exact(other)) ? one : other);
