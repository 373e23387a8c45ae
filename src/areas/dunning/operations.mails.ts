import type { Work } from "../../kernel/work";
import type { MailStatus } from "./schema.values";
import { findMail, saveMail } from "./store";

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
