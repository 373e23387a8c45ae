import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { archiveFolder } from "../areas/usage/archive/rules";
import { schemas } from "../files";
import { type Clock, toIso } from "../kernel/clock";
import { codeOf, FolderError } from "../kernel/errors";
import { type FileName, filePath, openFile } from "../kernel/storage/db";
import { folderMode, renameWhole, syncToDisk, writeWhole } from "../kernel/storage/disk";
import { schemaVersionOf } from "../kernel/storage/migrate";
import { archivedDatabases, secretName } from "./archive";
import { assertSpace } from "./backups/space";

/** The copy of a data folder before its upgrade, within the data folder: a data folder of the former version. */
export const upgradeCopyName = "before-upgrade";

/** The copy while it is made. */
const partName = `${upgradeCopyName}.tmp`;

const files = Object.keys(schemas) as FileName[];

/** Whether a file of the folder has an older schema than this version. */
export const needsUpgrade = (folder: string): boolean =>
	files.some((file) => (schemaVersionOf(filePath(folder, file)) ?? schemas[file].length) < schemas[file].length);

export interface CopyOptions {
	readonly folder: string;
	/** Called when a file begins to be copied, and when it is on disk, after `tookMs`. */
	readonly onCopy?: ((file: string, copied: { readonly bytes: number; readonly tookMs?: number }) => void) | undefined;
}

/** A file in the copy, until the upgrade has ended. */
const markOf = (folder: string): string => join(folder, upgradeCopyName, "upgrading.txt");

/** Whether an upgrade was killed after it had upgraded a file: the copy then has the folder as it was before. */
const isHalfUpgraded = (folder: string): boolean =>
	existsSync(markOf(folder)) &&
	files.some((file) => {
		const before = schemaVersionOf(filePath(join(folder, upgradeCopyName), file));
		return before !== undefined && before !== schemaVersionOf(filePath(folder, file));
	});

/** Ends the upgrade that `copyBeforeUpgrade` has begun. */
export const endUpgrade = (folder: string): void => rmSync(markOf(folder), { force: true });

/**
 * Copies the folder to `before-upgrade` within it, whole or not at all, in place of the copy of an earlier upgrade. Keeps the copy of an
 * upgrade that was killed. The caller holds the folder's lock. Throws FolderError.
 */
export async function copyBeforeUpgrade({ folder, onCopy }: CopyOptions): Promise<void> {
	const [part, target] = [join(folder, partName), join(folder, upgradeCopyName)];
	if (isHalfUpgraded(folder)) return;
	rmSync(part, { recursive: true, force: true });
	try {
		await copyFolder(folder, part, onCopy);
		writeWhole(join(part, basename(markOf(folder))), "The upgrade of the data folder around this copy has not ended.");
		// The former copy has another schema. Nobody goes back two versions with it.
		rmSync(target, { recursive: true, force: true });
		renameWhole(part, target);
	} catch (error) {
		rmSync(part, { recursive: true, force: true });
		const why = error instanceof Error ? error.message : String(error);
		throw new FolderError(
			`The copy of the data folder before its upgrade has failed, and nothing was upgraded: ${why} To upgrade without a copy, set TOLLGATE_UPGRADE_COPY=0.`,
			{ cause: error },
		);
	}
}

/** Copies the databases, old events and the secret into a new folder, as they are. They are on disk when this resolves. */
export async function copyFolder(folder: string, target: string, onCopy: CopyOptions["onCopy"]): Promise<void> {
	const databases = archivedDatabases.filter((file) => existsSync(filePath(folder, file)));
	const bytesOf = (file: FileName): number =>
		[filePath(folder, file), `${filePath(folder, file)}-wal`]
			.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
			.reduce((sum, bytes) => sum + bytes, 0);
	await assertSpace(
		folder,
		databases.map(bytesOf).reduce((sum, bytes) => sum + bytes, 0),
		"a copy",
	);
	mkdirSync(target, { mode: folderMode });
	for (const file of databases) {
		const name = basename(filePath(folder, file));
		const begunAtMs = performance.now();
		onCopy?.(name, { bytes: bytesOf(file) });
		const db = openFile(folder, file).$client;
		try {
			db.run("PRAGMA synchronous = OFF");
			db.run("VACUUM INTO ?", [filePath(target, file)]);
		} finally {
			db.close();
		}
		syncToDisk(filePath(target, file));
		onCopy?.(name, { bytes: bytesOf(file), tookMs: Math.round(performance.now() - begunAtMs) });
	}
	for (const name of [secretName, keptAnchorName])
		if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(target, name));
	linkArchive(folder, target);
	syncToDisk(target);
}

/** Files of old events never change, so that a link is enough, where the disk supports it. */
function linkArchive(folder: string, target: string): void {
	if (!existsSync(archiveFolder(folder))) return;
	mkdirSync(archiveFolder(target), { mode: folderMode });
	for (const name of readdirSync(archiveFolder(folder))) {
		const [from, to] = [join(archiveFolder(folder), name), join(archiveFolder(target), name)];
		try {
			linkSync(from, to);
		} catch (error) {
			if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|EXDEV|EMLINK)$/.test(codeOf(error))) throw error;
			copyFileSync(from, to);
		}
	}
	syncToDisk(archiveFolder(target));
}

/** Removes the copy once it is as old as backups may be: it has personal data that was erased since. Returns the time of the removed copy. */
export function removeOldCopy(folder: string, keptMs: number, clock: Clock): string | undefined {
	const madeAtMs = statSync(join(folder, upgradeCopyName), { throwIfNoEntry: false })?.mtimeMs;
	if (madeAtMs === undefined || clock.now() - madeAtMs <= keptMs) return undefined;
	rmSync(join(folder, upgradeCopyName), { recursive: true });
	return toIso(Math.floor(madeAtMs) as ReturnType<Clock["now"]>);
}
