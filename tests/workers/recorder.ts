import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { runWorker } from "../../src/workers/entry";
import { Link } from "../../src/workers/links";

/** A thread for the tests: writes down what happens to it, answers requests, and dies when it is asked to. */
runWorker("recorder", ({ folder }) => {
	const record = (what: string) => appendFileSync(join(folder, "record.txt"), `${what}\n`);
	record("open");
	const link = new Link({ hear: () => {}, lost: () => {} });
	return {
		links: { writer: link },
		wake: () => {
			record(link.post("asked") ? "wake with a link" : "wake");
			return undefined;
		},
		request: (request, answer) => {
			if (request === "die") throw new Error("asked to die");
			answer(request);
		},
		stop: async () => {
			await Bun.sleep(50);
			record("stop");
		},
	};
});
