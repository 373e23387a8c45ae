/** Who changes files of the archive does it when nobody else does. */
export type Exclusively = <T>(body: () => Promise<T>) => Promise<T>;

/** Where there is nobody else. */
export const atOnce: Exclusively = (body) => body();

/** One after the other, in the order in which they came. */
export function oneAtATime(): Exclusively {
	let last: Promise<unknown> = Promise.resolve();
	return <T>(body: () => Promise<T>): Promise<T> => {
		const mine = last.then(body);
		last = mine.catch(() => {});
		return mine;
	};
}
