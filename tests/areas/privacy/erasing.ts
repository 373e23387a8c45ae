import { systemActor } from "../../../src/areas/access/rules.actors";
import { runErasure } from "../../../src/areas/privacy/erase";
import { type ErasePiece, erasePdfs, runElsewhere } from "../../../src/areas/privacy/erase-elsewhere";
import type { StepElsewhere } from "../../../src/areas/privacy/rules.erasure";
import { atOnce } from "../../../src/areas/usage/archive/exclusive";
import type { ArchiveOrder } from "../../../src/areas/usage/archive/messages";
import { Aggregator } from "../../../src/areas/usage/counting/aggregator";
import { EventEraser } from "../../../src/areas/usage/erasing/eraser";
import { EventLog } from "../../../src/areas/usage/log/event-log";
import { Outcomes } from "../../../src/areas/webhooks/outcomes";
import { positionsOfCustomer } from "../../../src/areas/webhooks/store";
import { openLog } from "../../../src/http/log";
import { wallClock } from "../../../src/kernel/clock";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile, overwriteDeleted } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { writesBy } from "../../../src/server/writer-calls";
import type { TaskType } from "../../../src/tasks/rules";
import { drainTasks } from "../../../src/workers/task-thread";
import type { World } from "../../support/world";

type Ours = Pick<World, "transactions" | "thread" | "folder">;

const silent = openLog("silent");

/** Erases what has been asked for, as the threads do, to the end. */
export async function erase(ours: Ours): Promise<void> {
	do await drainTasks(ours.transactions, ["ERASE_CUSTOMER"], (task) => runErasure(ours.thread, task), silent);
	while ((await eraseElsewhere(ours)) > 0);
}

/** Runs the tasks that wait in the files of other threads; returns their number. */
export async function eraseElsewhere({ transactions, folder, thread }: Ours): Promise<number> {
	const write = writesBy(transactions);
	let tasks = 0;
	const run = (type: TaskType, step: StepElsewhere, piece: ErasePiece) =>
		drainTasks(
			transactions,
			[type],
			async (task) => {
				tasks += 1;
				await runElsewhere({ transactions, write, isStopping: thread.isStopping }, task, step, piece);
			},
			silent,
		);
	const files = { renders: openFile(folder, "renders"), deliveries: openFile(folder, "deliveries") };
	for (const file of Object.values(files)) overwriteDeleted(file.$client);
	const open = (file: keyof typeof files) =>
		openTransactions({ db: files[file], clock: wallClock, newId: newUuidV7, wake: () => {} });
	const outcomes = new Outcomes({
		deliveries: open("deliveries"),
		writer: { keepPositions: () => Promise.resolve() },
		log: silent,
		...{ keepDays: 30, now: wallClock.now },
	});
	await run("ERASE_PDFS", "invoice_renders", erasePdfs(transactions, open("renders")));
	await run("ERASE_DELIVERIES", "deliveries", ({ environmentId, refId }, place) =>
		outcomes.eraseResponses(environmentId, refId, place, (positions) =>
			transactions.read(systemActor(environmentId), (work) => positionsOfCustomer(work, refId, positions)),
		),
	);
	await run("ERASE_EVENTS", "event_blocks", eventsIn(folder));
	for (const file of Object.values(files)) file.$client.close();
	return tasks;
}

/** Runs a step as the aggregator's thread does, with the log's writer alongside it. */
function eventsIn(folder: string): ErasePiece {
	return async (customer, place, key) => {
		const aggregator = new Aggregator({ folder });
		const log = new EventLog({
			folder,
			onTrouble: (error) => {
				throw error;
			},
		});
		const db = openFile(folder, "main", ["usage", "events"]);
		try {
			aggregator.run();
			const order = (slice: ArchiveOrder) =>
				log.archive(slice) ? Promise.resolve() : Promise.reject(new Error("not written"));
			const eraser = new EventEraser({
				...{ folder, db, aggregator, order, exclusively: atOnce, isStopping: () => false },
				replacedKeptMs: 30 * 24 * 60 * 60 * 1000,
			});
			return await eraser.step({ ...customer, key }, place);
		} finally {
			aggregator.close();
			log.close();
			db.$client.close();
		}
	};
}
