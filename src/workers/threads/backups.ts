import { BackupSchedule } from "../../folder/backups/schedule";
import { wallClock } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { isStopping, runWorker } from "../entry";

/** A stop does not wait for a backup. What is left of it counts for nothing. */
const lookEveryMs = 100;

// The thread that makes scheduled backups. No request waits for it: it may copy and compress files for minutes.
runWorker("backups", ({ folder, backups }, log) => {
	assert(backups, "the pool starts this thread where backups are set");
	const schedule = new BackupSchedule({ folder, settings: backups, clock: wallClock, log });
	return {
		wake: async () => {
			const stopped = Promise.withResolvers<undefined>();
			const timer = setInterval(() => isStopping() && stopped.resolve(undefined), lookEveryMs);
			try {
				return await Promise.race([schedule.run(), stopped.promise]);
			} finally {
				clearInterval(timer);
			}
		},
		stop: () => undefined,
	};
});
