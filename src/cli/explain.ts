import { CommanderError, InvalidArgumentError } from "commander";
import { ConfigError } from "../config/setting";
import { CannotListen } from "../http/server";
import { codeOf, DomainError, FolderError } from "../kernel/errors";
import { TooFewDescriptors } from "../kernel/storage/descriptors";
import { FileUnreadable, isDamage, isDiskFull, StorageError } from "../kernel/storage/failures";

/** Exit status: 0 success, 1 failure, 2 wrong usage (docs/interface/running.md). */
export type ExitStatus = 0 | 1 | 2;

/** The running server that a command calls does not answer as it should. */
export class CannotReach extends Error {}

/** Reasons why a path that the operator has named cannot be used. */
const obstacles: Readonly<Record<string, string>> = {
	ENOENT: "does not exist",
	EACCES: "is not open to this user",
	EPERM: "is not open to this user",
	EROFS: "is on a disk that is only read",
	ENOTDIR: "lies below a file",
	EISDIR: "is a folder",
	EEXIST: "exists already",
	ENAMETOOLONG: "has too long a name",
	ELOOP: "is a link to itself",
};

/** Prints one sentence for a mistake that the operator can correct, and the stack for a bug of Tollgate. */
export function explain(error: unknown, stderr: { write(text: string): unknown }): ExitStatus {
	// Commander has printed its own errors. It has not printed an argument error that a command threw.
	const isArgument = error instanceof InvalidArgumentError;
	if (error instanceof CommanderError && !isArgument) return error.exitCode === 0 ? 0 : 2;
	const message = messageOf(error);
	stderr.write(`tollgate: ${message}\n`);
	return error instanceof ConfigError || isArgument ? 2 : 1;
}

function messageOf(error: unknown): string {
	if (
		error instanceof DomainError ||
		error instanceof ConfigError ||
		error instanceof FolderError ||
		error instanceof CannotListen ||
		error instanceof CannotReach ||
		error instanceof StorageError ||
		error instanceof TooFewDescriptors ||
		error instanceof InvalidArgumentError
	)
		return error.message;
	if (error instanceof FileUnreadable) return error.cause instanceof Error ? error.cause.message : error.message;
	if (!(error instanceof Error)) return String(error);
	const code = codeOf(error);
	const obstacle = obstacles[code];
	if (obstacle !== undefined && "path" in error)
		return `The file or folder '${error.path}' ${obstacle} (${code}). Name another one; TOLLGATE_DATA_DIR sets the data folder.`;
	if (/^SQLITE_(READONLY|CANTOPEN)/.test(code))
		return `The data folder cannot be written (${code}): give this user the right to write it, or set TOLLGATE_DATA_DIR to another one.`;
	if (isDamage(error))
		return `A file of the data folder is damaged (${code}: ${error.message}): \`tollgate check\` says which; restore a backup.`;
	if (isDiskFull(error))
		return `The disk is full (${code}): make room, then start again; nothing acknowledged is lost.`;
	return error.stack ?? error.message;
}
