import type { Instant } from "../../../kernel/clock";
import type { DueSource } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { getOwnEnvironment } from "../../access/operations";
import type { Acknowledged } from "../../usage/operations.acknowledged";
import { selectByIds } from "../store";
import { carryOutCheck } from "./operations";
import { retryMs } from "./rules";
import { readCursor, selectDueAt } from "./store";
import { invoicesAtOnce } from "./store.marks";
import { spendChecks } from "./table";

const times = dueTimesOf(spendChecks);

/**
 * The checks of environments with a frozen clock, so that an advance of the clock carries them out in order of time. By the wall clock
 * the job does (follow.ts).
 */
export const dueSpendChecks: DueSource = {
	firstDueAt: (work) => {
		// Most environments have no checks, which is remembered. A frozen clock changes with each step.
		const dueAt = times.firstDueAt(work);
		return dueAt === null || getOwnEnvironment(work).clockAt === null ? null : dueAt;
	},
	firstDueOfEach: (work) => times.firstDueOfEach(work).filter(({ clockAt }) => clockAt !== null),
	carryOutFirst: (work, dueAt) => {
		const check = selectDueAt(work, dueAt);
		assert(check, "what is due is there");
		work.cause.operation ??= "scheduler.BILL_THRESHOLD";
		const then = dueAt > work.now ? workAt(work, dueAt) : work;
		const [row] = selectByIds(work, [check.subscriptionId]);
		const step = { at: then.now, subject: { subscriptionId: row?.refId ?? check.subscriptionId } };
		const failed = carryOutCheck(then, check);
		return failed
			? { ...step, ...failed, retry: { step: "BILL_THRESHOLD", retryAt: (then.now + retryMs) as Instant } }
			: step;
	},
};

/** Returns how many acknowledged events an advance of the clock waits for: those that have no check yet. */
export function uncheckedOf(work: Work, { event }: Acknowledged): number {
	if (getOwnEnvironment(work).clockAt === null || !invoicesAtOnce(work)) return 0;
	return Math.max(0, event - (readCursor(work) ?? 0));
}
