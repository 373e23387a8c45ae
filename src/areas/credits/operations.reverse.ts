import type { Instant } from "../../kernel/clock";
import { type Decimal, minus, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import type { Dimensions } from "../pricing/models/formula";
import { newestGrantsConsumed } from "./ledger/append";
import { carryOutDue, least, settleOverdraft } from "./operations.due";
import { type Posting, post } from "./posting";
import { saveGrant, selectGrant, selectWallet } from "./store.wallets";
import type { CreditGrantRow } from "./table";
import { addUsage } from "./usage/store";

/** What was taken from a wallet by something that has not happened after all. */
export interface GivenBack {
	/** Row id. */
	readonly walletId: string;
	/** More than zero. */
	readonly amount: Decimal;
	/** When it was consumed. */
	readonly at: Instant;
	/** Row id. */
	readonly featureId: string;
	/** The usage event that was taken back. */
	readonly eventId: string;
	readonly dimensions: Dimensions | null;
}

/**
 * Gives credits back to a wallet: what was used last comes back first, of the overdraft before all, then of the grants that are
 * active now. As a late event takes of what is active now, one that is taken back gives back to it; what was taken of grants
 * that have ended since, and is more than the active ones have lost, is gone with them. Answers how much was given back.
 */
export function giveBackCredits(work: Work, { walletId, amount, ...about }: GivenBack): Decimal {
	carryOutDue(work, walletId);
	const wallet = selectWallet(work, walletId);
	if (!wallet) return zero;
	let left = amount;
	let { overdraftGrantId, activeConsumed } = wallet;
	const entries: Posting[] = [];
	const take = (grant: CreditGrantRow): Decimal => {
		const part = least(grant.consumed, left);
		left = minus(left, part);
		if (part !== zero)
			entries.push({ ...about, eventType: "CREDITS_CONSUMPTION_TRANSFER_SOURCE", grant, amount: part });
		return part;
	};
	const overdraft = overdraftGrantId === null ? undefined : selectGrant(work, overdraftGrantId);
	if (overdraft && settleOverdraft(work, overdraft, take(overdraft)).status === "VOIDED") overdraftGrantId = null;
	for (const grant of newestGrantsConsumed(work, walletId)) {
		if (left === zero || activeConsumed === zero) break;
		if (grant.status !== "ACTIVE" || grant.grantType === "OVERDRAFT") continue;
		const part = take(grant);
		activeConsumed = minus(activeConsumed, part);
		if (part !== zero) saveGrant(work, grant, { consumed: minus(grant.consumed, part), isOpen: true });
	}
	if (entries.length > 0) {
		addUsage(work, walletId, [{ ...about, amount: minus(left, amount), events: -1 }]);
		post(work, wallet, entries, { activeConsumed, overdraftGrantId });
	}
	return minus(amount, left);
}
