import { openProvider } from "../../areas/collection/adapters";
import { Collector } from "../../areas/collection/collector";
import { folderSecret } from "../../folder/secret";
import { isStopping, runWorker } from "../entry";
import { openMain } from "../main-file";
import { WriterClient } from "../writer-client";

// The thread that calls payment providers. It writes no file: the writer stores what the providers answer.
runWorker("collector", (settings, log) => {
	const { db, transactions } = openMain(settings, []);
	const writer = new WriterClient();
	const collector = new Collector({
		...{ transactions, write: writer.write, open: openProvider, log, isStopping },
		folderSecret: folderSecret(settings.folder),
		returnUrl: settings.api.publicUrl && `${settings.api.publicUrl}/portal`,
	});
	return {
		wake: () => collector.drain(),
		links: { writer: writer.link },
		stop: () => db.$client.close(),
	};
});
