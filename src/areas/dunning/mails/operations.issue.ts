import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import { getOwnEnvironment } from "../../access/operations";
import type { CustomerRow } from "../../customers/table";
import { writingOf } from "../../invoices/document/operations.writing";
import { creditorReferenceOf } from "../../invoices/document/rules.creditor-reference";
import { amountsDue } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import { policiesByIds } from "../policies/operations";
import { mailLanguages, type ReminderKind } from "../policies/schema.values";
import { urgency } from "../rules";
import type { MailStatus } from "../schema.values";
import { insertMail } from "../store";
import type { DunningCaseRow, DunningMailRow } from "../table";
import { composeReminder } from "./rules";

/** A case with its invoice and the tone of its mail. */
export interface Mailed {
	readonly row: DunningCaseRow;
	readonly invoice: InvoiceRow;
	readonly kind: ReminderKind;
}

/** The facts that only mails about charges have: the customer's address for an invoice, and the time of the next charge. */
export interface ChargeFacts {
	readonly linkOf: (invoice: InvoiceRow) => string | undefined;
	readonly nextAt: (row: DunningCaseRow) => Instant | null;
}

/** Issues one mail about invoices of a customer and an issuer, in the most urgent of their tones. `charges` null: a reminder. */
export function issueMail(
	work: Work,
	customer: CustomerRow,
	mailed: readonly Mailed[],
	charges: ChargeFacts | null,
): DunningMailRow {
	const ordered = [...mailed].sort(
		({ invoice: one }, { invoice: other }) => one.dueAt - other.dueAt || one.sequence - other.sequence,
	);
	const invoices = ordered.map(({ invoice }) => invoice);
	const [latest] = invoices.slice(-1);
	const mostUrgent = [...mailed].sort((one, other) => urgency[other.kind] - urgency[one.kind])[0];
	assert(latest && mostUrgent, "a mail names an invoice");
	const due = amountsDue(work, invoices);
	const writing = writingOf(
		{ issuer: latest.issuer, customer: { ...latest.customer, language: customer.language } },
		mailLanguages,
	);
	const { policyId } = mostUrgent.row;
	const { subject, text } = composeReminder({
		...{ kind: mostUrgent.kind, customerName: customer.name ?? customer.refId, issuer: latest.issuer, writing },
		texts: policiesByIds(work, [policyId]).get(policyId)?.texts ?? [],
		links: new Map(
			invoices.flatMap((invoice) => {
				const link = charges?.linkOf(invoice);
				return link === undefined ? [] : [[invoice.number, link] as const];
			}),
		),
		invoices: ordered.map(({ row, invoice }) => ({
			...{ number: invoice.number, dueAt: invoice.dueAt, currency: invoice.currency },
			amountDue: due.get(invoice.id) ?? invoice.total,
			reference: creditorReferenceOf(invoice),
			nextAt: charges?.nextAt(row) ?? null,
		})),
	});
	const mail = insertMail(work, {
		...{ customerId: customer.id, legalEntityId: latest.legalEntityId, recipient: customer.email },
		...{ kind: mostUrgent.kind, language: writing.language, subject, body: text },
		...{ status: statusOf(work, customer), at: work.now, sentAt: null },
		invoiceIds: charges === null ? null : invoices.map(({ id }) => id),
	});
	if (mail.status === "QUEUED") enqueueTask(work, { type: "SEND_MAIL", payload: { reminderId: mail.id } });
	return mail;
}

/** A frozen clock passes years in seconds: its mails can be read, and are not sent. */
function statusOf(work: Work, { email }: CustomerRow): MailStatus {
	if (getOwnEnvironment(work).clockAt !== null) return "TEST_CLOCK";
	return email === null ? "NO_ADDRESS" : "QUEUED";
}
