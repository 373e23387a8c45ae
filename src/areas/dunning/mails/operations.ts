import type { Instant } from "../../../kernel/clock";
import { addMinutes } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { scheduleNotice } from "../../outbox/operations";
import type { ReminderKind } from "../policies/schema.values";
import type { MailStatus } from "../schema.values";
import { findMail, saveCase, saveMail } from "../store";
import type { DunningCaseRow } from "../table";

/** The charges of a customer that fail within this time share a mail. Our bound. */
const mailMinutes = 10;

/** Plans the mail of a case about a charge. It replaces one that is not issued yet. */
export function planMail(work: Work, row: DunningCaseRow, mailKind: ReminderKind, from: Instant): DunningCaseRow {
	scheduleNotice(work, "dunning.mails", row.customerId, addMinutes(from, mailMinutes));
	return saveCase(work, row, { mailKind });
}

/** Returns a reminder as a mail, of any environment; undefined if its customer has no address any more. */
export function reminderToSend(work: Work, id: string) {
	const mail = findMail(work, id);
	if (!mail || mail.recipient === null) return undefined;
	const { recipient: to, subject, body: text } = mail;
	return { to, subject, text };
}

/** Records whether a reminder was sent, of any environment. */
export const endReminder = (work: Work, id: string, status: MailStatus): void =>
	saveMail(work, id, { status, ...(status === "SENT" && { sentAt: work.machineNow }) });
