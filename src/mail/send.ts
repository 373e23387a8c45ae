import { createTransport, type Transporter } from "nodemailer";
import { systemActor } from "../areas/access/rules.actors";
import type { MailSettings } from "../http/api-settings";
import type { Write } from "../server/writer-calls";
import type { TaskRow } from "../tasks/table";
import type { Mail } from "./messages";
import { announcedDebitOf, mailOf, reminderOf } from "./operations";

/** The timeout of a mail server. A later attempt follows. */
const timeoutMs = 30_000;

/** The actor of the queue, which all environments share. */
const queueActor = systemActor("");

export interface MailSenderOptions {
	readonly folderSecret: string;
	/** Undefined if no mail server is set. */
	readonly settings: MailSettings | undefined;
	readonly write: Write;
	/** Returns a reminder; undefined if its customer has no address any more. */
	readonly readReminder: (id: string) => Mail | undefined;
	/** Returns the mail that announces a direct debit; undefined if its customer has no address, or nothing is collected any more. */
	readonly readAnnouncement: (debitId: string) => Mail | undefined;
}

/** Sends the mail of a task. Throws on failure, and the task is tried again. */
export class MailSender {
	readonly #options: MailSenderOptions;
	readonly #transport: Transporter | undefined;

	constructor(options: MailSenderOptions) {
		this.#options = options;
		const { settings } = options;
		this.#transport =
			settings &&
			createTransport(
				{
					url: settings.url,
					connectionTimeout: timeoutMs,
					greetingTimeout: timeoutMs,
					socketTimeout: timeoutMs,
					// A mail is Tollgate's own text: sending it must never read a file or call an address.
					disableFileAccess: true,
					disableUrlAccess: true,
				},
				{ from: settings.from },
			);
	}

	async send(task: TaskRow): Promise<void> {
		const { folderSecret, write } = this.#options;
		const reminderId = reminderOf(task);
		if (reminderId !== undefined) {
			await this.#sendReminder(task, reminderId);
			return;
		}
		const debitId = announcedDebitOf(task);
		if (debitId !== undefined) {
			await this.#sendAnnouncement(task, debitId);
			return;
		}
		const mail = mailOf(task, folderSecret);
		if (mail === undefined) throw new Error("The mail was sealed by another secret of the data folder.");
		if (mail !== null) {
			if (!this.#transport) throw new Error("There is no mail server: set TOLLGATE_SMTP_URL.");
			await this.#transmit(this.#transport, task, mail);
		}
		await write(queueActor, "endMail", task);
	}

	/** A reminder without a mail server or an address is not sent: its row shows why. */
	async #sendReminder(task: TaskRow, id: string): Promise<void> {
		const { readReminder, write } = this.#options;
		const mail = readReminder(id);
		if (mail && this.#transport) await this.#transmit(this.#transport, task, mail);
		const status = mail ? (this.#transport ? "SENT" : "NO_MAIL_SERVER") : "NO_ADDRESS";
		await write(queueActor, "endReminder", { task, id, status });
	}

	/** As a reminder: the debit shows why its announcement is not sent. */
	async #sendAnnouncement(task: TaskRow, id: string): Promise<void> {
		const mail = this.#options.readAnnouncement(id);
		if (mail && this.#transport) await this.#transmit(this.#transport, task, mail);
		const status = mail ? (this.#transport ? "SENT" : "NO_MAIL_SERVER") : "NO_ADDRESS";
		await this.#options.write(queueActor, "endAnnouncement", { task, id, status });
	}

	// One address, whatever its form: a text would be parsed as a list.
	// The same id at each attempt: a mail server that has accepted the mail may recognize it.
	async #transmit(transport: Transporter, task: TaskRow, mail: Mail): Promise<void> {
		await transport.sendMail({
			...mail,
			to: { name: "", address: mail.to },
			messageId: `<${task.id}@tollgate>`,
		});
	}

	close(): void {
		this.#transport?.close();
	}
}
