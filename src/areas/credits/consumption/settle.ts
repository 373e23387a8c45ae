import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import type { CreditConsumptionRow } from "../table";
import { settleConsumptions } from "./operations";
import { selectWaiting } from "./store";

/** Our choice: what is looked at together. Each wallet's part of it is one write, so that one that fails holds up no other. */
const rowsAtOnce = 256;

/** No environment: what waits is told by one index. */
const everywhere = systemActor("");

/**
 * The job that takes what was accepted to be taken later: on the writer, in turns. What was taken and that it was taken are
 * one write, so that a crash neither loses nor repeats it; the clock of an environment is no matter.
 */
export class ConsumptionSettlement {
	readonly #thread: JobThread;

	constructor(thread: JobThread) {
		this.#thread = thread;
	}

	/** Takes all that waits. What cannot be taken now fails the job once everything else is, and is tried again with it. */
	async run(): Promise<undefined> {
		const { transactions, turns, isStopping } = this.#thread;
		const failures = new Map<string, unknown>();
		for (let after = ""; ; ) {
			await turns.next();
			if (isStopping()) return undefined;
			const rows = transactions.read(everywhere, (work) => selectWaiting(work, after, rowsAtOnce));
			for (const [walletId, those] of Map.groupBy(rows, (row) => row.walletId)) {
				if (failures.has(walletId)) continue;
				if (turns.isOver()) await turns.next();
				if (isStopping()) return undefined;
				const failure = this.#settle(walletId, those);
				if (failure !== undefined) failures.set(walletId, failure);
			}
			const last = rows.at(-1);
			if (!last) break;
			after = last.id;
		}
		const [failure] = failures.values();
		if (failure !== undefined) throw failure;
		return undefined;
	}

	#settle(walletId: string, rows: readonly CreditConsumptionRow[]): unknown {
		const actor = systemActor(rows[0]?.environmentId ?? "");
		try {
			this.#thread.transactions.writeUsage(actor, (work) => settleConsumptions(work, walletId, rows));
			return undefined;
		} catch (error) {
			return error;
		}
	}
}
