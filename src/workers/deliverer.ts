import { systemActor } from "../areas/access/rules.actors";
import { Deliverer } from "../areas/webhooks/deliver";
import { Sender } from "../areas/webhooks/sending";
import { folderSecret } from "../bootstrap";
import { wallClock } from "../kernel/clock";
import { openFile } from "../kernel/db";
import { newUuidV7 } from "../kernel/ids";
import { openTransactions } from "../kernel/transactions";
import { runWorker, tellUnconfirmed } from "./entry";
import { openMain } from "./main-file";
import { WriterClient } from "./writer-client";

/** Our choices: how often it is looked for what is new, and how long what is on its way is waited for at a stop. */
const lookEveryMs = 20;
const stopWaitMs = 2000;

// The thread that sends webhooks, and the one writer of what became of them.
runWorker("deliverer", (settings, log) => {
	const { db: main, transactions } = openMain(settings, []);
	const db = openFile(settings.folder, "deliveries");
	const deliveries = openTransactions({
		db,
		clock: wallClock,
		newId: newUuidV7,
		wake: () => {},
		onUnconfirmed: tellUnconfirmed,
	});
	const writer = new WriterClient();
	const { now } = wallClock;
	const sender = new Sender({
		folderSecret: folderSecret(settings.folder),
		allowPrivate: settings.api.allowPrivateWebhooks,
		now,
	});
	const deliverer = new Deliverer({
		...{ transactions, deliveries, sender, log, now },
		asks: {
			disable: async (environmentId, id, reason) =>
				void (await writer.write(systemActor(environmentId), "disableWebhook", { id, reason })),
			keepPositions: async (positions) => void (await writer.write(systemActor(""), "keepWebhookPositions", positions)),
		},
	});
	const looking = setInterval(() => deliverer.look(), lookEveryMs);
	return {
		wake: () => undefined,
		links: { writer: writer.link },
		stop: async () => {
			clearInterval(looking);
			await deliverer.stop(stopWaitMs);
			db.$client.close();
			main.$client.close();
		},
	};
});
