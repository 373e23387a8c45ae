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
import { CheckParts, type CheckResult } from "./check-parts";
import { withStaging } from "./staging";

/** The sources that a part of the check can read: files by name, old events, and whether the files are of one time. */
export type Source =
	| `${FileName}.db`
	| "archive/"
	| "the log"
	| "files of one time"
	| "the credit ledger"
	| "the secret";

export interface LogCheck {
	readonly folder: string;
	/** Whether to fetch and count old events in the S3 storage too. */
	readonly storage: boolean;
	/** The sources that were found damaged. */
	readonly damaged: readonly Source[];
}

type CheckedLog = CheckResult<Source>;

/** A check of the log on its way to a thread, which knows no settings. */
export interface LogCheckOrder extends LogCheck {
	readonly settings: StorageSettings | undefined;
}

/** The result of the thread; `refusal` is the message of a FolderError. */
export type LogCheckAnswer = CheckedLog | { readonly refusal: string };

/** Runs `checkLog` on a thread of its own. */
export async function checkLogOnThread(check: LogCheck): Promise<CheckedLog> {
	const thread = spawnThread.logChecker();
	try {
		const answer = await new Promise<LogCheckAnswer>((resolve, reject) => {
			thread.onmessage = ({ data }: MessageEvent<LogCheckAnswer>) => resolve(data);
			thread.onerror = ({ message }) => reject(new Error(message));
			const order: LogCheckOrder = { ...check, settings: storageOf(check.folder)?.settings };
			thread.postMessage(order);
		});
		if ("refusal" in answer) throw new FolderError(answer.refusal);
		return answer;
	} finally {
		thread.terminate();
	}
}

/** Checks the log, its archives and the totals. */
export async function checkLog({ folder, storage, damaged }: LogCheck): Promise<CheckedLog> {
	const parts = new CheckParts<Source>(damaged);
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
