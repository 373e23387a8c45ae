/** Ends this turn of the event loop: what others have asked for meanwhile comes first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
