import { minus } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { startOfMonth } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { saveGrant, selectWallet } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { expiryOf } from "./rules";
import { findRecharge, saveRecharge } from "./store";

/**
 * A grant that waited for its payment waits no more. Where a recharge made it, another one may begin; paid, it counts and
 * lives from now on (our choice: a late payment shortens nothing); voided, it has cost the month nothing.
 */
export function endWaiting(work: Work, grant: CreditGrantRow, by: "paid" | "voided"): CreditGrantRow {
	const wallet = selectWallet(work, grant.walletId);
	assert(wallet, "a grant has a wallet");
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
