import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readStoredErasures } from "../../areas/privacy/operations.erasure-list";
import { erasureListName, formatErasureList } from "../../areas/privacy/rules.erasure-list";
import { FolderError } from "../../kernel/errors";
import { sumOfFile, unsealFile } from "../../kernel/sealed-files";
import { writeWhole } from "../../kernel/storage/disk";
import { type Verified, verifyArchive } from "../archive";
import type { Destination } from "./destination";
import { destinationOf } from "./destination.of";
import { type Backup, backupsIn, noteName, sealedName } from "./rules.names";
import type { BackupSettings } from "./settings";

const Note = Type.Object({ bytes: Type.Integer(), sha256: Type.String() });

/** Returns the backups at the destination, oldest first, and the number of files without a note. Throws FolderError. */
export async function listBackups({ to }: Pick<BackupSettings, "to">): Promise<ReturnType<typeof backupsIn>> {
	return backupsIn(await destinationOf(to).list());
}

/** Returns the backup of a name, or the newest one for `latest`. Throws FolderError. */
export async function findBackup(settings: BackupSettings, name: string): Promise<Backup> {
	const { whole } = await listBackups(settings);
	const place = destinationOf(settings.to).location;
	if (name !== "latest") {
		const found = whole.find((backup) => backup.name === name);
		if (found) return found;
		throw new FolderError(`There is no backup '${name}' in ${place}: \`tollgate backup list\` names them.`);
	}
	const newest = whole.at(-1);
	if (!newest) throw new FolderError(`There is no backup in ${place}.`);
	if (whole.some(({ folder }) => folder !== newest.folder))
		throw new FolderError(
			`${place} has backups of several data folders: name one that \`tollgate backup list\` shows.`,
		);
	return newest;
}

/**
 * Fetches a backup into a folder, compares it with its note, opens its seal, and writes the list of erasures next to it. Returns the path of
 * the archive. Throws FolderError for a damaged or incomplete file and for another key.
 */
export async function openBackup(settings: BackupSettings, backup: Backup, folder: string): Promise<string> {
	const destination = destinationOf(settings.to);
	const [sealed, plain] = [join(folder, sealedName(backup.name)), join(folder, `${backup.name}.tgz`)];
	await destination.fetch(sealedName(backup.name), backup.bytes, sealed);
	const [is, was] = [await sumOfFile(sealed), await readNote(destination, backup)];
	if (is.bytes !== was.bytes || is.sha256 !== was.sha256)
		throw new FolderError(
			`${destination.location} has another '${sealedName(backup.name)}' than was written: it is damaged. Use another backup.`,
		);
	await unsealFile(settings.key, sealed, plain);
	writeWhole(join(folder, erasureListName), formatErasureList(await readStoredErasures(destination)));
	return plain;
}

async function readNote(destination: Destination, { name }: Backup): Promise<Static<typeof Note>> {
	const text = await destination.readText(noteName(name));
	try {
		const read: unknown = JSON.parse(text ?? "");
		if (Value.Check(Note, read)) return read;
	} catch {
		// Not JSON.
	}
	throw new FolderError(`${destination.location} has no sound '${noteName(name)}': use another backup.`);
}

/** Fetches a backup, opens it and compares each file in it with its checksum. Throws FolderError. */
export async function verifyBackup(settings: BackupSettings, backup: Backup, folder: string): Promise<Verified> {
	return await verifyArchive(await openBackup(settings, backup, folder));
}

/** Whether a text names a file rather than a backup at the destination. */
export const namesFile = (text: string): boolean => text !== "latest" && existsSync(text);
