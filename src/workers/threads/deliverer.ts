import { systemActor } from "../../areas/access/rules.actors";
import { announcementToSend } from "../../areas/bank/debits/operations.announce";
import { reminderToSend } from "../../areas/dunning/mails/operations";
import { type ErasePiece, runElsewhere } from "../../areas/privacy/erase-elsewhere";
import { Deliverer } from "../../areas/webhooks/deliver";
import { Sender } from "../../areas/webhooks/sending";
import { folderSecret } from "../../folder/secret";
import { wallClock } from "../../kernel/clock";
import { newUuidV7 } from "../../kernel/ids";
import { openFile, overwriteDeleted } from "../../kernel/storage/db";
import { CommitMarks } from "../../kernel/storage/marks";
import { openTransactions } from "../../kernel/storage/transactions";
import { MailSender } from "../../mail/send";
import { msUntilNext } from "../../tasks/operations";
import { isStopping, runWorker, tellUnconfirmed } from "../entry";
import { openMain } from "../main-file";
import { drainTasks, type Job } from "../task-thread";
import { WriterClient } from "../writer-client";

/**
 * The interval between searches for new work, and a longer one after some idle seconds. Then the time that a stop waits
 * for running deliveries, and the interval of the check whether any endpoint is left.
 */
const lookEveryMs = 20;
const lookIdleMs = 100;
const stopWaitMs = 2000;
const restAfterMs = 1000;

const taskTypes = ["SEND_MAIL", "ERASE_DELIVERIES"] as const;

// The thread that sends webhooks and mails, and the one writer of what became of the webhooks.
runWorker("deliverer", (settings, log) => {
	const { db: main, transactions } = openMain(settings, []);
	const db = openFile(settings.folder, "deliveries");
	overwriteDeleted(db.$client);
	const deliveries = openTransactions({
		db,
		clock: wallClock,
		newId: newUuidV7,
		wake: () => {},
		onUnconfirmed: tellUnconfirmed,
	});
	const marks = new CommitMarks(settings.folder, "deliveries", main.$client);
	const writer = new WriterClient();
	const { now } = wallClock;
	const sender = new Sender({
		folderSecret: folderSecret(settings.folder),
		allowPrivate: settings.api.allowPrivateWebhooks,
		now,
	});
	const deliverer = new Deliverer({
		...{ transactions, deliveries, sender, log, now, keepDays: settings.webhooksKeepDays },
		writer: {
			disable: async (environmentId, id, reason) =>
				void (await writer.write(systemActor(environmentId), "disableWebhook", { id, reason })),
			keepPositions: async (positions) => void (await writer.write(systemActor(""), "keepWebhookPositions", positions)),
		},
	});
	const mails = new MailSender({
		folderSecret: folderSecret(settings.folder),
		settings: settings.api.mail,
		write: writer.write,
		readReminder: (id) => transactions.read(systemActor(""), (work) => reminderToSend(work, id)),
		readAnnouncement: (id) => transactions.read(systemActor(""), (work) => announcementToSend(work, id)),
	});
	const eraseAnswers: ErasePiece = ({ environmentId, refId }, place) =>
		deliverer.eraseResponses(environmentId, refId, place);
	const carryOut: Job = (task) =>
		task.type === "SEND_MAIL"
			? mails.send(task)
			: runElsewhere({ transactions, write: writer.write, isStopping }, task, "deliveries", eraseAnswers);
	const workOff = async (): Promise<number | undefined> => {
		const inMs = transactions.read(systemActor(""), (work) => msUntilNext(work, taskTypes));
		if (inMs !== 0) return inMs;
		return await drainTasks(transactions, taskTypes, carryOut, log, writer.write);
	};
	let looking = setTimeout(function look() {
		deliverer.look();
		looking = setTimeout(look, deliverer.isQuiet ? lookIdleMs : lookEveryMs);
	}, lookEveryMs);
	return {
		wake: async () => {
			deliverer.look();
			marks.write();
			const againMs = await workOff();
			return deliverer.canEnd ? againMs : Math.min(againMs ?? restAfterMs, restAfterMs);
		},
		links: { writer: writer.link },
		stop: async () => {
			clearTimeout(looking);
			mails.close();
			await deliverer.stop(stopWaitMs);
			marks.close();
			db.$client.close();
			main.$client.close();
		},
	};
});
