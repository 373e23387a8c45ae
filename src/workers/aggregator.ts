import { Aggregator } from "../areas/usage/aggregator";
import { isStopping, runWorker } from "./entry";

/** Steps between two looks at the thread's messages: some half a second of work at most. */
const stepsAtOnce = 10;

/**
 * Our choice: how long to let events gather. A chunk of many costs half as much for each event as many small chunks, and
 * totals are still there well within 100 ms (docs/interface/usage.md).
 */
const gatherMs = 20;

/** So many events are worth a transaction at once. */
const gatheredEvents = 5000;

/** Our choice: how soon a change is seen that nobody has told of: a new meter, a customer that events waited for. */
const lookAgainMs = 250;

/** The thread that writes usage.db, and the only one. Before it is ready it has caught up with the log. */
runWorker("aggregator", async ({ folder }) => {
	const aggregator = new Aggregator({ folder });
	// A gap after each step lets the write-ahead log of the events be folded back.
	while (!isStopping() && aggregator.step()) await Bun.sleep(0);
	return {
		wake: async () => {
			for (let steps = 0; steps < stepsAtOnce; steps += 1) {
				// The pause also lets the write-ahead log of the events be folded back.
				await Bun.sleep(aggregator.lag() < gatheredEvents ? gatherMs : 0);
				if (!aggregator.step()) return lookAgainMs;
			}
			return 0;
		},
		stop: () => aggregator.close(),
	};
});
