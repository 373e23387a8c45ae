import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { FolderError } from "../../kernel/errors";
import { copyFlushed, type Sum, sumOfFile } from "../../kernel/sealed-files";
import { renameWhole, syncToDisk, writeWhole } from "../../kernel/storage/disk";
import type { Destination } from "./destination";
import type { ListedFile } from "./rules.names";

/** A folder with more names is no folder of backups. */
const filesMax = 100_000;

/** Backups in a folder, best on another disk or machine. */
export class FolderDestination implements Destination {
	readonly location: string;

	constructor(path: string) {
		this.location = path;
	}

	async list(): Promise<ListedFile[]> {
		this.#assertThere();
		const names = readdirSync(this.location);
		if (names.length > filesMax)
			throw new FolderError(
				`'${this.location}' has ${names.length} files: set TOLLGATE_BACKUP_TO to a folder for backups.`,
			);
		return names
			.filter((name) => name.startsWith("tollgate-"))
			.flatMap((name) => {
				const found = statSync(join(this.location, name), { throwIfNoEntry: false });
				return found?.isFile() ? [{ name, bytes: found.size }] : [];
			});
	}

	async put(name: string, path: string, sum: Sum): Promise<void> {
		this.#assertThere();
		const part = join(this.location, `${name}.part`);
		rmSync(part, { force: true });
		try {
			await copyFlushed(path, part);
			const written = await sumOfFile(part);
			if (written.bytes !== sum.bytes || written.sha256 !== sum.sha256)
				throw new FolderError(`'${part}' is not what was written: look for a fault of the disk.`);
			renameWhole(part, join(this.location, name));
		} finally {
			rmSync(part, { force: true });
		}
	}

	async fetch(name: string, _bytes: number, path: string): Promise<void> {
		await copyFlushed(join(this.location, name), path);
	}

	async remove(name: string): Promise<void> {
		rmSync(join(this.location, name), { force: true });
		syncToDisk(this.location);
	}

	async readText(name: string): Promise<string | undefined> {
		const path = join(this.location, name);
		return existsSync(path) ? readFileSync(path, "utf8") : undefined;
	}

	async writeText(name: string, text: string): Promise<void> {
		writeWhole(join(this.location, name), text);
	}

	/** The server never makes the folder: where a disk is not mounted, the backups would fill another one. */
	#assertThere(): void {
		if (!statSync(this.location, { throwIfNoEntry: false })?.isDirectory())
			throw new FolderError(
				`There is no folder '${this.location}' for backups: create it or mount its disk, or set TOLLGATE_BACKUP_TO to another one.`,
			);
	}
}
