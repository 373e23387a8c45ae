import { zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { emitGrantEvent } from "./operations.events";
import { minus, post } from "./posting";
import { getWallet, saveGrant } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/** Expires an active grant. Its remaining credits are lost. */
export const expire = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	end(work, grant, { status: "EXPIRED", eventType: "CREDITS_EXPIRED" });

/** Ends an active grant, and removes its remaining credits from the balance. */
export function end(
	work: Work,
	grant: CreditGrantRow,
	{ status, eventType }: { status: "EXPIRED" | "VOIDED"; eventType: "CREDITS_EXPIRED" | "CREDITS_VOIDED" },
): CreditGrantRow {
	const wallet = getWallet(work, grant);
	const ended = saveGrant(work, grant, {
		status,
		isOpen: false,
		nextDueAt: null,
		...(status === "VOIDED" && { voidedAt: work.now }),
	});
	const remaining = minus(grant.amount, grant.consumed);
	post(work, wallet, remaining === zero ? [] : [{ grant, eventType, amount: remaining, at: work.now }], {
		activeAmount: minus(wallet.activeAmount, grant.amount),
		activeConsumed: minus(wallet.activeConsumed, grant.consumed),
	});
	emitGrantEvent(work, status === "EXPIRED" ? "expired" : "voided", ended);
	return ended;
}
