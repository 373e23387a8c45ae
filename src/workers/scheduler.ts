import { CatchUp } from "../clocks/catch-up";
import { isStopping, openMain, runWorker } from "./entry";
import { purge } from "./purge";
import { takeTurns } from "./turns";

/**
 * The thread that carries out what falls due in environments on the wall clock, and forgets what is past. The pool wakes it
 * when something is due, and now and then.
 */
runWorker("scheduler", ({ folder }, log) => {
	const { db, doors } = openMain(folder, ["usage", "events"]);
	const thread = { doors, turns: takeTurns(), isStopping };
	const catchUp = new CatchUp({ ...thread, log });
	return {
		wake: async () => {
			await catchUp.run();
			await purge(thread);
			return undefined;
		},
		stop: () => db.$client.close(),
	};
});
