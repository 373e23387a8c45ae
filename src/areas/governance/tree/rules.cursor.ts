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

/** Compares two places in the sorted tree. Places without a value come last in both directions. */
export function comparePlaces(one: TreePlace, other: TreePlace, isAscending: boolean): number {
	if ((one.value === null) !== (other.value === null)) return one.value === null ? 1 : -1;
	const order = compare(one.value, other.value) || compare(one.id, other.id);
	return isAscending ? order : -order;
}

/** Texts are compared as SQLite compares them: by their bytes in UTF-8. */
function compare(one: TreePlace["value"], other: TreePlace["value"]): number {
	if (typeof one === "string" && typeof other === "string") return Buffer.compare(Buffer.from(one), Buffer.from(other));
	return Number(one) - Number(other);
}
