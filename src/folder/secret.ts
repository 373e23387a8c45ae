import type { Database as SqliteFile } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, FolderError } from "../kernel/errors";
import { sealingKey } from "../kernel/sealed";
import { writeWhole } from "../kernel/storage/disk";

const secretFile = (folder: string): string => join(folder, "secret");

/** 32 random bytes, in hexadecimal digits. */
const secretPattern = /^[0-9a-f]{64}$/;

const remedy =
	"Bring the file `secret` back from a backup. If it is lost for good, `tollgate secret replace` accepts another one and lists what stops working.";

/** Reads the folder's secret. Signing secrets, second factors, sealed secrets and event ids are derived from it. Throws FolderError. */
export function folderSecret(folder: string): string {
	const path = secretFile(folder);
	const secret = readSecret(path);
	if (secret === undefined) throw new FolderError(`The file '${path}' is missing. ${remedy}`);
	if (!secretPattern.test(secret))
		throw new FolderError(
			`The file '${path}' is damaged: it holds ${secret.length} characters in place of 64 hexadecimal digits. ${remedy}`,
		);
	return secret;
}

function readSecret(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8").trim();
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}

export const hasSecret = (folder: string): boolean => existsSync(secretFile(folder));

/** Makes the secret of a folder that has none. Keeps a secret that the owner has put there. */
export function makeSecret(folder: string): void {
	if (hasSecret(folder)) folderSecret(folder);
	else writeNewSecret(folder);
}

const writeNewSecret = (folder: string): void =>
	writeWhole(secretFile(folder), Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));

/** Returns a hash that identifies a secret without disclosing it. */
const hashOf = (secret: string): string => sealingKey(secret, "hash of the folder's secret").toString("hex");

const recordedHash = (main: SqliteFile): string | undefined =>
	main.query<{ hash: string }, []>("SELECT hash FROM main.folder_secret WHERE id = 1").get()?.hash;

/** Whether a server has used the folder: it has a secret, or main.db records one. */
export const wasServed = (main: SqliteFile, folder: string): boolean =>
	hasSecret(folder) || recordedHash(main) !== undefined;

/** Records the folder's secret in main.db, as a hash. */
export function recordSecret(main: SqliteFile, folder: string): void {
	main.run("INSERT INTO folder_secret (id, hash) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET hash = excluded.hash", [
		hashOf(folderSecret(folder)),
	]);
}

/** Refuses a folder whose secret is missing, damaged or not the one that the folder was written with. Throws FolderError. */
export function assertSecret(main: SqliteFile, folder: string): void {
	const secret = folderSecret(folder);
	const recorded = recordedHash(main);
	if (recorded !== undefined && recorded !== hashOf(secret))
		throw new FolderError(
			`The file '${secretFile(folder)}' is not the secret that this folder was written with: signing secrets, second factors, identity providers' secrets and event ids would change. ${remedy}`,
		);
}

/** Asserts the secret, or records it: versions before recorded none. Throws FolderError. */
export function assertSecretRecorded(main: SqliteFile, folder: string): void {
	assertSecret(main, folder);
	if (recordedHash(main) === undefined) recordSecret(main, folder);
}

/** Accepts the secret in the folder, or writes a new one if it is missing or damaged. Returns whether it wrote one. */
export function replaceSecret(main: SqliteFile, folder: string): { readonly isNew: boolean } {
	const isNew = !secretPattern.test(readSecret(secretFile(folder)) ?? "");
	if (isNew) writeNewSecret(folder);
	recordSecret(main, folder);
	return { isNew };
}
