import { systemActor } from "../../../src/areas/access/rules.actors";
import { Deliverer } from "../../../src/areas/webhooks/deliver";
import { Sender } from "../../../src/areas/webhooks/sending";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import type { World } from "../../support/world";

export interface Received {
	readonly headers: Headers;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON that came, whatever it is.
	readonly body: any;
}

/** Answers what is asked for next; 200 else. */
export function receiver(answer: (nth: number) => Response | Promise<Response> = () => new Response("ok")) {
	const received: Received[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const text = await request.text();
			received.push({ headers: request.headers, text, body: JSON.parse(text) });
			return answer(received.length);
		},
	});
	return { received, url: `http://127.0.0.1:${server.port}/hook`, stop: () => server.stop(true) };
}

/** The thread's work over a world's folder, on the machine's clock as the test turns it. */
export function delivererOf(ours: World, options: { allowPrivate?: boolean; timeoutMs?: number } = {}) {
	const clock = { at: Date.now() as Instant };
	const now = () => clock.at;
	const file = openFile(ours.folder, "deliveries");
	const deliveries = openTransactions({ db: file, clock: { now }, newId: newUuidV7, wake: () => {} });
	const { folderSecret } = ours.services.outgoing;
	const make = () =>
		new Deliverer({
			...{ transactions: ours.transactions, deliveries, log: openLog("silent"), now, keepDays: 30 },
			random: () => 0,
			sender: new Sender({ folderSecret, now, allowPrivate: true, ...options }),
			writer: {
				disable: async (environmentId, id, reason) =>
					void (await ours.services.write(systemActor(environmentId), "disableWebhook", { id, reason })),
				keepPositions: async (positions) =>
					void (await ours.services.write(systemActor(""), "keepWebhookPositions", positions)),
			},
		});
	let deliverer = make();
	/** Looks until nothing is left to be sent now. */
	const run = async (): Promise<void> => {
		// An endpoint is looked for when the main file has changed: the test's own connection has.
		for (let quiet = 0; quiet < 3; ) {
			deliverer.look();
			await Bun.sleep(2);
			quiet = deliverer.isIdle ? quiet + 1 : 0;
		}
	};
	return {
		clock,
		run,
		look: () => deliverer.look(),
		mayRest: () => deliverer.canEnd,
		/** As after a crash: what this one knew is gone. */
		restart: () => {
			deliverer = make();
		},
		close: () => file.$client.close(),
	};
}
