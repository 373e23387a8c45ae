import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { keepAnchor, keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { listedErasures } from "../areas/privacy/operations.erasure-list";
import type { Reapplied } from "../areas/privacy/operations.reapply";
import { type ListedErasure, mergeErasures } from "../areas/privacy/rules.erasure-list";
import { archivesOf } from "../areas/usage/archive/operations.check";
import type { InStorage } from "../areas/usage/archive/rules.storage";
import { assertCurrent, openPrepared, schemas } from "../files";
import { codeOf, FolderError } from "../kernel/errors";
import { filePath, type OnUpgrade, openFile, prepareFiles } from "../kernel/storage/db";
import { folderMode, renameWhole, writeWhole } from "../kernel/storage/disk";
import { lockFolder } from "../kernel/storage/lock";
import { assertAgreement } from "./agree";
import { archivedDatabases, oldEventsName, pack, secretName, unpack, type Verified, verifyArchive } from "./archive";
import { readErasuresNextTo, writeErasuresNextTo, writePending } from "./erasures";
import { assertEmpty, fillFolder } from "./fill";
import { reapplyPending } from "./pending-erasures";
import { assertSecret, folderSecret } from "./secret";
import { withStaging } from "./staging";

export interface BackedUp {
	readonly bytes: number;
	/** Files in the S3 storage that the backup needs. */
	readonly stored: readonly InStorage[];
}

/**
 * Writes a compressed tar file, which gets its name once it is whole, verified and on disk. SQLite makes the copies (`VACUUM INTO`),
 * safely alongside a running server. They are in the data folder while the archive is made, so the disk needs space for them. Rendered
 * PDFs are a cache and are not included.
 */
export async function backUp(folder: string, target: string): Promise<BackedUp> {
	if (existsSync(target)) throw new FolderError(`The file '${target}' exists already; name a new one.`);
	if (!existsSync(dirname(resolve(target))))
		throw new FolderError(
			`There is no folder '${dirname(resolve(target))}' for the backup: create it, or name another file.`,
		);
	assertCurrent(folder);
	const part = `${resolve(target)}.part`;
	const body = async (staging: string): Promise<BackedUp> => {
		writeWhole(partNote(staging), part);
		// Before the copy of the log: the server may move a file to the storage and delete it in between.
		addOldEvents(folder, staging, archivesOf(folder));
		// Before the copy of main.db: an anchor is never newer than its log.
		copyAnchor(folder, staging);
		for (const file of archivedDatabases) {
			const db = openFile(folder, file);
			// The copy is read once and deleted. Flushing it would delay every other flush.
			db.$client.run("PRAGMA synchronous = OFF");
			db.$client.run("VACUUM INTO ?", [filePath(staging, file)]);
			db.$client.close();
		}
		addOldEvents(folder, staging, archivesOf(staging));
		assertWhole(folder, staging);
		writeWhole(join(staging, secretName), folderSecret(folder));
		assertCopied(staging);
		writeErasuresNextTo(target, erasuresIn(staging));
		try {
			const stored = await pack(staging, part);
			await verifyArchive(part);
			renameWhole(part, resolve(target));
			return { bytes: statSync(target).size, stored };
		} finally {
			rmSync(part, { force: true });
		}
	};
	return await withStaging(folder, "backup", body, deletePart);
}

function erasuresIn(folder: string): ListedErasure[] {
	const db = openFile(folder, "main").$client;
	try {
		return listedErasures(db);
	} finally {
		db.close();
	}
}

function copyAnchor(folder: string, staging: string): void {
	const path = join(folder, keptAnchorName);
	if (existsSync(path)) writeWhole(join(staging, keptAnchorName), readFileSync(path, "utf8"));
}

/** Links files that never change, if the disk supports it: the backup needs no copy of them. */
function addOldEvents(folder: string, staging: string, files: ReturnType<typeof archivesOf>): void {
	if (files.length > 0) mkdirSync(join(staging, oldEventsName), { mode: folderMode, recursive: true });
	for (const { name } of files) {
		const [from, to] = [join(folder, oldEventsName, name), join(staging, oldEventsName, name)];
		if (!existsSync(from) || existsSync(to)) continue;
		try {
			linkSync(from, to);
		} catch (error) {
			// The disk does not support links.
			if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|EXDEV|EMLINK)$/.test(codeOf(error))) throw error;
			copyFileSync(from, to);
		}
	}
}

/** Adds the files that its log names, and no others. */
function assertWhole(folder: string, staging: string): void {
	const files = archivesOf(staging);
	for (const { name, storedIn } of files) {
		const [path, isThere] = [join(folder, oldEventsName, name), existsSync(join(staging, oldEventsName, name))];
		if (!isThere && storedIn === null)
			throw new FolderError(`${path} is missing: bring it back from an earlier backup.`);
	}
	const named = new Set(files.filter(({ storedIn }) => storedIn === null).map(({ name }) => name));
	if (files.length > 0)
		for (const name of readdirSync(join(staging, oldEventsName)))
			if (!named.has(name)) rmSync(join(staging, oldEventsName, name));
}

/** Checks that the copies belong together: each was made after the other, while the server wrote. */
function assertCopied(staging: string): void {
	const db = openFile(staging, "main", ["usage", "events", "deliveries"]).$client;
	try {
		assertAgreement(db);
		assertSecret(db, staging);
	} finally {
		db.close();
	}
}

/** Says where the archive is being written, which may be on another disk than the data. */
const partNote = (staging: string): string => join(staging, "archive.txt");

/** A backup that was killed has left its half archive alongside its target. */
function deletePart(staging: string): void {
	if (existsSync(partNote(staging))) rmSync(readFileSync(partNote(staging), "utf8"), { force: true });
}

export interface RestoreOptions {
	readonly onUpgrade?: OnUpgrade;
	/** Known erasures in addition to those in the list alongside the archive. */
	readonly erasures?: readonly ListedErasure[];
}

export interface Restored extends Verified {
	readonly erasures: Reapplied;
}

/**
 * Fills an empty folder from an archive and brings it to this version's schema. The archive is verified first; a folder
 * is filled whole or not at all. Erasures that were requested after the archive was made begin again.
 */
export async function restore(source: string, folder: string, options: RestoreOptions = {}): Promise<Restored> {
	const { onUpgrade, erasures = [] } = options;
	const listed = mergeErasures(readErasuresNextTo(source), erasures);
	const verified = await verifyArchive(source);
	const unlock = lockFolder(folder);
	try {
		assertEmpty(folder);
		const reapplied = await fillFolder(folder, "restore", async () => {
			await unpack(source, folder);
			assertSound(folder, verified);
			prepareFiles(folder, schemas, onUpgrade);
			writePending(folder, listed);
			const reapplied = reapplyRestored(folder);
			keepAnchor(folder, folderSecret(folder));
			return reapplied;
		});
		return { ...verified, erasures: reapplied };
	} finally {
		unlock();
	}
}

function reapplyRestored(folder: string): Reapplied {
	const { db, transactions } = openPrepared(folder);
	try {
		assertAgreement(db.$client);
		assertSecret(db.$client, folder);
		return reapplyPending(folder, transactions);
	} finally {
		db.$client.close();
	}
}

/** Lets SQLite read every page of an archive without checksums. */
function assertSound(folder: string, { made }: Verified): void {
	if (made) return;
	for (const file of archivedDatabases) {
		if (!existsSync(filePath(folder, file))) continue;
		const db = openFile(folder, file).$client;
		try {
			const found = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
			if (found !== "ok") throw new FolderError(`The backup is damaged: ${file}.db: ${found}`);
		} finally {
			db.close();
		}
	}
}
