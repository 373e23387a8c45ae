import { checkArchives, checkStored, inStorage, leftOutOf } from "../areas/usage/archive/operations.check";
import { storageOf } from "../areas/usage/archive/operations.storage";
import { describeStored, type StorageSettings } from "../areas/usage/archive/rules.storage";
import { checkingFingerprints } from "../areas/usage/log/operations.check";
import { recounting } from "../areas/usage/recount/operations";
import { type Instant, toIso } from "../kernel/clock";
import { FolderError } from "../kernel/errors";
import type { FileName } from "../kernel/storage/db";
import { carriedOutInTime } from "../kernel/storage/failures";
import { spawnThread } from "../threads";
import { checkFiles } from "./check-files";
import { CheckParts, type CheckResult, type Source } from "./check-parts";
import { withStaging } from "./staging";

/** A check of files and of the log. */
export interface LogCheck {
	readonly folder: string;
	/** The files whose pages, indexes and references are checked before the log: all but main.db. */
	readonly files: readonly FileName[];
	/** Whether to fetch and count old events in the S3 storage too. */
	readonly storage: boolean;
}

/** A check that runs. The one of the log takes main.db for sound and of the same time, and starts once the files are checked. */
export interface RunningLogCheck {
	readonly files: Promise<CheckResult>;
	readonly log: Promise<CheckResult>;
}

/** Starts a check in this thread. */
export function startLogCheck({ folder, files, storage }: LogCheck): RunningLogCheck {
	const checked = checkFiles(folder, files);
	return { files: checked, log: checked.then(({ damaged }) => checkLog({ folder, storage, damaged })) };
}

/** A check on its way to a thread, which knows no settings. */
export interface LogCheckOrder extends LogCheck {
	readonly settings: StorageSettings | undefined;
}

/** The thread's results, one after the other; `refusal` is the message of a FolderError. */
export type LogCheckAnswer =
	| { readonly part: keyof RunningLogCheck; readonly result: CheckResult }
	| { readonly refusal: string };

/** Starts a check on a thread of its own, which ends with it. */
export function startLogCheckOnThread(check: LogCheck): RunningLogCheck {
	const thread = spawnThread.logChecker();
	const files = Promise.withResolvers<CheckResult>();
	const log = Promise.withResolvers<CheckResult>();
	const fail = (error: Error) => {
		files.reject(error);
		log.reject(error);
	};
	thread.onmessage = ({ data }: MessageEvent<LogCheckAnswer>) => {
		if ("refusal" in data) fail(new FolderError(data.refusal));
		else (data.part === "files" ? files : log).resolve(data.result);
	};
	thread.onerror = ({ message }) => fail(new Error(message));
	const order: LogCheckOrder = { ...check, settings: storageOf(check.folder)?.settings };
	thread.postMessage(order);
	return { files: files.promise, log: log.promise.finally(() => thread.terminate()) };
}

interface LogParts {
	readonly folder: string;
	readonly storage: boolean;
	/** The sources that were found damaged. */
	readonly damaged: readonly Source[];
}

/** Checks the log, its archives and the totals. */
export async function checkLog({ folder, storage, damaged }: LogParts): Promise<CheckResult> {
	const parts = new CheckParts(damaged);
	await parts.run({ name: "the files of old events", reads: ["events.db"], source: "archive/" }, async () => [
		...(await checkArchives(folder)),
		...(storage ? await checkStored(folder) : []),
	]);
	if (parts.isDamaged("events.db")) return parts.result;
	const leftOut = storage ? undefined : leftOutOf(folder);
	// Between files of different times, each event would be a finding.
	const reads = ["main.db", "events.db", "archive/", "files of one time"] as const;
	await parts.run({ name: "the fingerprints of events", reads, source: "the log" }, () =>
		carriedOutInTime(checkingFingerprints(folder, leftOut)),
	);
	await parts.run({ name: "the totals of usage", reads: [...reads, "usage.db", "the log"] }, () =>
		withStaging(folder, "check", (scratch) => carriedOutInTime(recounting(folder, scratch, leftOut))),
	);
	if (leftOut) parts.notes.push(...notesOn(folder, leftOut.lastAt));
	return parts.result;
}

const notesOn = (folder: string, lastAt: Instant): string[] =>
	inStorage(folder).map(
		(part) =>
			`${describeStored(part)}, and were not looked at: totals were counted again for the hours after ${toIso(lastAt)} only. --storage reads all.`,
	);
