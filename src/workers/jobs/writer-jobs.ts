import { systemActor } from "../../areas/access/rules.actors";
import { EventCharging } from "../../areas/credits/charging/events/follow";
import { ConsumptionSettlement } from "../../areas/credits/consumption/settle";
import { emitEntitlementChanges } from "../../areas/entitlements/alerts/emit-changes";
import { AlertEvaluation } from "../../areas/entitlements/alerts/evaluate";
import { recordReachedBudget } from "../../areas/entitlements/alerts/operations.budgets";
import { TreeUsage } from "../../areas/governance/tree/follow";
import { SpendThresholds } from "../../areas/subscriptions/spend-thresholds/follow";
import { BudgetEvents } from "../../areas/usage/budgets/follow";
import type { EventIds } from "../../areas/usage/events/rules.event-ids";
import type { Log } from "../../http/log";
import type { WorkerName } from "../../kernel/work";
import { CatchUp, nextDueByItself } from "../../scheduler/catch-up";
import type { JobThread } from "../../tasks/job";
import { isAnyClaimed, releaseTasks } from "../../tasks/operations";
import type { TaskRow } from "../../tasks/table";
import { tell } from "../entry";
import { JobLoop } from "../job-loop";
import { drainTasks } from "../task-thread";
import { type KeepSettings, purge } from "./purge";

/** The tasks that this thread carries out. */
const taskTypes = [
	"IMPORT_SUBSCRIPTIONS",
	"IMPORT_BANK_STATEMENTS",
	"MAKE_DIRECT_DEBIT_FILE",
	"SETTLE_DIRECT_DEBITS",
	"MIGRATE_SUBSCRIPTIONS",
	"SIMULATE_PLAN",
	"ERASE_CUSTOMER",
] as const;

const queueActor = systemActor("");

interface JobSettings {
	readonly keep: KeepSettings;
	readonly eventIds: EventIds;
	readonly log: Log;
}

/** Makes the jobs that the writer runs. They start when they are woken. */
export function makeWriterJobs(
	thread: JobThread,
	{ eventIds, keep, log }: JobSettings,
): ReadonlyMap<WorkerName, JobLoop> {
	const catchUp = new CatchUp({ ...thread, log });
	const alerts = new AlertEvaluation(thread);
	const settlement = new ConsumptionSettlement(thread);
	const eventCredits = new EventCharging({ ...thread, eventIds, log: log.child({ job: "event credits" }) });
	const eventBudgets = new BudgetEvents(thread);
	const spendThresholds = new SpendThresholds({ ...thread, log: log.child({ job: "spend thresholds" }) });
	const treeUsage = new TreeUsage(thread, recordReachedBudget);
	const jobs: ReadonlyArray<readonly [WorkerName, () => Promise<number | undefined>]> = [
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
		["event-budgets", () => eventBudgets.run()],
		["budget-tree", () => treeUsage.run()],
		["spend-thresholds", () => spendThresholds.run()],
	];
	return new Map(jobs.map(([name, run]) => [name, new JobLoop(run, log.child({ job: name }))]));
}

/** The modules of a task are loaded at its first one: many servers never have it. */
async function carryOut(thread: JobThread, task: TaskRow): Promise<void> {
	switch (task.type) {
		case "SIMULATE_PLAN":
			return (await import("../../areas/simulations/simulate")).runSimulation(thread, task);
		case "ERASE_CUSTOMER":
			return (await import("../../areas/privacy/erase")).runErasure(thread, task);
		case "MIGRATE_SUBSCRIPTIONS":
			return (await import("../../areas/subscriptions/versions/migrate")).runMigration(thread, task);
		case "IMPORT_BANK_STATEMENTS":
			return (await import("../../areas/bank/imports/import")).runBankImport(thread, task);
		case "MAKE_DIRECT_DEBIT_FILE":
			return (await import("../../areas/bank/debits/make")).makeDebitFile(thread, task);
		case "SETTLE_DIRECT_DEBITS":
			return (await import("../../areas/bank/debits/settle")).settleDebits(thread, task);
		default:
			return (await import("../../areas/subscriptions/import/import")).runImport(thread, task);
	}
}
