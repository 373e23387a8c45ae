/** By code units: the same order on every machine, whatever its language. */
export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Every key of an entry must be decided on, so that a new one cannot be forgotten; null is "not stated". */
type Decided<T> = { readonly [Key in keyof Required<T>]: T[Key] | null | undefined };

/**
 * An entry with the keys that state something, in the order given: null and undefined are left out. Only optional keys may
 * be undecided, which the type cannot say of a T that is yet to come; hence the one cast.
 */
export const stated = <T extends object>(fields: Decided<T>): T =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;

/** A text that says something; an empty one says nothing (docs/interface/http.md). */
export const textOrNull = (text: string | null | undefined): string | null => text || null;

/** Metadata with its keys in order; null when there is none. */
export const metadataOrNull = (
	metadata: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> | null => {
	const entries = Object.entries(metadata ?? {}).sort(([one], [other]) => byText(one, other));
	return entries.length > 0 ? Object.fromEntries(entries) : null;
};
