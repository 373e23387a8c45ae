import { Command, Option } from "commander";
import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { assertCurrent, openFolder } from "../files";
import { openLog } from "../http/log";
import { FolderError } from "../kernel/errors";
import type { Transactions, Work } from "../kernel/work";
import type { TaskState } from "../tasks/table";
import type { CliContext } from "./context";
import { lockUnlessServed, operator } from "./open-folder";

/** The interval between two reads of a running server's progress. */
const lookMs = 500;

interface Options {
	readonly environment?: string;
	readonly feature?: string;
}

export function usageCommand(context: CliContext): Command {
	const usage = new Command("usage").description("What was counted of the events that were reported.");
	usage
		.command("rebuild")
		.description(
			"recount usage from the events. Works with a running server, which continues to answer, and with a stopped one",
		)
		.addOption(new Option("--environment <id or name>", "of this environment only; of all when left out"))
		.addOption(
			new Option("--feature <id>", "of this feature only; of the first environment when --environment is left out"),
		)
		.action((options: Options) => rebuild(context, options));
	return usage;
}

async function rebuild({ config, print }: CliContext, options: Options): Promise<void> {
	const { dataDir } = config();
	assertCurrent(dataDir);
	const unlock = lockUnlessServed(dataDir);
	const { db, transactions } = openFolder(dataDir);
	try {
		const { rebuildAllUsage, rebuildUsage } = await import("../areas/usage/rebuild/operations");
		const { id, actor } = ordered(transactions, options, { rebuildAllUsage, rebuildUsage });
		const { getTask, failuresOf } = await import("../tasks/operations");
		const { progressPercent } = await import("../tasks/rules");
		const read = (): TaskState => {
			const task = transactions.read(actor, (work) => getTask(work, id));
			if (!task) throw new FolderError(`The task '${id}' is gone.`);
			return task;
		};
		if (unlock) await carryOutHere(dataDir, transactions);
		let shown = -1;
		for (let task = read(); ; task = read()) {
			const percent = progressPercent(task);
			if (percent !== shown) print(`${percent} %`);
			shown = percent;
			if (task.endedAt !== null) break;
			await Bun.sleep(lookMs);
		}
		const [failure] = transactions.read(actor, (work) => failuresOf(work, read()).first);
		if (failure) throw new FolderError(`Usage was not recounted: ${failure.error}`);
		print("usage was recounted");
	} finally {
		db.$client.close();
		unlock?.();
	}
}

type Orders = Readonly<{
	rebuildAllUsage: (work: Work) => TaskState;
	rebuildUsage: (work: Work, input: { featureId?: string }) => TaskState;
}>;

function ordered(transactions: Transactions, { environment, feature }: Options, orders: Orders) {
	if (environment === undefined && feature === undefined)
		return { id: transactions.write(operator, orders.rebuildAllUsage).id, actor: operator };
	const { id, accountId } = transactions.read(operator, (work) => chooseEnvironment(work, environment));
	const actor = systemActor(id, accountId);
	const input = feature === undefined ? {} : { featureId: feature };
	return { id: transactions.write(actor, (work) => orders.rebuildUsage(work, input)).id, actor };
}

async function carryOutHere(folder: string, transactions: Transactions): Promise<void> {
	const { carryOutRebuilds } = await import("../areas/usage/operations.offline");
	const { erasedCustomers } = await import("../areas/privacy/operations.erasure-list");
	await carryOutRebuilds({
		...{ folder, transactions, log: openLog("error") },
		erasedCustomers: () => transactions.read(operator, erasedCustomers),
	});
}
