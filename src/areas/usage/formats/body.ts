/** What a body holds as events of ours, none of them checked yet. */
export interface ReadEvents {
	readonly events: readonly unknown[];
	/** Where the sender finds a field (such as `/eventName`) of an event, in the words of the format that was sent. */
	readonly placeOf: (index: number, path: string) => string;
}

/** A body that is not of its format, with the place of the fault. */
export interface Fault {
	readonly fault: string;
}
