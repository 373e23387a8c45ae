import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
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

/** Writes the archive; answers its size in bytes. The copy is SQLite's own (`VACUUM INTO`), safe beside a running server. */
export async function backUp(folder: string, target: string): Promise<number> {
	if (existsSync(target)) throw new Error(`The file '${target}' exists already; name a new one.`);
	if (!existsSync(filePath(folder, "main"))) throw new Error(`There is no Tollgate data in '${folder}'.`);
	const staging = mkdtempSync(join(folder, "backup-"));
	try {
		const entries: Record<string, Blob> = {};
		for (const file of copied) {
			const copy = filePath(staging, file);
			const db = openFile(folder, file);
			db.$client.run("VACUUM INTO ?", [copy]);
			db.$client.close();
			entries[basename(copy)] = Bun.file(copy);
		}
		const secret = join(folder, secretFile);
		if (existsSync(secret)) entries[secretFile] = Bun.file(secret);
		await Bun.Archive.write(target, entries, { compress: "gzip" });
		return Bun.file(target).size;
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
		const archive = new Bun.Archive(await Bun.file(source).bytes());
		const names = [...(await archive.files()).keys()];
		const known = [...copied.map((file) => basename(filePath(folder, file))), secretFile];
		if (!names.includes("main.db") || names.some((name) => !known.includes(name)))
			throw new Error(`'${source}' is not a backup of Tollgate.`);
		await archive.extract(folder);
		prepareFiles(folder, schemas);
	} finally {
		unlock();
	}
}
