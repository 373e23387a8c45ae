import { seal, sealingKey, unseal } from "../kernel/sealed";
import type { Work } from "../kernel/work";
import { completeTask, enqueueTask, forgetPayload, getClaimedTask } from "../tasks/operations";
import type { TaskRow } from "../tasks/table";
import type { Mail } from "./messages";

const keyOf = (folderSecret: string): Buffer => sealingKey(folderSecret, "mail");

/**
 * Puts a mail into the queue, in the caller's transaction: it is sent by a thread of its own once that is committed, and tried
 * again until the mail server takes it. Mails carry links that let somebody in, so they lie there sealed. Null sends nothing: what
 * nobody must tell from a mail that is sent takes the same way.
 */
export function queueMail(work: Work, folderSecret: string, mail: Mail | null): void {
	enqueueTask(work, { type: "SEND_MAIL", payload: seal(keyOf(folderSecret), JSON.stringify(mail)) });
}

/** The mail of a task; undefined where the data folder has another secret than then. */
export function mailOf({ payload }: TaskRow, folderSecret: string): Mail | null | undefined {
	const text = typeof payload === "string" ? unseal(keyOf(folderSecret), payload) : undefined;
	return text === undefined ? undefined : JSON.parse(text);
}

/** The mail server has taken it: nothing of it is kept. */
export function endMail(work: Work, { id }: Pick<TaskRow, "id">): void {
	forgetPayload(work, completeTask(work, getClaimedTask(work, id)));
}
