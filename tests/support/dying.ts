import type { Actor, Sync, Transactions, Work } from "../../src/kernel/work";

/** Transactions whose n-th write dies after its body has run: nothing of it is committed, as in a power cut. */
export const dyingAt = (transactions: Transactions, nth: number): Transactions => {
	let writes = 0;
	return {
		...transactions,
		write: <T>(actor: Actor, body: (work: Work) => T, ...sync: Sync<T>): T => {
			const dying = (work: Work): T => {
				const result = body(work);
				writes += 1;
				if (writes === nth) throw new Error("killed");
				return result;
			};
			return transactions.write(actor, dying, ...sync);
		},
	};
};
