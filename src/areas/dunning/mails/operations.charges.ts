import { dayNumber } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { latestAttempt } from "../../collection/attempts/operations.tries";
import { getCustomerById } from "../../customers/operations";
import { invoicesByIds } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import { scheduleNotice } from "../../outbox/operations";
import { caseChanged } from "../events";
import { zoneOf } from "../operations.context";
import { dueDayOf } from "../rules.schedule";
import { saveCase, selectMailed } from "../store";
import { issueMail, type Mailed } from "./operations.issue";

/** Our bound on the invoices of one mail. Further ones follow in another mail. */
const invoicesPerMailMax = 100;

/** Issues the mails of a customer about charges: one for each issuer and tone. A notice of the customer calls it. */
export function issueChargeMails(work: Work, customerId: string): void {
	const customer = getCustomerById(work, customerId);
	const cases = selectMailed(work, customerId, invoicesPerMailMax);
	const invoices = invoicesByIds(
		work,
		cases.map(({ invoiceId }) => invoiceId),
	);
	const mailed: Mailed[] = [];
	for (const row of cases) {
		const invoice = invoices.get(row.invoiceId);
		if (invoice?.state === "OPEN" && row.mailKind !== null) mailed.push({ row, invoice, kind: row.mailKind });
		saveCase(work, row, { mailKind: null });
	}
	for (const group of Map.groupBy(mailed, ({ row, kind }) => `${row.legalEntityId} ${kind}`).values()) {
		const mail = issueMail(work, customer, group, {
			linkOf: (invoice) => linkOf(work, invoice),
			nextAt: ({ state, nextDueAt }) => (state === "RETRYING" ? nextDueAt : null),
		});
		for (const { row, invoice, kind } of group) {
			const days = dayNumber(work.now, zoneOf(work, customer)) - dueDayOf(invoice.dueAt);
			caseChanged(work, "dunning.reminder_issued", { ...row, mailKind: null }, invoice, {
				...{ kind, days, mail: { id: mail.id, status: mail.status } },
			});
		}
	}
	if (cases.length === invoicesPerMailMax) scheduleNotice(work, "dunning.mails", customerId, work.now);
}

/** Returns where the customer authenticates the charge of an invoice. */
function linkOf(work: Work, { id }: InvoiceRow): string | undefined {
	const last = latestAttempt(work, id);
	return last?.state === "REQUIRES_ACTION" ? (last.actionUrl ?? undefined) : undefined;
}
