import { HttpRefusal } from "../../http/refusal";
import type { Instant } from "../../kernel/clock";
import { type Work, workAt } from "../../kernel/work";
import { activate, expire } from "./grant-life";
import { firstDueOfWallet } from "./store.wallets";
import type { CreditGrantRow } from "./table";

/** What falls due of a grant: it becomes effective, or expires; at its own time. */
export function carryOut(work: Work, grant: CreditGrantRow, dueAt: Instant): CreditGrantRow {
	const then = workAt(work, dueAt);
	return grant.status === "SCHEDULED" ? activate(then, grant) : expire(then, grant);
}

/** Our choice: as many steps as a consumption carries out before itself; nearly always there is none. */
const stepsPerCallMax = 100;

/** Carries out what is due of a wallet by now, so that nothing is taken of what has expired; 503 for a longer backlog. */
export function carryOutDue(work: Work, walletId: string): void {
	for (let steps = 0; steps < stepsPerCallMax; steps += 1) {
		const grant = firstDueOfWallet(work, walletId, work.now);
		if (grant?.nextDueAt == null) return;
		carryOut(work, grant, grant.nextDueAt);
	}
	if (!firstDueOfWallet(work, walletId, work.now)) return;
	throw new HttpRefusal(
		503,
		"Many grants of this customer have fallen due and are being carried out; repeat the call shortly. On a frozen test clock, set the clock to the time at which it stands first.",
		{ "Retry-After": "1" },
	);
}
