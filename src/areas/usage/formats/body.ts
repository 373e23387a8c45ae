/** The events of a body, none of them validated yet. */
export interface ReadEvents {
	readonly events: readonly unknown[];
	/** Returns the sender's name for a field (such as `/eventName`) of an event, in the words of the format. */
	readonly placeOf: (index: number, path: string) => string;
}

/** A body that violates its format, with the place of the fault. */
export interface Fault {
	readonly fault: string;
}
