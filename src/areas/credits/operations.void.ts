import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { carryOutDue } from "./operations.due";
import { end } from "./operations.end";
import { emitGrantEvent } from "./operations.events";
import { saveGrant, selectGrant } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/**
 * Voids a grant: its remaining credits can no longer be consumed, and consumed credits stay consumed. A grant that is already
 * expired or voided stays unchanged. Returns the grant as it is afterwards.
 */
export function voidGrant(work: Work, { id, walletId }: CreditGrantRow): CreditGrantRow {
	carryOutDue(work, walletId);
	const grant = selectGrant(work, id);
	assert(grant && grant.grantType !== "OVERDRAFT", "only existing grants are voided, and no overdrafts");
	switch (grant.status) {
		case "ACTIVE":
			return end(work, grant, { status: "VOIDED", eventType: "CREDITS_VOIDED" });
		case "PAYMENT_PENDING":
		case "SCHEDULED":
			return voidInactive(work, grant);
		case "EXPIRED":
		case "VOIDED":
			return grant;
	}
}

function voidInactive(work: Work, grant: CreditGrantRow): CreditGrantRow {
	const voided = saveGrant(work, grant, { status: "VOIDED", voidedAt: work.now, nextDueAt: null });
	emitGrantEvent(work, "voided", voided);
	return voided;
}
