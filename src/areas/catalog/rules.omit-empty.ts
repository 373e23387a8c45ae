/** Compares by code units, so that the order is the same in every locale. */
export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Requires a decision on every key of an entry, so that no new key is omitted by mistake. Null means "not stated". */
type Decided<T> = { readonly [Key in keyof Required<T>]: T[Key] | null | undefined };

/**
 * Returns the entry without null and undefined keys, in the given order. Only optional keys may be null, but the type of a generic
 * T cannot express that; hence the cast.
 */
export const stated = <T extends object>(fields: Decided<T>): T =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;

/** Returns null for an empty text, which states nothing (docs/interface/http.md). */
export const textOrNull = (text: string | null | undefined): string | null => text || null;

/** Returns the metadata with sorted keys; null if there is none. */
export const metadataOrNull = (
	metadata: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> | null => {
	const entries = Object.entries(metadata ?? {}).sort(([one], [other]) => byText(one, other));
	return entries.length > 0 ? Object.fromEntries(entries) : null;
};
