/** One recorded response, or one entry of a list. */
export interface Entry {
	/** The file of the recording. */
	readonly kind: string;
	/** Unique within its kind. */
	readonly key: string;
	readonly value: unknown;
}

/** The entries of each kind, as normalized JSON by their keys. */
export type Recording = ReadonlyMap<string, ReadonlyMap<string, string>>;
