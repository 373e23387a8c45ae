import { join } from "node:path";

/** Within the data folder. */
export const archiveFolder = (folder: string): string => join(folder, "archive");

/** The day, and the position of the first event: so a file that is written again after a crash has its former name. */
export const archiveName = (day: number, firstEvent: number): string =>
	`${new Date(day * dayMs).toISOString().slice(0, 10)}-${firstEvent}.zst`;

export const dayMs = 86_400_000;

/** Returns the name of a rewritten file. It contains the hash of the contents, so that both files can exist for a moment. */
export const rewrittenName = (day: number, firstEvent: number, sha256: string): string =>
	archiveName(day, firstEvent).replace(".zst", `-${sha256.slice(0, 8)}.zst`);

const namePattern = /^\d{4}-\d{2}-\d{2}-\d+(-[0-9a-f]{8})?\.zst$/;
export const isArchiveName = (name: string): boolean => namePattern.test(name);
