/** Returns the start of the identity of events: everything except the idempotency key. */
export const identityStart = (
	environmentId: string,
	customerRef: string,
	resourceRef: string | null,
	eventName: string,
): string => `${environmentId}\n${customerRef}\n${resourceRef ?? ""}\n${eventName.length}\n${eventName}`;
