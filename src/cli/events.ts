import { stat } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { chooseEnvironment } from "../areas/access/operations";
import type { UsageEvent } from "../areas/usage/schema";
import { openFolder } from "../files";
import { fail } from "../kernel/errors";
import { carriedOutInTime, step } from "../kernel/storage/failures";
import type { CliContext } from "./context";
import { environmentOption, operator } from "./open-folder";

// The commands load these modules when they run.
const tails = () => import("../areas/usage/events/operations.tail");
const imports = () => import("./events.import");

/** The delay until a new event is printed. */
const lookMs = 200;

/** The number of events on a page of the API. */
const lastMax = 100;

interface TailOptions {
	readonly environment?: string;
	readonly customer?: string;
	readonly name?: string;
	readonly last: number;
	readonly follow: boolean;
	readonly json?: boolean;
}

interface ImportOptions {
	readonly url?: string;
	readonly key?: string;
}

export function eventsCommand(context: CliContext): Command {
	const events = new Command("events").description("The raw usage events: watch them come, or send a file of them.");
	events
		.command("tail")
		.description("print events as they come, of a server that runs on this data folder; Ctrl-C ends it")
		.addOption(environmentOption())
		.option("--customer <id>", "of this customer only")
		.option("--name <event name>", "of this name only")
		.option("--last <events>", `begin so many events back, 0 to ${lastMax}`, readLast, 10)
		.option("--no-follow", "print those and end")
		.option("--json", "as JSON, an event on each line, as `events import` reads them")
		.action((options: TailOptions) => tail(context, options));
	events
		.command("import")
		.description("send a file of events to a running server; to send it again is harmless, each event counts once")
		.argument("<file>", "NDJSON: an event on each line, as POST /api/v1/events takes it")
		.option("--url <url>", "where the server is; by TOLLGATE_HOST and TOLLGATE_PORT when left out")
		.addOption(new Option("--key <secret>", "an API key that may report usage").env("API_KEY"))
		.action((file: string, options: ImportOptions) => importFile(context, file, options));
	return events;
}

function readLast(text: string): number {
	const events = Number(text);
	if (!/^\d+$/.test(text) || events > lastMax) throw new InvalidArgumentError(`A whole number from 0 to ${lastMax}.`);
	return events;
}

async function tail({ config, print }: CliContext, options: TailOptions): Promise<void> {
	const { environment, customer, name, last, follow, json } = options;
	const { dataDir } = config();
	const { db, transactions } = openFolder(dataDir);
	const { id: environmentId } = transactions.read(operator, (work) => chooseEnvironment(work, environment));
	db.$client.close();
	const { LogTail } = await tails();
	const filter = {
		environmentId,
		...(customer !== undefined && { customerId: customer }),
		...(name !== undefined && { eventName: name }),
	};
	const log = new LogTail(dataDir, filter, last);
	const stop = Promise.withResolvers<"stop">();
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.resolve("stop"));
	try {
		for (let isLast = !follow; ; ) {
			for (const event of await carriedOutInTime(step(() => log.next())))
				print(json ? JSON.stringify(event) : lineOf(event));
			if (isLast) return;
			// Prints the events that have arrived by then.
			isLast = (await Promise.race([stop.promise, Bun.sleep(log.isBehind ? 0 : lookMs)])) === "stop";
		}
	} finally {
		log.close();
	}
}

const lineOf = ({ timestamp, customerId, resourceId, eventName, idempotencyKey, dimensions }: UsageEvent): string =>
	[
		timestamp,
		resourceId ? `${customerId}/${resourceId}` : customerId,
		eventName,
		idempotencyKey,
		JSON.stringify(dimensions ?? {}),
	].join("  ");

async function importFile({ config, print }: CliContext, file: string, { url, key }: ImportOptions): Promise<void> {
	if (key === undefined) throw fail("BadUserInput", "Give an API key with --key, or in the variable API_KEY.");
	const found = await stat(file).catch(() => undefined);
	if (!found?.isFile()) throw fail("BadUserInput", `There is no file '${file}'.`);
	const { host, port } = config();
	const { importEvents } = await imports();
	const imported = await importEvents({
		file,
		bytes: found.size,
		url: url ?? `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`,
		key,
		print,
	});
	print(`sent ${imported} events of ${file}; those that were there before count once`);
}
