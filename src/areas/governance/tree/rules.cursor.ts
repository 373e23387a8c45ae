import { fail } from "../../../kernel/errors";

/** The place of a budget in the sorted tree: its sorted value, and its id for ties. */
export interface TreePlace {
	readonly value: string | number | null;
	readonly id: string;
}

export const encodePlace = ({ value, id }: TreePlace): string =>
	Buffer.from(JSON.stringify([value, id])).toString("base64url");

/** Throws BadUserInput for a text that no page returned. */
export function decodePlace(cursor: string): TreePlace {
	const [value, id] = parsed(cursor);
	const isValue = value === null || typeof value === "string" || typeof value === "number";
	if (isValue && typeof id === "string") return { value, id };
	throw fail("BadUserInput", "query/after: the cursor is unknown; use 'pagination.next' of an earlier page.");
}

function parsed(cursor: string): readonly unknown[] {
	try {
		const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
		return Array.isArray(read) ? read : [];
	} catch {
		return [];
	}
}
