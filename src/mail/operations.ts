import { seal, sealingKey, unseal } from "../kernel/sealed";
import type { Work } from "../kernel/work";
import { completeTask, deletePayload, enqueueTask, getClaimedTask } from "../tasks/operations";
import type { TaskRow } from "../tasks/table";
import type { Mail } from "./messages";

const keyOf = (folderSecret: string): Buffer => sealingKey(folderSecret, "mail");

/**
 * Puts a mail into the queue, in the caller's transaction. After the commit, the deliverer sends it, and tries again until the mail server
 * accepts it. Mails contain links that grant access, so they are stored sealed. Null sends nothing: callers pass it so that an observer
 * cannot distinguish the two cases.
 */
export function queueMail(work: Work, folderSecret: string, mail: Mail | null): void {
	enqueueTask(work, { type: "SEND_MAIL", payload: seal(keyOf(folderSecret), JSON.stringify(mail)) });
}

/** Returns the mail of a task; undefined if the data folder's secret was replaced since. */
export function mailOf({ payload }: TaskRow, folderSecret: string): Mail | null | undefined {
	const text = typeof payload === "string" ? unseal(keyOf(folderSecret), payload) : undefined;
	return text === undefined ? undefined : JSON.parse(text);
}

/** Ends the task of a mail that the mail server accepted, and deletes the mail. */
export function endMail(work: Work, { id }: Pick<TaskRow, "id">): void {
	deletePayload(work, completeTask(work, getClaimedTask(work, id)));
}

/** Returns the id of the reminder that a task sends; undefined for another mail. A reminder has a row, and contains no link that grants access. */
export const reminderOf = (task: Pick<TaskRow, "payload">): string | undefined => idIn(task, "reminderId");

/** Returns the id of the direct debit that a task announces; undefined for another mail. Its mail is made when it is sent. */
export const announcedDebitOf = (task: Pick<TaskRow, "payload">): string | undefined => idIn(task, "debitId");

function idIn({ payload }: Pick<TaskRow, "payload">, name: string): string | undefined {
	const id = typeof payload === "object" && payload !== null ? Reflect.get(payload, name) : undefined;
	return typeof id === "string" ? id : undefined;
}
