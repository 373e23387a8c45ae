import { createTransport, type Transporter } from "nodemailer";
import { systemActor } from "../areas/access/rules.actors";
import type { MailSettings } from "../http/api-settings";
import type { Write } from "../server/writer-calls";
import type { TaskRow } from "../tasks/table";
import { mailOf } from "./operations";

/** Our choice: a mail server that takes longer is tried again later. */
const timeoutMs = 30_000;

/** The queue is one for all. */
const queueActor = systemActor("");

export interface MailSenderOptions {
	readonly folderSecret: string;
	/** Undefined: no mail server is set. */
	readonly settings: MailSettings | undefined;
	readonly write: Write;
}

/** Sends the mail of a task. What fails is thrown, and the task is tried again. */
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
					// A mail is a text of ours: it never reads a file or calls an address.
					disableFileAccess: true,
					disableUrlAccess: true,
				},
				{ from: settings.from },
			);
	}

	async send(task: TaskRow): Promise<void> {
		const { folderSecret, write } = this.#options;
		const mail = mailOf(task, folderSecret);
		if (mail === undefined) throw new Error("The mail was sealed by another secret of the data folder.");
		if (mail !== null) {
			if (!this.#transport) throw new Error("There is no mail server: set TOLLGATE_SMTP_URL.");
			// One address, whatever it looks like: a text would be read as a list of them.
			// The same each time that it is tried: a mail server that has taken it already may know it again.
			await this.#transport.sendMail({
				...mail,
				to: { name: "", address: mail.to },
				messageId: `<${task.id}@tollgate>`,
			});
		}
		await write(queueActor, "endMail", task);
	}

	close(): void {
		this.#transport?.close();
	}
}
