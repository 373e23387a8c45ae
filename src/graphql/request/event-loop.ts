let last = Promise.resolve();

/**
 * Ends this turn of the event loop, so that other requests run first. Callers continue one by one, each in its own turn, so
 * many small pieces of work do not add up to one long turn.
 */
export function yieldToOthers(): Promise<void> {
	last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
	return last;
}
