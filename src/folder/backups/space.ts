import { statfs } from "node:fs/promises";
import { FolderError } from "../../kernel/errors";

const mebibyte = 1024 * 1024;

/** The space that stays free for the server, which counts the disk as full below 16 MiB. */
const reserveBytes = 64 * mebibyte;

/** Refuses work that could fill the disk of the data folder: the server would stop writing. Throws FolderError. */
export async function assertSpace(folder: string, bytes: number, purpose: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	if (bavail * bsize >= bytes + reserveBytes) return;
	throw new FolderError(
		`The disk of the data folder has too little space for ${purpose}: ${inMebibytes(bavail * bsize)} are free, and up to ${inMebibytes(bytes + reserveBytes)} are needed while it is made. Make room.`,
	);
}

const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / mebibyte)} MiB`;
