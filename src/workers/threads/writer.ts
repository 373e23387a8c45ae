import { testClocksIn } from "../../areas/access/environments/operations.clocks";
import { AnchorKeeper } from "../../areas/audit/operations.kept-anchor";
import { recordChanges } from "../../areas/audit/operations.recording";
import { removableEntries } from "../../areas/audit/retention";
import { folderSecret } from "../../folder/secret";
import { answerForwarded } from "../../http/fast-path/forwarded";
import { wallClock } from "../../kernel/clock";
import { newUuidV7 } from "../../kernel/ids";
import { openFile } from "../../kernel/storage/db";
import { Epochs } from "../../kernel/storage/epochs";
import { countsUsageWrites, gathered } from "../../kernel/storage/marks";
import { openTransactions } from "../../kernel/storage/transactions";
import type { WorkerName } from "../../kernel/work";
import { RouteGroups } from "../../routes/groups";
import { makeServices } from "../../server/context";
import { writesBy } from "../../server/writer-calls";
import type { TimeSlices } from "../../tasks/time-slices";
import { isStopping, runWorker, tell, tellUnconfirmed } from "../entry";
import { HeartbeatMonitor, Heartbeats, mainHeartbeat } from "../heartbeat";
import { openIngest } from "../ingest-link";
import type { JobLoop } from "../job-loop";
import { measureCommits } from "../thread-meter";
import { WriteScheduler } from "../write-scheduler";

/** The threads that have no job of the writer. */
const ofOtherThreads: ReadonlySet<WorkerName> = new Set(["aggregator", "collector", "deliverer", "renderer"]);

/** The jobs that look for work of the last process. The main thread wakes the others. */
const jobsAtStart = [
	"importer",
	"alerts",
	"entitlement-events",
	"credits",
	"event-credits",
	"event-budgets",
	"budget-tree",
	"spend-thresholds",
] as const;

/**
 * The delay after a commit until its followers look. The aggregator follows the main file and checkpoints its log. The charging of events
 * follows the prices in credits, and the invoicing at thresholds follows reported usage.
 */
const wakeFollowersMs = 100;

/**
 * The only thread that writes main.db: it answers requests that write, carries out writes of other threads, and runs the jobs. It runs the
 * same app as the HTTP threads.
 */
runWorker("writer", (settings, log, meter) => {
	const { folder, epochs, heartbeats, api, webhooksKeepDays, auditKeepDays } = settings;
	// The main thread monitors the other threads, and this thread monitors the main thread.
	new HeartbeatMonitor(new Heartbeats(heartbeats), log).watch("main", mainHeartbeat);
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	/** The jobs, whose modules are loaded at the first wake: a start does not wait for them. */
	let jobs: Promise<ReadonlyMap<WorkerName, JobLoop>> | undefined;
	const wakeJob = (worker: WorkerName): void => {
		if (isStopping()) return;
		jobs ??= import("../jobs/writer-jobs").then(({ makeWriterJobs }) =>
			makeWriterJobs(
				{ transactions, turns, isStopping },
				{
					eventIds: services.eventIds,
					keep: { webhooksKeepDays, removableEntries: removableEntries(anchor, auditKeepDays) },
					log,
				},
			),
		);
		void jobs.then((made) => made.get(worker)?.wake());
	};
	/** Set from a commit until those that follow the main file are woken, once for all commits in between. */
	let wakingFollowers: ReturnType<typeof setTimeout> | undefined;
	const anchor = new AnchorKeeper({ folder, secret: folderSecret(folder), log });
	const marking = gathered(() => tell({ kind: "wake", worker: "aggregator" }));
	const transactions = openTransactions({
		db,
		clock: wallClock,
		testClocks: testClocksIn,
		recorder: (main) => {
			const record = recordChanges(main, () => anchor.changed());
			const count = countsUsageWrites(main.$client);
			return (work) => {
				record(work);
				count();
				marking.call();
			};
		},
		newId: newUuidV7,
		wake: (worker) => {
			if (ofOtherThreads.has(worker)) tell({ kind: "wake", worker });
			else wakeJob(worker);
		},
		onUnconfirmed: tellUnconfirmed,
		measure: meter && measureCommits(meter, "main"),
		onCommitted: () => {
			wakingFollowers ??= setTimeout(() => {
				wakingFollowers = undefined;
				tell({ kind: "wake", worker: "aggregator" });
				wakeJob("event-credits");
				wakeJob("event-budgets");
				wakeJob("spend-thresholds");
			}, wakeFollowersMs);
		},
		epochs: new Epochs(epochs),
		writes: "in groups",
	});
	const write = writesBy(transactions);
	const { link, events } = openIngest();
	const stopping = new AbortController();
	// The scheduler needs the app, and the app the scheduler's time slices.
	const turns: TimeSlices = { next: () => scheduler.next(), isOver: () => scheduler.isOver() };
	const services = makeServices({
		folder,
		transactions,
		turns,
		write,
		events,
		log,
		stopping: stopping.signal,
		api,
		meter,
	});
	const { bodies, senders } = services;
	const groups = new RouteGroups(services);
	const scheduler: WriteScheduler = new WriteScheduler({
		answer: answerForwarded({ handle: (request) => groups.handle(request), bodies, senders }),
		write,
		committed: () => transactions.committed(),
		log,
	});
	return {
		connect: (port) => scheduler.connect(port),
		links: { ingester: link },
		wake: () => {
			for (const job of jobsAtStart) wakeJob(job);
			return undefined;
		},
		wakeJob,
		stop: async () => {
			stopping.abort();
			marking.stop();
			await Promise.all([...((await jobs)?.values() ?? [])].map((job) => job.stop()));
			await scheduler.drained();
			await transactions.committed();
			clearTimeout(wakingFollowers);
			await anchor.stop();
			db.$client.close();
		},
	};
});
