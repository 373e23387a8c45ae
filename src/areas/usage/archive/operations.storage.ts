import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { FetchedFiles } from "./fetched-files";
import { ObjectStorage } from "./object-storage";
import type { StorageSettings } from "./rules.storage";

export interface ArchiveStorage {
	readonly settings: StorageSettings;
	readonly objects: ObjectStorage;
	readonly fetched: FetchedFiles;
}

/** By data folder, on this thread: readers know no more of the log than the folder that it is in. */
const storages = new Map<string, ArchiveStorage>();

/** From now on files of the archive that are not in the folder are looked for in this storage, on this thread; undefined: in none. */
export function useStorage(folder: string, settings: StorageSettings | undefined): void {
	storages.delete(resolve(folder));
	if (!settings) return;
	const objects = new ObjectStorage(settings);
	storages.set(resolve(folder), {
		settings,
		objects,
		fetched: new FetchedFiles(folder, objects, settings.cacheBytesMax),
	});
}

export function storageOf(folder: string): ArchiveStorage | undefined {
	const known = storages.get(resolve(folder));
	if (known) return known;
	// SQLite names its files without symbolic links.
	return [...storages].find(([used]) => existsSync(used) && realpathSync(used) === realpathSync(folder))?.[1];
}

/** Returns the objects of a storage that has nothing to do with the archive of a folder, such as backups. */
export const openObjects = (settings: Omit<StorageSettings, "cacheBytesMax">): ObjectStorage =>
	new ObjectStorage(settings);
