import { existsSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { create, extract, list, type ReadEntry } from "tar";
import { keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { inStorage } from "../areas/usage/archive/operations.check";
import { archiveFolder, isArchiveName } from "../areas/usage/archive/rules";
import type { InStorage } from "../areas/usage/archive/rules.storage";
import { toIso, wallClock } from "../kernel/clock";
import { FolderError } from "../kernel/errors";
import { type Sum, sumOfFile } from "../kernel/sealed-files";
import { type FileName, filePath } from "../kernel/storage/db";
import { fileMode, makePrivate, syncToDisk, writeWhole } from "../kernel/storage/disk";
import { version } from "../version";

/**
 * The order of the copies: the totals before the log that they count, the log before the customers that it names, the positions of
 * webhooks before the events that they receive. Data that is written meanwhile can then be missing only where Tollgate reads it again: a
 * webhook may receive an event twice, and misses none.
 */
export const archivedDatabases: readonly FileName[] = ["usage", "events", "deliveries", "main"];

/** Files that backups of earlier versions do not have. Tollgate rebuilds them. */
const laterDatabases: readonly FileName[] = ["deliveries"];

const nameOf = (file: FileName): string => basename(filePath("", file));

/** The backup includes the folder's secret: signing secrets are derived from it. */
export const secretName = "secret";

const databasesAndSecret: readonly string[] = [...archivedDatabases.map(nameOf), secretName, keptAnchorName];
const needed = databasesAndSecret.filter((name) => ![...laterDatabases.map(nameOf), keptAnchorName].includes(name));

/** Whether a file belongs in a backup, by its name: a file that every backup has, or a file of old events. */
const isArchived = (name: string): boolean => databasesAndSecret.includes(name) || isOldEvents(name);
const isOldEvents = (name: string): boolean => dirname(name) === oldEventsName && isArchiveName(basename(name));

/** The folder of the files of old events, in a data folder and in a backup. */
export const oldEventsName = basename(archiveFolder(""));

/** The first file of an archive: the checksums of the others. */
const manifestName = "manifest.json";

/** A file of old events for each day of a century, and enough bytes for their lines. */
const filesMax = 50_000;
const manifestBytesMax = 16 * 1024 * 1024;

const Manifest = Type.Object({
	format: Type.Literal(1),
	tollgate: Type.String({ maxLength: 100 }),
	madeAt: Type.String({ maxLength: 100 }),
	files: Type.Array(
		Type.Object({
			name: Type.String({ maxLength: 100 }),
			bytes: Type.Integer({ minimum: 0 }),
			sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
		}),
		{ maxItems: filesMax },
	),
	/** Old events in the S3 storage. The archive does not contain them, and a restored folder needs them. */
	stored: Type.Optional(
		Type.Array(
			Type.Object({
				storage: Type.String({ maxLength: 1000 }),
				files: Type.Integer({ minimum: 1 }),
				bytes: Type.Integer({ minimum: 0 }),
			}),
			{ maxItems: 100 },
		),
	),
});
type Manifest = Static<typeof Manifest>;

/**
 * Packs the files of a staging folder, checksums first, into a new file that is on disk when this resolves. Returns the stored files
 * that the backup needs.
 */
export async function pack(staging: string, target: string): Promise<readonly InStorage[]> {
	const oldEvents = join(staging, oldEventsName);
	const names = [
		...databasesAndSecret.filter((name) => existsSync(join(staging, name))),
		...(existsSync(oldEvents) ? readdirSync(oldEvents).map((name) => `${oldEventsName}/${name}`) : []),
	];
	const sums: Manifest["files"] = [];
	for (const name of names) sums.push({ name, ...(await sumOfFile(join(staging, name))) });
	const stored = inStorage(staging);
	const made = { tollgate: version, madeAt: toIso(wallClock.now()) };
	const manifest: Manifest = { format: 1, ...made, files: sums, ...(stored.length > 0 && { stored }) };
	writeWhole(join(staging, manifestName), JSON.stringify(manifest, null, "\t"));
	await flushedAlong(target, () =>
		create({ gzip: true, file: target, cwd: staging, portable: true }, [manifestName, ...names]),
	);
	makePrivate(target);
	syncToDisk(target);
	return stored;
}

/** The interval of flushes, with a few megabytes for each. */
const flushEveryMs = 50;

/** Flushes a file while it is written: one large flush at the end would delay every other flush. */
async function flushedAlong(path: string, write: () => Promise<void>): Promise<void> {
	const file = await open(path, "w", fileMode);
	let isWritten = false;
	const flush = async (): Promise<void> => {
		while (!isWritten) {
			await Bun.sleep(flushEveryMs);
			await file.datasync();
		}
	};
	const flushed = flush();
	// A failure is reported once everything is written.
	flushed.catch(() => {});
	try {
		await write();
	} finally {
		isWritten = true;
		await flushed.finally(() => file.close());
	}
}

export interface Verified {
	/** The time and the version that made the archive; undefined for an archive of a version that wrote no checksums. */
	readonly made: { readonly at: string; readonly by: string } | undefined;
	/** Files in the S3 storage that the backup needs. They must stay there as long as the backup is kept. */
	readonly stored: readonly InStorage[];
}

/**
 * Reads the whole archive and compares every file with its checksum. Refuses an archive that is truncated, damaged or no backup, and
 * anything but plain files of the known names: a link, a device or a path would write elsewhere. For an archive of a version that wrote
 * no checksums, only its compression is verified.
 */
export async function verifyArchive(file: string): Promise<Verified> {
	if (!existsSync(file)) throw new FolderError(`There is no file '${file}'.`);
	const { sums, manifest } = await readArchive(file);
	const names = [...sums.keys()].filter((name) => name !== manifestName);
	if (needed.some((name) => !sums.has(name))) throw notABackup(file);
	if (manifest === undefined) return { made: undefined, stored: [] };
	const read = parseManifest(manifest);
	if (!read) throw notABackup(file);
	for (const name of new Set([...names, ...read.files.map((one) => one.name)])) {
		const [is, was] = [sums.get(name), read.files.find((one) => one.name === name)];
		if (is?.bytes !== was?.bytes || is?.sha256 !== was?.sha256)
			throw new FolderError(`The backup '${file}' is damaged: ${name} is not what was written. Use another one.`);
	}
	return { made: { at: read.madeAt, by: read.tollgate }, stored: read.stored ?? [] };
}

async function readArchive(file: string): Promise<{ sums: Map<string, Sum>; manifest: string | undefined }> {
	const sums = new Map<string, Sum>();
	let manifest: string | undefined;
	let refusal: FolderError | undefined;
	const onReadEntry = (entry: ReadEntry): void => {
		const { path, type } = entry;
		const isKnown = isArchived(path) || (path === manifestName && entry.size <= manifestBytesMax);
		if (!isKnown || type !== "File" || sums.has(path)) {
			refusal ??= new FolderError(
				`'${file}' is not a backup of Tollgate: it holds ${type} '${path.slice(0, 100)}'. Nothing was written.`,
			);
			entry.resume();
			return;
		}
		const hasher = new Bun.CryptoHasher("sha256");
		const kept: Buffer[] = [];
		let bytes = 0;
		entry.on("data", (chunk: Buffer) => {
			hasher.update(chunk);
			bytes += chunk.length;
			if (path === manifestName) kept.push(chunk);
		});
		entry.on("end", () => {
			sums.set(path, { bytes, sha256: hasher.digest("hex") });
			if (path === manifestName) manifest = Buffer.concat(kept).toString("utf8");
		});
	};
	try {
		await list({ file, strict: true, onReadEntry });
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new FolderError(`'${file}' is cut short or damaged, or not a backup at all (${why}). Use another one.`);
	}
	if (refusal) throw refusal;
	return { sums, manifest };
}

function parseManifest(text: string): Manifest | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return Value.Check(Manifest, parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

const notABackup = (file: string): FolderError =>
	new FolderError(`'${file}' is not a backup of Tollgate, or a newer version wrote it.`);

/** Unpacks a verified archive. Its files are on disk when this resolves. */
export async function unpack(file: string, folder: string): Promise<void> {
	await extract({
		file,
		cwd: folder,
		strict: true,
		filter: (path) => isArchived(path),
		// Only the owner may read the files, whatever the archive says.
		onReadEntry: (entry) => {
			entry.mode = fileMode;
		},
	});
	const oldEvents = join(folder, oldEventsName);
	const found = existsSync(oldEvents) ? readdirSync(oldEvents).map((name) => `${oldEventsName}/${name}`) : [];
	for (const name of [...databasesAndSecret.filter((file) => existsSync(join(folder, file))), ...found])
		syncToDisk(join(folder, name));
	if (found.length === 0) return;
	makePrivate(oldEvents);
	syncToDisk(oldEvents);
}
