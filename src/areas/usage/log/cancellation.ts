/** The events to cancel, for the thread that writes the log: by position, or by identity. */
export interface CancelOrder {
	/** The id of the key or user that cancels them. */
	readonly actorId: string;
	readonly events: readonly CanceledEvent[];
}

type CanceledEvent = { readonly position: number | null } | NamedEvent;

/** The parts of a report that identify an event. */
export interface NamedEvent {
	readonly customerId: string;
	readonly resourceId?: string | null;
	readonly eventName: string;
	readonly idempotencyKey: string;
}

/** The events to look up in the log. */
export interface LookUpOrder {
	readonly events: readonly NamedEvent[];
}

/** Missing events that the message names. */
const namedMax = 10;

export function missingMessage(missing: readonly number[]): string {
	const named = missing.slice(0, namedMax).map((index) => `events[${index}]`);
	const rest = missing.length > named.length ? ` and ${missing.length - named.length} more` : "";
	return `These events are not in the log of this environment: ${named.join(", ")}${rest}. Nothing was canceled; look for them with GET /api/v1/events.`;
}
