import { Aggregator } from "../areas/usage/aggregator";
import { runWorker } from "./entry";

/** Steps between two looks at the thread's messages: some half a second of work at most. */
const stepsAtOnce = 10;

/** Our choice: how soon a change is seen that nobody has told of: a new meter, a customer that events waited for. */
const lookAgainMs = 250;

/** The thread that writes usage.db, and the only one. Before it is ready it has caught up with the log. */
runWorker("aggregator", async ({ folder }) => {
	const aggregator = new Aggregator({ folder });
	// A gap after each step lets the write-ahead log of the events be folded back.
	while (aggregator.step()) await Bun.sleep(0);
	return {
		wake: async () => {
			for (let steps = 0; steps < stepsAtOnce; steps += 1) {
				if (!aggregator.step()) return lookAgainMs;
				await Bun.sleep(0);
			}
			return 0;
		},
		stop: () => aggregator.close(),
	};
});
