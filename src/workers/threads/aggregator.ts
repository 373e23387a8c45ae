import { systemActor } from "../../areas/access/rules.actors";
import { erasedCustomers, listedErasures } from "../../areas/privacy/operations.erasure-list";
import { Aggregator } from "../../areas/usage/counting/aggregator";
import { Rebuilds } from "../../areas/usage/rebuild/rebuild";
import { Checkpoints } from "../../kernel/storage/checkpoints";
import { Epochs } from "../../kernel/storage/epochs";
import { CommitMarks } from "../../kernel/storage/marks";
import { isStopping, runWorker } from "../entry";
import { ArchiveJob } from "../jobs/archive-job";
import { ErasingJob } from "../jobs/erasing-job";
import { openMain } from "../main-file";
import { WriterClient } from "../writer-client";

/** The time for which the thread lets events gather, so that it reads them together. */
const gatherMs = 10;

/**
 * The time for which the thread keeps looking once it has found an event. Meanwhile the ingester need not wake it
 * (ingester.ts).
 */
const awakeMs = 100;

/**
 * The delay until the thread sees a change that no message announces: a new meter, or a customer that events waited
 * for.
 */
const lookAgainMs = 250;

/**
 * After this time without an event or a change of the main file the thread looks less often. The writer wakes it after
 * each commit (writer.ts), and the main thread after a commit of another process (work-watch.ts). So this delays only the
 * next try of work that failed.
 */
const idleAfterMs = 5_000;
const lookIdleMs = 10_000;

/**
 * The time that a start waits for the totals. Most stops leave less to count. Tollgate counts the rest while the server
 * answers (`/readyz` shows the progress). Our choice (docs/interface/usage.md#events).
 */
const catchUpMsMax = 2_000;

/**
 * The only thread that writes usage.db. It also checkpoints the write-ahead logs of events.db and main.db, whose writers must not
 * wait, and its own: a little at a time, so that no commit has a large checkpoint.
 */
runWorker("aggregator", async ({ folder, epochs, eventsKeepDays, backupsKeptMs }, log, meter) => {
	const shared = new Epochs(epochs);
	const aggregator = new Aggregator({
		folder,
		onChanged: (customers) => shared.counted(customers),
		onUnreadable: (error) =>
			log.error({ err: error }, "old events cannot be counted again until their file is back; all others are counted"),
	});
	const checkpoints = new Checkpoints(folder, ["events", "main", "usage"], meter);
	const writer = new WriterClient();
	const { db, transactions } = openMain({ folder, epochs }, ["usage", "events"]);
	const marks = new CommitMarks(folder, "usage", db.$client);
	const rebuilds = new Rebuilds({
		aggregator,
		transactions,
		write: writer.write,
		log,
		erasedCustomers: () => transactions.read(systemActor(""), erasedCustomers),
	});
	const archive = new ArchiveJob({
		...{ folder, keepDays: eventsKeepDays, log },
		erasures: () => listedErasures(db.$client),
	});
	const erasing = new ErasingJob({
		...{ folder, db, aggregator, transactions, log, isStopping },
		...{ write: writer.write, order: archive.order, exclusively: archive.exclusively },
		...{ replacedKeptMs: backupsKeptMs, onErasure: archive.storeErasures },
	});
	const end = performance.now() + catchUpMsMax;
	while (!isStopping() && performance.now() < end && aggregator.step()) await Bun.sleep(0);
	let foundAtMs = Number.NEGATIVE_INFINITY;
	let changedAtMs = performance.now();
	let epoch: number | undefined;
	const isIdle = (): boolean =>
		performance.now() - changedAtMs >= idleAfterMs && !rebuilds.isBusy && !aggregator.isAwaitingFile;
	const hasChanged = (): boolean => {
		const before = epoch;
		epoch = transactions.epoch();
		return epoch !== before;
	};
	return {
		links: { writer: writer.link, ingester: archive.link },
		wake: async () => {
			archive.begin();
			await rebuilds.look();
			erasing.look();
			// While old events are counted too, new ones gather by themselves. The first event after a pause is counted at once.
			if (!isIdle()) await Bun.sleep(aggregator.isFilling ? 0 : gatherMs);
			const hasCounted = aggregator.count();
			const nowMs = performance.now();
			if (hasCounted) foundAtMs = nowMs;
			if (hasChanged() || hasCounted) changedAtMs = nowMs;
			checkpoints.run();
			marks.write();
			const isPublishDue = aggregator.isPublishDue();
			const hasMore = isPublishDue && aggregator.show(aggregator.isWriteDue());
			if (hasCounted || hasMore || !isPublishDue || performance.now() - foundAtMs < awakeMs) return 0;
			return isIdle() ? lookIdleMs : lookAgainMs;
		},
		stop: async () => {
			await Promise.all([archive.stop(), erasing.stop()]);
			// Events that are not counted yet are counted after the next start.
			aggregator.step();
			marks.close();
			checkpoints.close();
			aggregator.close();
			db.$client.close();
		},
	};
});
