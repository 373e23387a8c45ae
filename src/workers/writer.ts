import { testClocksIn } from "../areas/access/environments/operations.clocks";
import { systemActor } from "../areas/access/rules.actors";
import { AnchorKeeper } from "../areas/audit/operations.kept-anchor";
import { recordChanges } from "../areas/audit/operations.recording";
import { removableEntries } from "../areas/audit/retention";
import { EventCharging } from "../areas/credits/charging/events/follow";
import { ConsumptionSettlement } from "../areas/credits/consumption/settle";
import { emitEntitlementChanges } from "../areas/entitlements/alerts/emit-changes";
import { AlertEvaluation } from "../areas/entitlements/alerts/evaluate";
import { runErasure } from "../areas/privacy/erase";
import { runSimulation } from "../areas/simulations/simulate";
import { runImport } from "../areas/subscriptions/import/import";
import { runMigration } from "../areas/subscriptions/versions/migrate";
import type { EventIds } from "../areas/usage/events/rules.event-ids";
import { folderSecret } from "../folder/secret";
import { answerForwarded } from "../http/fast-path/forwarded";
import type { Log } from "../http/log";
import { wallClock } from "../kernel/clock";
import { newUuidV7 } from "../kernel/ids";
import { openFile } from "../kernel/storage/db";
import { Epochs } from "../kernel/storage/epochs";
import { countsUsageWrites, gathered } from "../kernel/storage/marks";
import { openTransactions } from "../kernel/storage/transactions";
import type { WorkerName } from "../kernel/work";
import { RouteGroups } from "../routes/groups";
import { CatchUp, nextDueByItself } from "../scheduler/catch-up";
import { makeServices } from "../server/context";
import { writesBy } from "../server/writer-calls";
import type { JobThread } from "../tasks/job";
import { isAnyClaimed, releaseTasks } from "../tasks/operations";
import type { TaskRow } from "../tasks/table";
import type { TimeSlices } from "../tasks/time-slices";
import { isStopping, runWorker, tell, tellUnconfirmed } from "./entry";
import { HeartbeatMonitor, Heartbeats, mainHeartbeat } from "./heartbeat";
import { openIngest } from "./ingest-link";
import { JobLoop } from "./job-loop";
import { type KeepSettings, purge } from "./purge";
import { drainTasks } from "./task-thread";
import { WriteScheduler } from "./write-scheduler";

/** The tasks that this thread carries out. */
const taskTypes = ["IMPORT_SUBSCRIPTIONS", "MIGRATE_SUBSCRIPTIONS", "SIMULATE_PLAN", "ERASE_CUSTOMER"] as const;

const queueActor = systemActor("");

/** The delay after a commit until the aggregator looks. It follows the main file and checkpoints its log. */
const wakeAggregatorMs = 100;

/**
 * The only thread that writes main.db: it answers requests that write, carries out writes of other threads, and runs the jobs. It runs the
 * same app as the HTTP threads.
 */
runWorker("writer", (settings, log) => {
	const { folder, epochs, heartbeats, api, webhooksKeepDays, auditKeepDays } = settings;
	// The main thread monitors the other threads, and this thread monitors the main thread.
	new HeartbeatMonitor(new Heartbeats(heartbeats), log).watch("main", mainHeartbeat);
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	const jobs = new Map<WorkerName, JobLoop>();
	/** Set from a commit until the aggregator is woken, once for all commits in between. */
	let wakingAggregator: ReturnType<typeof setTimeout> | undefined;
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
			const job = jobs.get(worker);
			if (job) job.wake();
			else tell({ kind: "wake", worker });
		},
		onUnconfirmed: tellUnconfirmed,
		onCommitted: () => {
			wakingAggregator ??= setTimeout(() => {
				wakingAggregator = undefined;
				tell({ kind: "wake", worker: "aggregator" });
			}, wakeAggregatorMs);
		},
		epochs: new Epochs(epochs),
		writes: "in groups",
	});
	const write = writesBy(transactions);
	const { link, events } = openIngest();
	const stopping = new AbortController();
	// The scheduler needs the app, and the app the scheduler's time slices.
	const turns: TimeSlices = { next: () => scheduler.next(), isOver: () => scheduler.isOver() };
	const services = makeServices({ folder, transactions, turns, write, events, log, stopping: stopping.signal, api });
	const { bodies, senders } = services;
	const groups = new RouteGroups(services);
	const scheduler: WriteScheduler = new WriteScheduler({
		answer: answerForwarded({ handle: (request) => groups.handle(request), bodies, senders }),
		write,
		committed: () => transactions.committed(),
		log,
	});
	for (const [name, run] of jobsOf(
		{ transactions, turns, isStopping },
		{
			eventIds: services.eventIds,
			keep: { webhooksKeepDays, removableEntries: removableEntries(anchor, auditKeepDays) },
			log,
		},
	))
		jobs.set(name, new JobLoop(run, log.child({ job: name })));
	return {
		connect: (port) => scheduler.connect(port),
		links: { ingester: link },
		wake: () => {
			jobs.get("importer")?.wake();
			jobs.get("alerts")?.wake();
			jobs.get("entitlement-events")?.wake();
			jobs.get("credits")?.wake();
			jobs.get("event-credits")?.wake();
			return undefined;
		},
		wakeJob: (worker) => jobs.get(worker)?.wake(),
		stop: async () => {
			stopping.abort();
			marking.stop();
			await Promise.all([...jobs.values()].map((job) => job.stop()));
			await scheduler.drained();
			await transactions.committed();
			clearTimeout(wakingAggregator);
			await anchor.stop();
			db.$client.close();
		},
	};
});

interface JobSettings {
	readonly keep: KeepSettings;
	readonly eventIds: EventIds;
	readonly log: Log;
}

type Jobs = ReadonlyArray<readonly [WorkerName, () => Promise<number | undefined>]>;

function jobsOf(thread: JobThread, { eventIds, keep, log }: JobSettings): Jobs {
	const catchUp = new CatchUp({ ...thread, log });
	const alerts = new AlertEvaluation(thread);
	const settlement = new ConsumptionSettlement(thread);
	const eventCredits = new EventCharging({ ...thread, eventIds, log: log.child({ job: "event credits" }) });
	return [
		[
			"importer",
			() => {
				// Releases tasks that a dead thread had claimed, or that a full disk interrupted.
				if (thread.transactions.read(queueActor, (work) => isAnyClaimed(work, taskTypes)))
					thread.transactions.write(queueActor, (work) => releaseTasks(work, taskTypes));
				return drainTasks(thread.transactions, taskTypes, (task) => carryOut(thread, task), log);
			},
		],
		[
			"next-due",
			async () => {
				tell({ kind: "due", at: thread.transactions.read(queueActor, nextDueByItself) });
				return undefined;
			},
		],
		[
			"scheduler",
			async () => {
				await catchUp.run();
				await purge(thread, keep);
				return undefined;
			},
		],
		["alerts", () => alerts.run()],
		["entitlement-events", () => emitEntitlementChanges(thread)],
		["credits", () => settlement.run()],
		["event-credits", () => eventCredits.run()],
	];
}

function carryOut(thread: JobThread, task: TaskRow): Promise<void> {
	switch (task.type) {
		case "SIMULATE_PLAN":
			return runSimulation(thread, task);
		case "ERASE_CUSTOMER":
			return runErasure(thread, task);
		case "MIGRATE_SUBSCRIPTIONS":
			return runMigration(thread, task);
		default:
			return runImport(thread, task);
	}
}
