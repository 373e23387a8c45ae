/** What is to be taken back, as the thread that writes the log is told: by its position, or by what it was reported with. */
export interface CancelOrder {
	/** Who takes it back: the id of a key or a user. */
	readonly actorId: string;
	readonly events: readonly CanceledEvent[];
}

type CanceledEvent = { readonly position: number | null } | NamedEvent;

/** What an event was reported with, by which it is known. */
export interface NamedEvent {
	readonly customerId: string;
	readonly resourceId?: string | null;
	readonly eventName: string;
	readonly idempotencyKey: string;
}

/** Which of these events are in the log. */
export interface LookUpOrder {
	readonly events: readonly NamedEvent[];
}

/** Our choice: so many of those that are not there are named. */
const namedMax = 10;

export function missingMessage(missing: readonly number[]): string {
	const named = missing.slice(0, namedMax).map((index) => `events[${index}]`);
	const rest = missing.length > named.length ? ` and ${missing.length - named.length} more` : "";
	return `These events are not in the log of this environment: ${named.join(", ")}${rest}. Nothing was canceled; look for them with GET /api/v1/events.`;
}
