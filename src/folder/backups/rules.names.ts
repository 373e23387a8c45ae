import type { Instant } from "../../kernel/clock";
import { sealingKey } from "../../kernel/sealed";

/** A backup at its destination. */
export interface Backup {
	/** Such as `tollgate-1f0c22ab-20261128T050000Z`: the folder and the time. */
	readonly name: string;
	/** Identifies the data folder by its secret, without disclosing it. A restored copy has the same. */
	readonly folder: string;
	readonly at: Instant;
	readonly bytes: number;
}

const pattern = /^tollgate-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

export const folderIdOf = (secret: string): string =>
	sealingKey(secret, "name of the folder's backups").toString("hex").slice(0, 8);

export const backupName = (folder: string, at: Instant): string =>
	`tollgate-${folder}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, "")}`;

/** The file of a backup, and the note that makes it count: Tollgate writes the note once the file has arrived whole. */
export const sealedName = (name: string): string => `${name}.sealed`;
export const noteName = (name: string): string => `${name}.verified.json`;

/** Returns the backup of a name; undefined if the name has another form. */
function named(name: string, bytes: number): Backup | undefined {
	const [, folder = "", ...parts] = pattern.exec(name) ?? [];
	if (folder === "") return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
	return { name, folder, at: Date.UTC(year, month - 1, day, hour, minute, second) as Instant, bytes };
}

/** A file at a destination. */
export interface ListedFile {
	readonly name: string;
	readonly bytes: number;
}

/** Divides the files of a destination into backups, oldest first, and unfinished ones. Other files are neither. */
export function backupsIn(files: readonly ListedFile[]): { readonly whole: Backup[]; readonly unfinished: Backup[] } {
	const names = new Set(files.map(({ name }) => name));
	const backups = files
		.filter(({ name }) => name.endsWith(sealedName("")))
		.flatMap(({ name, bytes }) => named(name.slice(0, -sealedName("").length), bytes) ?? [])
		.toSorted((one, other) => one.at - other.at);
	const { true: whole = [], false: unfinished = [] } = Object.groupBy(
		backups,
		({ name }) => `${names.has(noteName(name))}` as "true" | "false",
	);
	return { whole, unfinished };
}
