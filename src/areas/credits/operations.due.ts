import { HttpRefusal } from "../../http/refusal";
import type { Instant } from "../../kernel/clock";
import { type Work, workAt } from "../../kernel/work";
import { activate } from "./operations.activate";
import { expire } from "./operations.end";
import { emitGrantEvent } from "./operations.events";
import { firstDueOfWallet } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/** Carries out the due step of a grant at its own time: the grant becomes active, or expires. */
export function carryOut(work: Work, grant: CreditGrantRow, dueAt: Instant): CreditGrantRow {
	const then = workAt(work, dueAt);
	if (grant.status !== "SCHEDULED") return expire(then, grant);
	const active = activate(then, grant);
	emitGrantEvent(then, "updated", active);
	return active;
}

/** The steps that one call carries out before its own work. There is nearly always none. */
const stepsPerCallMax = 100;

/**
 * Carries out the due steps of a wallet, so that nothing is consumed from an expired grant. A longer backlog is refused with 503.
 * Returns whether there was any step.
 */
export function carryOutDue(work: Work, walletId: string): boolean {
	for (let steps = 0; steps < stepsPerCallMax; steps += 1) {
		const grant = firstDueOfWallet(work, walletId, work.now);
		if (grant?.nextDueAt == null) return steps > 0;
		carryOut(work, grant, grant.nextDueAt);
	}
	if (!firstDueOfWallet(work, walletId, work.now)) return true;
	throw new HttpRefusal(
		503,
		"Many grants of this customer are due, and Tollgate is carrying out their steps; repeat the request shortly. If the test clock is frozen, first set it to its current time.",
		{ "Retry-After": "1" },
	);
}
