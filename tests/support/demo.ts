import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { composeApp } from "../../src/app";
import { testClocksIn } from "../../src/areas/access/environments/operations.clocks";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { beginFolder } from "../../src/bootstrap";
import { readConfig } from "../../src/config/config";
import { answerForwarded } from "../../src/http/fast-path/forwarded";
import { Forwarding } from "../../src/http/fast-path/forwarding";
import { openLog } from "../../src/http/log";
import { wallClock } from "../../src/kernel/clock";
import { newUuidV7 } from "../../src/kernel/ids";
import { openFile } from "../../src/kernel/storage/db";
import { Epochs } from "../../src/kernel/storage/epochs";
import { openTransactions } from "../../src/kernel/storage/transactions";
import type { Transactions } from "../../src/kernel/work";
import { makeServices } from "../../src/server/context";
import { writesBy } from "../../src/server/writer-calls";
import { openReading } from "../../src/workers/main-file";
import { closeAtEndOfFile, templateFolder, testsFolder } from "./folders";
import { ingestIn } from "./local-ingest";
import { servicesOfCurrent, within } from "./shared-routes";
import { emptyLogs, freshFolder } from "./world";

export const demoKey = "server-key-of-the-demo-0123456789";

let template: string | undefined;

/** A folder with demo data, as `serve --demo` makes it, its usage counted. Seeded once, then copied. */
export async function demoFolder(): Promise<string> {
	if (!template) {
		template = templateFolder();
		cpSync(freshFolder(), template, { recursive: true });
		const settings = { TOLLGATE_DATA_DIR: template, TOLLGATE_BOOTSTRAP_API_KEY: demoKey, TOLLGATE_DEMO: "1" };
		const { db } = await beginFolder(readConfig(settings));
		db.$client.close();
		const aggregator = new Aggregator({ folder: template, clock: wallClock });
		aggregator.run();
		aggregator.close();
		emptyLogs(template);
	}
	const folder = mkdtempSync(join(testsFolder, "demo-"));
	cpSync(template, folder, { recursive: true });
	return folder;
}

export interface Demo {
	answer(request: Request): Promise<Response>;
	readonly transactions: Transactions;
}

/** The apps of both sides, which all demos of this process share. */
const apps: { writer?: ReturnType<typeof composeApp>; front?: ReturnType<typeof composeApp> } = {};

/** Nobody sent the requests by a network. */
const nobody = { requestIP: () => null, timeout: () => {} };

/**
 * The application over demo data of its own, on the wall clock, as a server has it but in one thread: one side that only
 * reads, and one that writes, to which it hands what it may not answer itself.
 */
export async function openDemo(): Promise<Demo> {
	const folder = await demoFolder();
	const epochs = new Epochs();
	const shared = { folder, events: ingestIn(folder), log: openLog("silent"), stopping: new AbortController().signal };

	const writing = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	closeAtEndOfFile(writing.$client);
	const transactions = openTransactions({
		db: writing,
		clock: wallClock,
		testClocks: testClocksIn,
		newId: newUuidV7,
		wake: () => {},
		epochs,
		writes: "in groups",
	});
	const write = writesBy(transactions);
	const writer = makeServices({ ...shared, transactions, write });
	apps.writer ??= composeApp(servicesOfCurrent(writer));
	const { app } = apps.writer;
	const answer = answerForwarded({
		...writer,
		handle: (request) => within(writer, async () => await app.handle(request)),
	});

	const reading = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	closeAtEndOfFile(reading.$client);
	reading.$client.run("PRAGMA query_only = ON");
	const services = makeServices({ ...shared, transactions: openReading(reading, epochs), write });
	apps.front ??= composeApp(servicesOfCurrent(services));
	const { app: front, declarations } = apps.front;
	const answerHere = (request: Request): Promise<Response> => within(services, async () => await front.handle(request));
	const forwarding = new Forwarding({ ...services, declarations, writer: { answer }, answerHere });
	await Promise.all([app.modules, front.modules]);
	return {
		answer: (request) => forwarding.answer(request, nobody) ?? answerHere(request),
		transactions,
	};
}
