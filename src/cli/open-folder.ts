import { InvalidArgumentError, Option } from "commander";
import { nameLengthMax } from "../areas/access/rules";
import { systemActor } from "../areas/access/rules.actors";
import { keepAnchor } from "../areas/audit/operations.kept-anchor";
import { openFolder } from "../files";
import { folderSecret } from "../folder/secret";
import { type Instant, parseInstant } from "../kernel/clock";
import { FolderInUse, lockFolder } from "../kernel/storage/lock";
import type { Transactions } from "../kernel/work";
import type { CliContext } from "./context";

/** The actor of the command line: the owner of the folder. */
export const operator = systemActor("");

/** Opens the folder for one short command. A server of the same version may run on it at the same time. */
export function withFolder<T>({ config }: CliContext, body: (transactions: Transactions, folder: string) => T): T {
	const { dataDir } = config();
	let isChanged = false;
	const onRecorded = () => {
		isChanged = true;
	};
	const { db, transactions } = openFolder(dataDir, { onRecorded });
	try {
		return body(transactions, dataDir);
	} finally {
		db.$client.close();
		if (isChanged) keepAnchor(dataDir, folderSecret(dataDir));
	}
}

/** Locks the folder. Returns undefined if a server runs on it, which counts and charges events by itself. */
export function lockUnlessServed(folder: string): (() => void) | undefined {
	try {
		return lockFolder(folder);
	} catch (error) {
		if (error instanceof FolderInUse) return undefined;
		throw error;
	}
}

export const environmentOption = () =>
	new Option("--environment <id or name>", "the environment; the first one when left out");

export function readInstant(text: string): Instant {
	const at = parseInstant(text);
	if (at === undefined)
		throw new InvalidArgumentError("An instant is an ISO 8601 date-time with a zone, such as 2027-01-31T00:00:00Z.");
	return at;
}

export function readName(text: string): string {
	const name = text.trim();
	if (name === "" || name.length > nameLengthMax)
		throw new InvalidArgumentError(`A name has 1 to ${nameLengthMax} characters.`);
	return name;
}
