import { minus } from "../../../kernel/decimal";
import { startOfMonth } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { getWallet, saveGrant } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { expiryOf } from "./rules";
import { findRecharge, saveRecharge } from "./store";

/**
 * Ends the pending payment of a grant. If a recharge created the grant, the next recharge may start. A paid grant is effective from
 * now, so a late payment does not shorten it. A voided grant no longer counts in the spend of the month.
 */
export function endPendingRecharge(work: Work, grant: CreditGrantRow, by: "paid" | "voided"): CreditGrantRow {
	const wallet = getWallet(work, grant);
	const settings = wallet.resourceRef === "" ? findRecharge(work, wallet) : undefined;
	if (settings?.pendingGrantId !== grant.id) return grant;
	const isOfMonth = settings.spentMonth === startOfMonth(grant.createdAt);
	saveRecharge(work, settings, {
		pendingGrantId: null,
		...(by === "voided" && isOfMonth && { spent: minus(settings.spent, grant.costAmount) }),
	});
	if (by === "voided") return grant;
	const expireAt = expiryOf(settings.grantExpirationPeriod, work.now);
	return saveGrant(work, grant, { effectiveAt: work.now, expireAt, expiryRank: expireAt });
}
