/** A line of the table that the bench prints. */
export interface Row {
	readonly work: string;
	readonly here: string;
	/** The speed of a bare server with the same work, or ours without other load. */
	readonly ceiling?: string;
	/** The ratio of ours to the ceiling. */
	readonly ratio?: number;
	readonly goal?: string | undefined;
}
