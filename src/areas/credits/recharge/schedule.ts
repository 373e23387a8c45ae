import { exact, minus, plus } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { CreditWalletRow } from "../table";
import { findRecharge, saveRecharge } from "./store";

/** Returns the remaining credits of a wallet's active grants, minus its overdraft and accepted consumptions. */
export const balanceOf = ({ activeAmount, activeConsumed, overdraft, waiting }: CreditWalletRow) =>
	minus(activeAmount, plus(plus(activeConsumed, overdraft), waiting));

/**
 * Schedules a recharge after a write of a wallet, if the balance is at or below the threshold. Does nothing while a recharge is due
 * or awaits its payment. The credits of a resource are never recharged.
 */
export function scheduleRechargeIfLow(work: Work, wallet: CreditWalletRow): void {
	if (wallet.resourceRef !== "") return;
	const settings = findRecharge(work, wallet);
	if (!settings?.isEnabled || settings.nextDueAt !== null || settings.pendingGrantId !== null) return;
	if (exact(balanceOf(wallet)).gt(exact(settings.thresholdCredits))) return;
	saveRecharge(work, settings, { nextDueAt: work.now });
	work.wake("scheduler");
}
