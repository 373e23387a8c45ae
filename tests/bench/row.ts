/** A line of the table that the bench prints. */
export interface Row {
	readonly work: string;
	readonly here: string;
	/** What a bare server does with the same, or we with nothing beside it. */
	readonly ceiling?: string;
	/** Of ours to the ceiling. */
	readonly ratio?: number;
	readonly goal?: string | undefined;
}
