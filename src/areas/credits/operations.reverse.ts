import type { Instant } from "../../kernel/clock";
import { type Decimal, minus, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { countAtBudgets } from "../governance/operations.count";
import type { Dimensions } from "../pricing/models/formula";
import { newestGrantsConsumed } from "./ledger/append";
import { lesser, settleOverdraft } from "./operations.activate";
import { carryOutDue } from "./operations.due";
import { type Posting, post } from "./posting";
import { saveGrant, selectGrant, selectWallet } from "./store.wallets";
import type { CreditGrantRow } from "./table";
import { addUsage } from "./usage/store";

/** The consumption of a usage event that was canceled. */
export interface Reversal {
	/** Row id. */
	readonly walletId: string;
	/** More than zero. */
	readonly amount: Decimal;
	/** The time of the consumption. */
	readonly at: Instant;
	/** Row id. */
	readonly featureId: string;
	/** The id of the canceled usage event. */
	readonly eventId: string;
	readonly dimensions: Dimensions | null;
}

/**
 * Releases the credits of a canceled event to its wallet: to the overdraft first, then to the active grants, the last consumed one
 * first. A late event consumes from the grants that are active now, and so a canceled event releases to those. Credits of grants
 * that have ended since are lost, unless the active grants have enough consumed credits. Returns the released amount.
 */
export function reverseConsumption(work: Work, { walletId, amount, ...about }: Reversal): Decimal {
	carryOutDue(work, walletId);
	const wallet = selectWallet(work, walletId);
	if (!wallet) return zero;
	const { customerId, currencyId } = wallet;
	const { at, dimensions, eventId } = about;
	countAtBudgets(work, {
		...{ customerId, capabilityId: currencyId, dimensions, at, amount: minus(zero, amount), sourceId: eventId },
	});
	let unreleased = amount;
	let { overdraftGrantId, activeConsumed } = wallet;
	const entries: Posting[] = [];
	const release = (grant: CreditGrantRow): Decimal => {
		const part = lesser(grant.consumed, unreleased);
		unreleased = minus(unreleased, part);
		if (part !== zero)
			entries.push({ ...about, eventType: "CREDITS_CONSUMPTION_TRANSFER_SOURCE", grant, amount: part });
		return part;
	};
	const overdraft = overdraftGrantId === null ? undefined : selectGrant(work, overdraftGrantId);
	if (overdraft && settleOverdraft(work, overdraft, release(overdraft)).status === "VOIDED") overdraftGrantId = null;
	for (const grant of newestGrantsConsumed(work, walletId)) {
		if (unreleased === zero || activeConsumed === zero) break;
		if (grant.status !== "ACTIVE" || grant.grantType === "OVERDRAFT") continue;
		const part = release(grant);
		activeConsumed = minus(activeConsumed, part);
		if (part !== zero) saveGrant(work, grant, { consumed: minus(grant.consumed, part), isOpen: true });
	}
	if (entries.length > 0) {
		addUsage(work, walletId, [{ ...about, amount: minus(unreleased, amount), events: -1 }]);
		post(work, wallet, entries, { activeConsumed, overdraftGrantId });
	}
	return minus(amount, unreleased);
}
