import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import type { CreditConsumptionRow } from "../table";
import { settleConsumptions } from "./operations";
import { selectWaiting } from "./store";

/** The rows of one read. Each wallet's rows are one write, so a wallet that fails delays no other. */
const rowsAtOnce = 256;

/** Not of one environment: one index lists the accepted consumptions of all. */
const everywhere = systemActor("");

/**
 * The job of the writer that settles accepted consumptions. One write consumes the credits and marks the rows as settled, so a crash
 * neither loses nor repeats a consumption.
 */
export class ConsumptionSettlement {
	readonly #thread: JobThread;

	constructor(thread: JobThread) {
		this.#thread = thread;
	}

	/** Settles all accepted consumptions. If a wallet fails, the job continues with the others, then fails and is retried. */
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
