import { zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { issueGrant, voidGrant } from "./operations.grant-life";
import { minus } from "./posting";
import { recurringGrantsOf } from "./store.due";
import { selectWallet } from "./store.wallets";

/**
 * Moves what is left of the active grants of what recurs (its row id) to another resource of the same customer (the caller's
 * id; empty for none), to expire when it would have.
 */
export function moveRecurringGrants(work: Work, sourceId: string, resourceRef: string): void {
	for (const grant of recurringGrantsOf(work, sourceId)) {
		if (grant.resourceRef === resourceRef) continue;
		const wallet = selectWallet(work, grant.walletId);
		assert(wallet, "a grant has a wallet");
		const { status, amount, consumed, ...terms } = voidGrant(work, grant);
		const left = minus(amount, consumed);
		if (status !== "VOIDED" || left === zero) continue;
		const { customerId, displayName, comment, sourceType, priority, effectiveAt, expireAt, metadata } = terms;
		issueGrant(work, {
			...{ customerId, currencyId: wallet.currencyId, resourceRef },
			...{ displayName, comment, sourceType, sourceId, priority, effectiveAt, expireAt, metadata },
			grantType: "RECURRING",
			amount: left,
		});
	}
}
