import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { amountsDue } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { writeEvent } from "../outbox/operations";
import { policiesByIds } from "./policies/operations";
import type { ReminderKind } from "./policies/schema.values";
import type { MailStatus } from "./schema.values";
import type { DunningCaseRow } from "./table";

type DunningEvent =
	| "dunning.case_started"
	| "dunning.case_suspended"
	| "dunning.case_resumed"
	| "dunning.case_ended"
	| "dunning.reminder_issued";

/** A reminder of an event: its tone, its day by the policy, and its mail. */
interface Reminded {
	readonly kind: ReminderKind;
	readonly days: number;
	readonly mail: { readonly id: string; readonly status: MailStatus };
}

/** Emits an event of a case. */
export function caseChanged(
	work: Work,
	type: DunningEvent,
	row: DunningCaseRow,
	invoice: InvoiceRow,
	reminder: Reminded | null = null,
): void {
	const customer = customersByIds(work, [row.customerId]).get(row.customerId);
	writeEvent(work, type, row.id, {
		id: row.id,
		entityId: row.id,
		state: row.state,
		customer: { id: customer?.refId ?? "" },
		invoice: { id: invoice.id, number: invoice.number },
		policy: { id: policiesByIds(work, [row.policyId]).get(row.policyId)?.refId ?? "" },
		currency: invoice.currency,
		amountDue: toWire(amountsDue(work, [invoice]).get(invoice.id) ?? invoice.total),
		dueDate: toIso(invoice.dueAt),
		reminder,
		suspension: row.suspension,
		endReason: row.endReason,
		nextStepAt: toIsoOrNull(row.nextDueAt),
	});
}
