import type { Actor, Doors, Sync, Work } from "../../src/kernel/work";

/** Doors whose n-th write dies after its body has run: nothing of it is committed, as in a power cut. */
export const dyingAt = (doors: Doors, nth: number): Doors => {
	let writes = 0;
	return {
		...doors,
		write: <T>(actor: Actor, body: (work: Work) => T, ...sync: Sync<T>): T => {
			const dying = (work: Work): T => {
				const result = body(work);
				writes += 1;
				if (writes === nth) throw new Error("killed");
				return result;
			};
			return doors.write(actor, dying, ...sync);
		},
	};
};
