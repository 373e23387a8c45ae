import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../../kernel/errors";
import { fileMode, folderMode, renameWhole, writeWhole } from "../../../kernel/storage/disk";
import { FileUnreadable } from "../../../kernel/storage/failures";
import { type LogRow, lastAtOf } from "../blocks/event-block";
import { frameBlocksMax, frameBytesAfter, markBytes, markOf, packFrame, unpackFrame } from "./frame";
import type { ArchivedBlock, ArchiveFile, StoredFile } from "./messages";
import { storageOf } from "./operations.storage";
import { readPart } from "./read-part";
import { archiveFolder, archiveName, isArchiveName } from "./rules";
import { objectName } from "./rules.storage";

/** Lists the files and their checksums, for operators who restore them from elsewhere. */
const manifestName = "manifest.json";

export function writeManifest(folder: string, files: readonly StoredFile[]): void {
	// A restored folder whose files were all in the storage has no archive folder yet.
	mkdirSync(archiveFolder(folder), { recursive: true, mode: folderMode });
	writeWhole(join(archiveFolder(folder), manifestName), JSON.stringify({ format: 1, files }, null, "\t"));
}

export interface WrittenArchive {
	readonly file: ArchiveFile;
	readonly blocks: readonly ArchivedBlock[];
}

/**
 * Writes blocks to a file of the archive. The file gets its name when it is whole, on disk, and read back. Between two
 * frames, `pause` lets other work on the thread run.
 */
export async function writeArchive(
	folder: string,
	day: number,
	rows: Iterable<LogRow> | AsyncIterable<LogRow>,
	pause: () => Promise<void>,
	nameOf: (day: number, firstEvent: number, sha256: string) => string = archiveName,
): Promise<WrittenArchive> {
	mkdirSync(archiveFolder(folder), { recursive: true, mode: folderMode });
	const part = join(archiveFolder(folder), "archive.part");
	const blocks: ArchivedBlock[] = [];
	const hasher = new Bun.CryptoHasher("sha256");
	let bytes = 0;
	const fd = openSync(part, "w", fileMode);
	try {
		for await (const frameRows of framesOf(rows)) {
			const frame = packFrame(frameRows);
			for (const piece of [markOf(frame), frame]) {
				writeAll(fd, piece);
				hasher.update(piece);
			}
			bytes += markBytes;
			for (const row of frameRows)
				blocks.push({ firstEvent: row.firstEvent, lastAt: lastAtOf(row), offset: bytes, bytes: frame.length });
			bytes += frame.length;
			await pause();
		}
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
	const sha256 = hasher.digest("hex");
	const name = nameOf(day, blocks[0]?.firstEvent ?? 0, sha256);
	const file = { name, day, bytes, sha256 };
	if ((await sumOf(part)) !== file.sha256) throw new FileUnreadable(`The archive '${name}' is not what was written.`);
	renameWhole(part, join(archiveFolder(folder), name));
	return { file, blocks };
}

async function* framesOf(rows: Iterable<LogRow> | AsyncIterable<LogRow>): AsyncGenerator<LogRow[]> {
	let frame: LogRow[] = [];
	for await (const row of rows) {
		frame.push(row);
		if (frame.length < frameBlocksMax) continue;
		yield frame;
		frame = [];
	}
	if (frame.length > 0) yield frame;
}

function writeAll(fd: number, bytes: Uint8Array): void {
	let written = 0;
	while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}

async function sumOf(path: string): Promise<string> {
	const hasher = new Bun.CryptoHasher("sha256");
	for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
	return hasher.digest("hex");
}

/** Returns the damage of a file of the archive; undefined if it is intact. */
export async function damageOf(folder: string, { name, sha256 }: ArchiveFile): Promise<string | undefined> {
	const path = join(archiveFolder(folder), name);
	if (!existsSync(path)) return `archive/${name} is missing; bring it back from a backup`;
	return (await sumOf(path)) === sha256
		? undefined
		: `archive/${name} is not what was written; bring it back from a backup`;
}

/**
 * Returns the blocks of one frame. Throws `FileUnreadable` if the file is missing or damaged, and `FileNotHere` if it
 * is being fetched from the storage.
 */
export function readFrame(folder: string, file: StoredFile, offset: number, bytes: number): LogRow[] {
	const here = readHere(folder, file, offset, bytes);
	const fetched = here ? undefined : storageOf(folder)?.fetched;
	const frame = here ?? fetched?.read(file, offset, bytes);
	const rows = frame && unpackFrame(frame);
	if (rows) return rows;
	fetched?.drop(file, offset, bytes);
	throw frame ? damaged(file) : missing(file);
}

function readHere(folder: string, { name }: StoredFile, offset: number, bytes: number): Uint8Array | undefined {
	try {
		return readPart(join(archiveFolder(folder), name), offset, bytes);
	} catch (error) {
		throw unreadable(`archive/${name} could not be read (${codeOf(error)})`, error);
	}
}

const missing = (file: StoredFile): FileUnreadable =>
	unreadable(
		file.storedIn === null
			? `archive/${file.name} is missing; bring it back from a backup`
			: `archive/${file.name} is ${file.storedIn}${objectName(file)}: set TOLLGATE_S3_BUCKET and what belongs to it`,
	);

const damaged = ({ name, storedIn }: StoredFile): FileUnreadable =>
	unreadable(`archive/${name}${storedIn === null ? "" : `, in ${storedIn},`} is damaged; bring it back from a backup`);

const unreadable = (message: string, cause?: unknown): FileUnreadable =>
	new FileUnreadable(
		"Events that are asked for lie in a file of the archive that cannot be read; the operator finds its name in the log.",
		{ cause: new Error(message, { cause }) },
	);

/** Returns all frames of a file in the folder, in order. */
export function* readFrames(folder: string, file: StoredFile): Generator<ReadFrame> {
	for (let at = 0; at < file.bytes; ) {
		const mark = readHere(folder, file, at, markBytes);
		const bytes = mark && frameBytesAfter(mark);
		if (bytes === undefined) throw mark ? damaged(file) : missing(file);
		const offset = at + markBytes;
		yield { rows: readFrame(folder, file, offset, bytes), offset, bytes };
		at = offset + bytes;
	}
}

export interface ReadFrame {
	readonly rows: readonly LogRow[];
	readonly offset: number;
	readonly bytes: number;
}

/** Deletes files that no row of `event_archives` names: a crash left them before any block had left the log. */
export function deleteOrphans(folder: string, names: ReadonlySet<string>): void {
	if (!existsSync(archiveFolder(folder))) return;
	for (const name of readdirSync(archiveFolder(folder)))
		if (name === "archive.part" || (isArchiveName(name) && !names.has(name)))
			rmSync(join(archiveFolder(folder), name), { force: true });
}
