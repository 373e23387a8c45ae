import type { TimeSlices } from "../../src/tasks/time-slices";

/** TimeSlices that last for so many pieces of work, whatever time these take. `between` happens before each of them. */
export function turnsOf(pieces: number, between: () => void | Promise<void> = () => {}): TimeSlices {
	let left = 0;
	return {
		next: async () => {
			await between();
			left = pieces;
		},
		isOver: () => {
			left -= 1;
			return left <= 0;
		},
	};
}
