import { expect, test } from "bun:test";
import type { WorkerName } from "../../src/kernel/work";
import { WorkWatch } from "../../src/workers/work-watch";
import { world } from "../support/world";

/** A watch over a world's tables, with the threads that it has woken. */
function watched() {
	const { services, transactions } = world();
	const woken: WorkerName[] = [];
	const waiting = new Map<WorkerName, () => void>();
	const watch = new WorkWatch({
		transactions,
		log: services.log,
		webhooksKeepDays: 30,
		wake: (worker) => {
			woken.push(worker);
			waiting.get(worker)?.();
		},
		onLook: () => {},
	});
	return {
		watch,
		woken,
		now: () => transactions.now(""),
		/** Resolves when the watch wakes this thread. */
		until: (worker: WorkerName) => new Promise<void>((resolve) => void waiting.set(worker, resolve)),
	};
}

test("wakes the aggregator after a change of main.db, also of another process", () => {
	const { watch, woken } = watched();
	watch.start();
	watch.stop();
	expect(woken).toEqual(["aggregator"]);
});

test("asks the writer for the next due step once the totals have caught up", () => {
	const { watch, woken } = watched();
	watch.start();
	expect(woken).not.toContain("next-due");
	watch.startBilling();
	expect(woken).toContain("next-due");
	watch.stop();
});

test("wakes the scheduler at the time of the next due step", async () => {
	const { watch, woken, now, until } = watched();
	watch.startBilling();
	const isDue = until("scheduler");
	watch.setDue(now());
	expect(woken).not.toContain("scheduler");
	await isDue;
	watch.stop();
});
