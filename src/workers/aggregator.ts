import { Aggregator } from "../areas/usage/counting/aggregator";
import { LogCheckpoints } from "../areas/usage/log/log-checkpoints";
import { Epochs } from "../kernel/epochs";
import { isStopping, runWorker } from "./entry";

/** Our choice: how long to let events gather. What comes together is read together. */
const gatherMs = 10;

/** Our choice: how long it goes on looking after it has found something. Meanwhile nobody has to wake it (ingester.ts). */
const awakeMs = 100;

/** Our choice: how soon a change is seen that nobody has told of: a new meter, a customer that events waited for. */
const lookAgainMs = 250;

/**
 * Our choice: how long a start waits for the totals. Most stops leave less to count than that; what is left after it is
 * counted while the server answers (`/readyz` tells how far it is).
 */
const catchUpMsMax = 2_000;

/** The thread that writes usage.db, and the only one. It also folds the log's write-ahead log back: its writer must not wait. */
runWorker("aggregator", async ({ folder, epochs }) => {
	const shared = new Epochs(epochs);
	const aggregator = new Aggregator({ folder, onChanged: (customers) => shared.counted(customers) });
	const checkpoints = new LogCheckpoints(folder);
	const end = performance.now() + catchUpMsMax;
	while (!isStopping() && performance.now() < end && aggregator.step()) await Bun.sleep(0);
	let foundAtMs = Number.NEGATIVE_INFINITY;
	return {
		wake: async () => {
			await Bun.sleep(gatherMs);
			const hasCounted = aggregator.count();
			if (hasCounted) foundAtMs = performance.now();
			checkpoints.run(hasCounted);
			const isWriteDue = aggregator.isWriteDue();
			const hasMore = isWriteDue && aggregator.show();
			if (hasCounted || hasMore || !isWriteDue || performance.now() - foundAtMs < awakeMs) return 0;
			return lookAgainMs;
		},
		stop: () => {
			// What was counted is kept; what was not is counted after the next start.
			aggregator.step();
			checkpoints.close();
			aggregator.close();
		},
	};
});
