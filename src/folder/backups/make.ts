import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { storeErasures } from "../../areas/privacy/operations.erasure-list";
import { erasureListName } from "../../areas/privacy/rules.erasure-list";
import { archivesOf } from "../../areas/usage/archive/operations.check";
import { type Clock, toIso } from "../../kernel/clock";
import { FolderError } from "../../kernel/errors";
import { type Sum, sealFile } from "../../kernel/sealed-files";
import { filePath } from "../../kernel/storage/db";
import { version } from "../../version";
import { archivedDatabases } from "../archive";
import { backUp } from "../backup";
import { readErasures } from "../erasures";
import { folderSecret } from "../secret";
import { withStaging } from "../staging";
import type { Destination } from "./destination";
import { destinationOf } from "./destination.of";
import { keptBackups } from "./rules.keep";
import { type Backup, backupName, backupsIn, folderIdOf, noteName, sealedName } from "./rules.names";
import type { BackupSettings } from "./settings";
import { assertSpace } from "./space";
import { noteBackupState } from "./state";

/** A file without its note is left by a process that was killed, or is being written. After this time it is removed. */
const unfinishedMs = 86_400_000;

/**
 * Makes a backup at its destination: a consistent copy of the folder, compressed, sealed, written and read back. It counts from then on: the
 * note that makes it count is written last. Throws FolderError. Works alongside a running server.
 */
export async function makeBackup(folder: string, settings: BackupSettings, clock: Clock): Promise<Backup> {
	const destination = destinationOf(settings.to);
	const begunAt = clock.now();
	return await withStaging(folder, "sealed-backup", async (staging) => {
		await assertSpace(folder, spaceOf(folder), "a backup");
		const id = folderIdOf(folderSecret(folder));
		const name = backupName(id, begunAt);
		if (backupsIn(await destination.list()).whole.some((known) => known.name === name))
			throw new FolderError(`There is a backup '${name}' of this second already in ${destination.location}.`);
		const plain = join(staging, "backup.tgz");
		await backUp(folder, plain);
		const sealed = join(staging, "backup.sealed");
		const sum = await sealFile(settings.key, plain, sealed);
		rmSync(plain);
		await storeErasures(destination, readErasures(join(staging, erasureListName)));
		await destination.put(sealedName(name), sealed, sum);
		await destination.writeText(noteName(name), note(sum, begunAt, clock));
		const tookMs = Math.max(0, clock.now() - begunAt);
		noteBackupState(folder, { backup: { at: begunAt, name, bytes: sum.bytes, tookMs } });
		return { name, folder: id, at: begunAt, bytes: sum.bytes };
	});
}

const note = ({ bytes, sha256 }: Sum, madeAt: Backup["at"], clock: Clock): string =>
	`${JSON.stringify({ format: 1, tollgate: version, madeAt: toIso(madeAt), verifiedAt: toIso(clock.now()), bytes, sha256 })}\n`;

/** The bytes that a backup needs on the disk of the data folder at most: copies of the databases, and the archive of them and of old events. */
function spaceOf(folder: string): number {
	const databases = archivedDatabases
		.flatMap((file) => [filePath(folder, file), `${filePath(folder, file)}-wal`])
		.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
	const oldEvents = archivesOf(folder).filter(({ storedIn }) => storedIn === null);
	return 2 * (sumOf(databases) + sumOf(oldEvents.map(({ bytes }) => bytes)));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/**
 * Removes the backups of this data folder that `keep` does not keep, and the files of unfinished ones. Backups of other folders stay. Returns
 * the removed backups.
 */
export async function pruneBackups(folder: string, settings: BackupSettings, clock: Clock): Promise<Backup[]> {
	const destination = destinationOf(settings.to);
	const id = folderIdOf(folderSecret(folder));
	const { whole, unfinished } = backupsIn(await destination.list());
	const own = whole.filter((backup) => backup.folder === id);
	const kept = keptBackups(own, settings.keep, clock.now());
	const left = unfinished.filter((backup) => backup.folder === id && clock.now() - backup.at > unfinishedMs);
	const pruned = own.filter((backup) => !kept.has(backup));
	for (const { name } of [...pruned, ...left]) await removeBackup(destination, name);
	return pruned;
}

/** Removes the note first: half a backup does not count. */
async function removeBackup(destination: Destination, name: string): Promise<void> {
	await destination.remove(noteName(name));
	await destination.remove(sealedName(name));
}
