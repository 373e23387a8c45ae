import { type Instant, toIso } from "../../kernel/clock";
import type { Database, Work } from "../../kernel/work";
import {
	erasureListName,
	formatErasureList,
	type ListedErasure,
	mergeErasures,
	parseErasureList,
} from "./rules.erasure-list";
import { selectErasedCustomers } from "./store.erasures";

/** Returns the erasures of a main file, for the list outside the data folder. */
export const listedErasures = (main: Database["$client"]): ListedErasure[] =>
	main
		.query<Omit<ListedErasure, "requestedAt"> & { requestedAt: Instant }, []>(
			"SELECT id, environment_id AS environmentId, customer_id AS customerId, requested_at AS requestedAt FROM erasures ORDER BY id",
		)
		.all()
		.map((erasure) => ({ ...erasure, requestedAt: toIso(erasure.requestedAt) }));

/** Returns the customers of all environments, by row id, whose events were erased or are being erased. */
export const erasedCustomers = (work: Work): ReadonlySet<string> => selectErasedCustomers(work);

/** Keeps texts under names, away from the data folder. */
export interface TextStorage {
	/** Returns the text; undefined if there is none. */
	readText(name: string): Promise<string | undefined>;
	writeText(name: string, text: string): Promise<void>;
	readonly location: string;
}

/** Returns the list of erasures in the bucket; empty if there is none. Throws FileOutOfReach, FolderError. */
export async function readStoredErasures(storage: TextStorage): Promise<ListedErasure[]> {
	const text = await storage.readText(erasureListName);
	return text === undefined ? [] : parseErasureList(text, `${storage.location}${erasureListName}`);
}

/** Adds erasures to the list in the bucket, and keeps those that only the bucket has. Throws FileOutOfReach, FolderError. */
export async function storeErasures(storage: TextStorage, erasures: readonly ListedErasure[]): Promise<void> {
	const stored = await readStoredErasures(storage);
	const merged = mergeErasures(stored, erasures);
	if (merged.length > stored.length) await storage.writeText(erasureListName, formatErasureList(merged));
}
