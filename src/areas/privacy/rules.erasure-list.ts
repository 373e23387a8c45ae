import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { FolderError } from "../../kernel/errors";

/** An erasure, by pseudonyms only: the row ids of the environment and the customer do not identify a person. */
const ListedErasure = Type.Object({
	id: Type.String({ maxLength: 100 }),
	environmentId: Type.String({ maxLength: 100 }),
	customerId: Type.String({ maxLength: 100 }),
	/** ISO 8601. */
	requestedAt: Type.String({ maxLength: 64 }),
});
export type ListedErasure = Static<typeof ListedErasure>;

const ErasureList = Type.Object({
	format: Type.Literal(1),
	erasures: Type.Array(ListedErasure),
});

/** The name of the list next to backups and in the bucket. */
export const erasureListName = "tollgate-erasures.json";

/**
 * The name of the list in a restored folder. It contains the erasures that were requested after the backup, until
 * Tollgate repeats them.
 */
export const pendingErasuresName = "erasures.json";

/** Reads a list. Throws FolderError, which names `source`. */
export function parseErasureList(text: string, source: string): ListedErasure[] {
	const read = parseJson(text);
	if (!Value.Check(ErasureList, read))
		throw new FolderError(
			`${source} is not a list of erasures. Restore it from a copy, or move it away to continue without these erasures.`,
		);
	return read.erasures;
}

export const formatErasureList = (erasures: readonly ListedErasure[]): string =>
	`${JSON.stringify({ format: 1, erasures }, null, "\t")}\n`;

/** Merges lists: each erasure once, oldest first. */
export function mergeErasures(...lists: ReadonlyArray<readonly ListedErasure[]>): ListedErasure[] {
	const byId = new Map(lists.flat().map((erasure) => [erasure.id, erasure]));
	return [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
