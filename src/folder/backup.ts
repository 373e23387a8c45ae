import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { create, extract, list } from "tar";
import { folderSecret } from "../bootstrap";
import { schemas } from "../files";
import { type FileName, filePath, openFile, prepareFiles } from "../kernel/db";
import { lockFolder } from "../kernel/lock";

/**
 * In this order: the totals before the log they count, the log before the customers it names. What is written while the
 * copy is made can so only be missing where it will be read again. Rendered PDFs are a cache and stay behind.
 */
const copied: readonly FileName[] = ["usage", "events", "main"];

/** The folder's own secret goes along, since signing secrets derive from it. */
const secretFile = "secret";

const archived: readonly string[] = [...copied.map((file) => basename(filePath("", file))), secretFile];

/**
 * Writes a compressed tar file; answers its size in bytes. The copies are SQLite's own (`VACUUM INTO`), safe beside a
 * running server, and lie in the data folder while the archive is made: there must be room for them.
 */
export async function backUp(folder: string, target: string): Promise<number> {
	if (existsSync(target)) throw new Error(`The file '${target}' exists already; name a new one.`);
	if (!existsSync(filePath(folder, "main"))) throw new Error(`There is no Tollgate data in '${folder}'.`);
	const staging = mkdtempSync(join(folder, "backup-"));
	try {
		for (const file of copied) {
			const db = openFile(folder, file);
			db.$client.run("VACUUM INTO ?", [filePath(staging, file)]);
			db.$client.close();
		}
		folderSecret(folder);
		copyFileSync(join(folder, secretFile), join(staging, secretFile));
		await create({ gzip: true, file: target, cwd: staging, portable: true }, [...archived]);
		return statSync(target).size;
	} finally {
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Fills an empty folder from an archive and brings it to this version's schema. */
export async function restore(source: string, folder: string): Promise<void> {
	if (!existsSync(source)) throw new Error(`There is no file '${source}'.`);
	const unlock = lockFolder(folder);
	try {
		if (existsSync(filePath(folder, "main")))
			throw new Error(`The data folder '${folder}' is not empty; set TOLLGATE_DATA_DIR to a new one.`);
		const names: string[] = [];
		await list({ file: source, onReadEntry: ({ path }) => void names.push(path) });
		if (names.toSorted().join() !== archived.toSorted().join())
			throw new Error(`'${source}' is not a backup of Tollgate.`);
		await extract({ file: source, cwd: folder });
		prepareFiles(folder, schemas);
	} finally {
		unlock();
	}
}
