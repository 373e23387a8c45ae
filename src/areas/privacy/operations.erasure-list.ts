import {
	erasureListName,
	formatErasureList,
	type ListedErasure,
	mergeErasures,
	parseErasureList,
} from "./rules.erasure-list";

/** Keeps texts under names, away from the data folder. */
export interface TextStorage {
	/** Undefined where there is none. */
	readText(name: string): Promise<string | undefined>;
	writeText(name: string, text: string): Promise<void>;
	readonly location: string;
}

/** The list of erasures in the bucket; empty where there is none. FileOutOfReach, FolderError. */
export async function readStoredErasures(storage: TextStorage): Promise<ListedErasure[]> {
	const text = await storage.readText(erasureListName);
	return text === undefined ? [] : parseErasureList(text, `${storage.location}${erasureListName}`);
}

/** Adds erasures to the list in the bucket. Erasures that only the bucket knows stay. FileOutOfReach, FolderError. */
export async function storeErasures(storage: TextStorage, erasures: readonly ListedErasure[]): Promise<void> {
	const stored = await readStoredErasures(storage);
	const merged = mergeErasures(stored, erasures);
	if (merged.length > stored.length) await storage.writeText(erasureListName, formatErasureList(merged));
}
