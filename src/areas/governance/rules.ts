import { fail } from "../../kernel/errors";

/** Throws BadUserInput if a request names an id twice: the result would depend on the order. */
export function assertNamedOnce(items: ReadonlyArray<{ readonly id: string }>, where: string): void {
	const ids = items.map(({ id }) => id);
	const at = ids.findIndex((id, index) => ids.indexOf(id) !== index);
	if (at >= 0) throw fail("BadUserInput", `${where}/${at}/id: '${ids[at]}' is named twice; send each id once.`);
}

const metadataKeysMax = 100;

/** Merges metadata: an empty value deletes its key. Throws InvalidMetadataError for too many keys. */
export function mergedMetadata(
	before: Readonly<Record<string, string>>,
	changes: Readonly<Record<string, string>>,
	where: string,
): Record<string, string> {
	const merged = Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ""));
	if (Object.keys(merged).length > metadataKeysMax)
		throw fail(
			"InvalidMetadataError",
			`${where}/metadata: the merged metadata has more than ${metadataKeysMax} keys; delete some with an empty value.`,
		);
	return merged;
}
