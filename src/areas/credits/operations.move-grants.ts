import { zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { issueGrant } from "./operations.issue";
import { voidGrant } from "./operations.void";
import { minus } from "./posting";
import { recurringGrantsOf } from "./store.due";
import { getWallet } from "./store.wallets";

/**
 * Moves the remaining credits of the active grants of a recurring source (its row id) to another resource of the same customer
 * (the caller's id; empty for none). They keep their expiry.
 */
export function moveRecurringGrants(work: Work, sourceId: string, resourceRef: string): void {
	for (const grant of recurringGrantsOf(work, sourceId)) {
		if (grant.resourceRef === resourceRef) continue;
		const wallet = getWallet(work, grant);
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
