import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import { addMinutes } from "../../../kernel/period";
import { workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { changeInvoice, firstDraftDueAt } from "../store";
import { invoices } from "../table";
import { finalizeInvoice, type LateUsageOf } from "./operations";

/** No rule rejects the work, so a failure is a defect in Tollgate; the log reports it. */
const retryMinutes = 60;

/** Finds the due work of drafts for the sweep: the end of their grace periods. */
export const dueDrafts = (lateUsageOf: LateUsageOf): DueSource => ({
	...dueTimesOf(invoices),
	carryOutFirst: (work, dueAt) => {
		const draft = firstDraftDueAt(work, dueAt);
		assert(draft, "what is due is there");
		work.cause.operation ??= "scheduler.FINALIZE";
		const done = { at: dueAt, subject: { invoiceId: draft.id } };
		const failed = attemptStep(work, () => finalizeInvoice(workAt(work, dueAt), draft, lateUsageOf));
		if (!failed) return done;
		const retryAt = addMinutes(Math.max(work.now, dueAt) as Instant, retryMinutes);
		changeInvoice(work, draft, { nextDueAt: retryAt });
		return { ...done, ...failed, retry: { step: "FINALIZE", retryAt } };
	},
});
