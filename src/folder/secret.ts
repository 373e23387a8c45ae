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

/** The folder's own secret. Signing secrets, second factors, sealed secrets and event ids derive from it. */
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

/** Makes the secret of a folder that has none. Keeps a secret that the owner has laid there. */
export function makeSecret(folder: string): void {
	if (hasSecret(folder)) folderSecret(folder);
	else writeNewSecret(folder);
}

const writeNewSecret = (folder: string): void =>
	writeWhole(secretFile(folder), Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));

/** Identifies a secret and discloses nothing of it. */
const hashOf = (secret: string): string => sealingKey(secret, "hash of the folder's secret").toString("hex");

const recordedHash = (main: SqliteFile): string | undefined =>
	main.query<{ hash: string }, []>("SELECT hash FROM main.folder_secret WHERE id = 1").get()?.hash;

/** Whether a server has made the folder, or a first start of one: it has a secret, or knows that it had one. */
export const wasServed = (main: SqliteFile, folder: string): boolean =>
	hasSecret(folder) || recordedHash(main) !== undefined;

/** Records in main.db which secret the folder has. */
export function recordSecret(main: SqliteFile, folder: string): void {
	main.run("INSERT INTO folder_secret (id, hash) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET hash = excluded.hash", [
		hashOf(folderSecret(folder)),
	]);
}

/** Refuses a folder whose secret is missing, damaged or another one than the folder was written with. */
export function assertSecret(main: SqliteFile, folder: string): void {
	const secret = folderSecret(folder);
	const recorded = recordedHash(main);
	if (recorded !== undefined && recorded !== hashOf(secret))
		throw new FolderError(
			`The file '${secretFile(folder)}' is not the secret that this folder was written with: signing secrets, second factors, identity providers' secrets and event ids would change. ${remedy}`,
		);
}

/** As `assertSecret`. The first start after an upgrade from a version that recorded nothing records the secret. */
export function assertSecretRecorded(main: SqliteFile, folder: string): void {
	assertSecret(main, folder);
	if (recordedHash(main) === undefined) recordSecret(main, folder);
}

/** Accepts the secret that lies in the folder. Writes a new one where it is missing or damaged. Answers whether it has. */
export function replaceSecret(main: SqliteFile, folder: string): { readonly isNew: boolean } {
	const isNew = !secretPattern.test(readSecret(secretFile(folder)) ?? "");
	if (isNew) writeNewSecret(folder);
	recordSecret(main, folder);
	return { isNew };
}
