import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import { addMinutes } from "../../../kernel/period";
import { workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { issueDraft } from "../drafts/operations";
import { getInvoice } from "../operations";
import { changeDue, firstConsolidatedDueAt } from "./store";
import { consolidatedInvoices } from "./table";

/** No rule rejects the work, so a failure is a defect in Tollgate; the log reports it. */
const retryMinutes = 60;

/**
 * Finds the consolidated invoices without a grace period for the sweep. They are issued after the subscriptions of their instant, and
 * dated then.
 */
export const dueConsolidated: DueSource = {
	...dueTimesOf(consolidatedInvoices),
	carryOutFirst: (work, dueAt) => {
		const row = firstConsolidatedDueAt(work, dueAt);
		assert(row, "what is due is there");
		work.cause.operation ??= "scheduler.FINALIZE";
		const done = { at: dueAt, subject: { invoiceId: row.invoiceId } };
		const failed = attemptStep(work, () => {
			const invoice = getInvoice(work, row.invoiceId);
			// A call may have issued it already.
			if (invoice.state === "DRAFT") issueDraft(workAt(work, invoice.issuedAt), invoice);
			changeDue(work, row, null);
		});
		if (!failed) return done;
		const retryAt = addMinutes(Math.max(work.now, dueAt) as Instant, retryMinutes);
		changeDue(work, row, retryAt);
		return { ...done, ...failed, retry: { step: "FINALIZE", retryAt } };
	},
};
