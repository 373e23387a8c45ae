let last = Promise.resolve();

/**
 * Ends this turn of the event loop: what others have asked for meanwhile comes first. Whoever waits here gets a turn of its
 * own, one after the other, so that many small pieces of work that came at once are no large one.
 */
export function yieldToOthers(): Promise<void> {
	last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
	return last;
}
