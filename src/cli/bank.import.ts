import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { getImport, keepPart, startImport } from "../areas/bank/imports/operations";
import { readFile } from "../areas/bank/imports/operations.read";
import type { BankImportRow } from "../areas/bank/table";
import { assertCurrent, openFolder } from "../files";
import { openLog } from "../http/log";
import { FolderError } from "../kernel/errors";
import { newUuidV7 } from "../kernel/ids";
import type { Transactions } from "../kernel/work";
import { failuresOf, getTask } from "../tasks/operations";
import type { CliContext } from "./context";
import { lockUnlessServed } from "./open-folder";

interface Options {
	readonly environment?: string;
	readonly account?: string;
	readonly json?: boolean;
}

/** The interval between two reads of a running server's progress. */
const lookMs = 200;

/**
 * Imports a file, and waits until its entries are recorded: by the running server, or here if none runs. Throws BadUserInput for a file
 * that is not sound, before anything is stored.
 */
export async function importFile(context: CliContext, bytes: Uint8Array, options: Options): Promise<void> {
	const folder = context.config().dataDir;
	assertCurrent(folder);
	const unlock = lockUnlessServed(folder);
	const { db, transactions } = openFolder(folder);
	try {
		const { id, accountId } = transactions.read(systemActor(""), (work) =>
			chooseEnvironment(work, options.environment),
		);
		const actor = systemActor(id, accountId);
		const importId = newUuidV7();
		// A damaged file shows before anything is stored.
		const parts: Array<{ position: number; items: string }> = [];
		const account = options.account?.replaceAll(" ", "").toUpperCase();
		const keep = async (position: number, items: string) => parts.push({ position, items });
		const { rest, ...file } = await readFile({ transactions, actor, bytes, account, keep });
		const started = transactions.write(actor, (work) => {
			for (const part of parts) keepPart(work, { ...part, importId });
			return startImport(work, { ...file, ...rest, importId });
		});
		if (unlock) await carryOutHere(transactions);
		const read = () => transactions.read(actor, (work) => getImport(work, importId));
		const endedAt = () => transactions.read(actor, (work) => getTask(work, started.taskId)?.endedAt ?? null);
		while (endedAt() === null) await Bun.sleep(lookMs);
		const imported = read();
		if (imported.state !== "IMPORTED") throw new FolderError(failureOf(transactions, actor, started.taskId));
		context.print(options.json ? JSON.stringify(imported) : lineOf(imported));
	} finally {
		db.$client.close();
		unlock?.();
	}
}

async function carryOutHere(transactions: Transactions): Promise<void> {
	const { carryOutImport } = await import("../areas/bank/imports/operations.offline");
	const { drainTasks } = await import("../workers/task-thread");
	const { timeSlices } = await import("../tasks/time-slices");
	const thread = { transactions, turns: timeSlices(), isStopping: () => false };
	await drainTasks(transactions, ["IMPORT_BANK_STATEMENTS"], (task) => carryOutImport(thread, task), openLog("silent"));
}

const failureOf = (transactions: Transactions, actor: ReturnType<typeof systemActor>, taskId: string): string =>
	transactions.read(actor, (work) => {
		const task = getTask(work, taskId);
		const [failure] = task ? failuresOf(work, task).first : [];
		return `The statement was not imported: ${failure?.error ?? "its task is gone"}`;
	});

const lineOf = (one: BankImportRow): string =>
	`${one.entriesCount} entries: ${one.recordedCount} recorded as receipts, ${one.proposedCount} with proposals, ${one.unmatchedCount} without an invoice, ${one.outgoingCount} outgoing, ${one.knownCount} known before`;
