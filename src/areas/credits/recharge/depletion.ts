import { exact, minus, plus } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { CreditWalletRow } from "../table";
import { findRecharge, saveRecharge } from "./store";

/** What a wallet's active grants have left, less what waits for grants. */
export const balanceOf = ({ activeAmount, activeConsumed, overdraft, waiting }: CreditWalletRow) =>
	minus(activeAmount, plus(plus(activeConsumed, overdraft), waiting));

/**
 * After each write of a wallet: at or below its threshold, the recharge is the sweep's next step. Once only: while one is due,
 * or waits for its payment, no other begins. The credits of a resource are not recharged.
 */
export function rechargeIfDepleted(work: Work, wallet: CreditWalletRow): void {
	if (wallet.resourceRef !== "") return;
	const settings = findRecharge(work, wallet);
	if (!settings?.isEnabled || settings.nextDueAt !== null || settings.pendingGrantId !== null) return;
	if (exact(balanceOf(wallet)).gt(exact(settings.thresholdCredits))) return;
	saveRecharge(work, settings, { nextDueAt: work.now });
	work.wake("scheduler");
}
