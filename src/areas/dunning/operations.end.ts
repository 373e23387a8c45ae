import type { Work } from "../../kernel/work";
import { getInvoice } from "../invoices/operations";
import { cancelSubscription, pauseSubscription } from "../subscriptions/operations";
import { statusAt } from "../subscriptions/rules.status";
import type { SubscriptionRow } from "../subscriptions/table";
import { endCase, endSettled } from "./operations";
import { chargedSubscriptions } from "./operations.context";
import type { EndAction } from "./policies/schema.values";
import { insertSteps, saveCase } from "./store";
import type { DunningCaseRow } from "./table";

/**
 * Carries out the end of a policy. An invoice of several subscriptions ends or pauses one of them in each step, and stays due until none
 * is left. Throws the errors of the life cycle, such as that of a term that cannot end yet.
 */
export function runEnd(work: Work, row: DunningCaseRow): void {
	const invoice = getInvoice(work, row.invoiceId);
	if (invoice.state !== "OPEN") {
		endSettled(work, row, invoice);
		return;
	}
	const [first, ...others] = chargedSubscriptions(work, invoice).filter((one) => concerns(row.endAction, one, work));
	if (others.length > 0) saveCase(work, row, { nextDueAt: work.now });
	else {
		insertSteps(work, [
			{
				...{ caseId: row.id, round: row.round, position: row.position, kind: "END", days: row.endAfterDays },
				...{ outcome: "DONE", mailId: null, at: work.now },
			},
		]);
		endCase(work, saveCase(work, row, { position: row.position + 1 }), invoice, "POLICY_END");
	}
	if (first) carryOut(work, row.endAction, first);
}

/** Whether the end changes a subscription: one that has ended, or is paused already, stays as it is. */
function concerns(action: EndAction, row: SubscriptionRow, { now }: Work): boolean {
	const status = statusAt(row, now);
	if (action === "CANCEL") return status !== "CANCELED" && status !== "EXPIRED";
	return action === "PAUSE" && status === "ACTIVE";
}

function carryOut(work: Work, action: EndAction, { refId }: SubscriptionRow): void {
	if (action === "CANCEL") cancelSubscription(work, refId, { cancellationTime: "IMMEDIATE" });
	if (action === "PAUSE") pauseSubscription(work, refId, { at: "IMMEDIATE" });
}
