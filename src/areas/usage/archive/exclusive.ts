/** Runs a change to files of the archive while no other one runs. */
export type Exclusively = <T>(body: () => Promise<T>) => Promise<T>;

/** Runs at once, where nothing else changes the files. */
export const atOnce: Exclusively = (body) => body();

/** Runs changes one after the other, in the order in which they came. */
export function oneAtATime(): Exclusively {
	let last: Promise<unknown> = Promise.resolve();
	return <T>(body: () => Promise<T>): Promise<T> => {
		const mine = last.then(body);
		last = mine.catch(() => {});
		return mine;
	};
}
