import type { Instant } from "../../kernel/clock";
import { attemptStep, type DueSource, type DueStep } from "../../kernel/due";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { dueTimesOf } from "../access/environments/operations.due";
import { carryOut } from "./operations.due";
import { retryAfter } from "./rules.retry";
import { firstGrantDueAt } from "./store.due";
import { saveGrant } from "./store.wallets";
import { type CreditGrantRow, creditGrants } from "./table";

/** The due steps of grants for the scheduler: activation and expiry. */
export const dueGrants: DueSource = {
	...dueTimesOf(creditGrants),
	carryOutFirst: (work, dueAt) => {
		const grant = firstGrantDueAt(work, dueAt);
		assert(grant, "due grants exist");
		return attempt(work, grant, dueAt);
	},
};

/** No rule refuses these steps, so a failure is a bug: it is logged as an error, and the step is retried. */
function attempt(work: Work, grant: CreditGrantRow, dueAt: Instant): DueStep {
	const at = grant.status === "SCHEDULED" ? grant.effectiveAt : grant.expireAt;
	assert(at !== null, "a grant that expires has an expiry");
	const kind = grant.status === "SCHEDULED" ? "START" : "EXPIRE";
	work.cause.operation ??= `scheduler.${kind}`;
	const done = { at: dueAt, subject: { creditGrantId: grant.id } };
	const failed = attemptStep(work, () => carryOut(work, grant, at));
	if (!failed) return done;
	const retryAt = retryAfter(at, Math.max(dueAt, work.now) as Instant);
	saveGrant(work, grant, { nextDueAt: retryAt });
	return { ...done, ...failed, retry: { step: kind, retryAt } };
}
