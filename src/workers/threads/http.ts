import { readRange } from "../../kernel/addresses";
import { makeServer } from "../../server/http-thread";
import { runWorker } from "../entry";
import { openIngest } from "../ingest-link";
import { openMain } from "../main-file";
import { WriterClient } from "../writer-client";

/** A further thread that serves HTTP: it answers reads and forwards writes to the writer. */
runWorker("http", (settings, log, meter) => {
	const { folder, http, api } = settings;
	const { db, transactions } = openMain(settings, ["usage", "renders", "events", "deliveries"]);
	const writer = new WriterClient();
	const { link, events } = openIngest();
	const stopping = new AbortController();
	let notReady: readonly string[] = [];
	const server = makeServer({
		folder,
		transactions,
		writer,
		events,
		log,
		meter,
		host: http.host,
		isShared: true,
		slowMs: http.slowMs,
		api,
		trustedProxies: http.trustedProxies.flatMap((text) => readRange(text) ?? []),
		bodyBytesMax: http.bodyBytesMax,
		edgeCalls: http.edgeCalls,
		stopping: stopping.signal,
		notReady: () => notReady,
	});
	return {
		wake: () => undefined,
		links: { writer: writer.link, ingester: link },
		state: (names) => {
			notReady = names;
		},
		listen: (port) => {
			server.listen(port);
			server.prepare();
		},
		close: () => server.close(),
		stop: async () => {
			stopping.abort();
			await server.close();
			db.$client.close();
		},
	};
});
