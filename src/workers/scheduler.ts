import { CatchUp } from "../clocks/catch-up";
import { isStopping, openMain, runWorker } from "./entry";

/** The thread that carries out what falls due in environments on the wall clock. The pool wakes it when something is. */
runWorker("scheduler", ({ folder }, log) => {
	const { db, doors } = openMain(folder, ["usage", "events"]);
	const catchUp = new CatchUp({ doors, log, isStopping });
	return {
		wake: async () => {
			await catchUp.run();
			return undefined;
		},
		stop: () => db.$client.close(),
	};
});
