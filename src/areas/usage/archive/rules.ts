import { join } from "node:path";

/** Within the data folder. */
export const archiveFolder = (folder: string): string => join(folder, "archive");

/** The day, and the position of the first event: so a file that is written again after a crash has its former name. */
export const archiveName = (day: number, firstEvent: number): string =>
	`${new Date(day * dayMs).toISOString().slice(0, 10)}-${firstEvent}.zst`;

export const dayMs = 86_400_000;

const namePattern = /^\d{4}-\d{2}-\d{2}-\d+\.zst$/;
export const isArchiveName = (name: string): boolean => namePattern.test(name);
