/**
 * The ceilings, in a process of their own: what a bare server on this machine does with the same requests. Argument: the mode.
 *
 * - `append` parses the body and appends its events in one transaction a request, WAL with synchronous=FULL, no other index;
 * - `append-in-groups` the same, one transaction for all requests that have come in meanwhile;
 * - `constant` gives the text of the second argument to everything.
 *
 * Prints its port.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [mode, text = ""] = process.argv.slice(2);
const json = { headers: { "content-type": "application/json" } };
const rowsAtOnce = 100;

interface Event {
	readonly customerId: string;
	readonly eventName: string;
	readonly idempotencyKey: string;
	readonly timestamp: string;
	readonly dimensions: object;
}

function appending() {
	const folder = mkdtempSync(join(tmpdir(), "tollgate-bare-"));
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
	process.on("SIGTERM", () => process.exit(0));
	const db = new Database(join(folder, "bare.db"));
	db.run("PRAGMA journal_mode = WAL");
	db.run("PRAGMA synchronous = FULL");
	db.run("CREATE TABLE events (customer TEXT, name TEXT, key TEXT, at TEXT, dimensions TEXT)");
	const row = "(?, ?, ?, ?, ?)";
	const many = db.prepare(`INSERT INTO events VALUES ${Array(rowsAtOnce).fill(row).join(",")}`);
	const one = db.prepare(`INSERT INTO events VALUES ${row}`);
	const values = ({ customerId, eventName, idempotencyKey, timestamp, dimensions }: Event): string[] => [
		customerId,
		eventName,
		idempotencyKey,
		timestamp,
		JSON.stringify(dimensions),
	];
	return (lists: ReadonlyArray<readonly Event[]>): void => {
		db.run("BEGIN IMMEDIATE");
		for (const events of lists) {
			let at = 0;
			for (; at + rowsAtOnce <= events.length; at += rowsAtOnce)
				many.run(...events.slice(at, at + rowsAtOnce).flatMap(values));
			for (const event of events.slice(at)) one.run(...values(event));
		}
		db.run("COMMIT");
	};
}

function handler(): (request: Request) => Response | Promise<Response> {
	const accepted = () => new Response('{"data":{}}', json);
	if (mode === "constant") return () => new Response(text, json);
	const append = appending();
	const eventsOf = async (request: Request): Promise<Event[]> => JSON.parse(await request.text()).events;
	if (mode === "append")
		return async (request) => {
			append([await eventsOf(request)]);
			return accepted();
		};
	let waiting: Array<{ events: Event[]; done: (answer: Response) => void }> = [];
	const flush = (): void => {
		const group = waiting;
		waiting = [];
		append(group.map(({ events }) => events));
		for (const { done } of group) done(accepted());
	};
	return async (request) => {
		const events = await eventsOf(request);
		const { promise, resolve } = Promise.withResolvers<Response>();
		if (waiting.length === 0) setImmediate(flush);
		waiting.push({ events, done: resolve });
		return promise;
	};
}

console.log(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler() }).port);
