import { openFile } from "../../../kernel/db";
import type { Database } from "../../../kernel/work";
import { fingerprintOf, wyhash } from "../fingerprints/fingerprint";
import { identityStart } from "./event-customers";
import { LogFingerprints } from "./log-fingerprints";
import { LogReader } from "./log-reader";

/** Our choice: so many differences are named. */
const namedMax = 20;

interface CustomerName {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * Whether each event of the log is known by its own fingerprint, a line for each that is not; empty when all are. One that is
 * not would be taken again when its sender repeats it, and count twice. Works beside a running server.
 */
export function checkFingerprints(folder: string): string[] {
	const db = openFile(folder, "events");
	try {
		const found: string[] = [];
		for (const line of differences(db)) {
			found.push(line);
			if (found.length === namedMax) break;
		}
		return found;
	} finally {
		db.$client.close();
	}
}

function* differences(db: Database): Generator<string> {
	const log = new LogReader(db);
	const nameOf = db.$client.prepare<CustomerName, [number]>(
		"SELECT environment_id, customer_ref FROM event_customers WHERE id = ?",
	);
	let next = 1;
	for (const { firstEvent, words } of new LogFingerprints(db).after(0)) {
		if (firstEvent !== next) yield `events.db: the events ${next} to ${firstEvent - 1} have no fingerprints`;
		const end = firstEvent + words.length / 2;
		for (let event = firstEvent; event < end; event += 1) {
			if (!log.has(event)) {
				yield `events.db: event ${event} is missing`;
				continue;
			}
			const { customer, resourceRef, eventName, idempotencyKey } = log.identity(event);
			const name = nameOf.get(customer);
			const start = identityStart(name?.environment_id ?? "", name?.customer_ref ?? "", resourceRef, eventName);
			const { high, low } = fingerprintOf(wyhash, start + idempotencyKey);
			const at = (event - firstEvent) * 2;
			if (words[at] !== high || words[at + 1] !== low)
				yield `events.db: event ${event} of customer '${name?.customer_ref ?? "unknown"}' is not the one that its fingerprint was made of; restore a backup`;
		}
		next = end;
	}
	const last = log.lastEvent();
	if (last >= next) yield `events.db: the events ${next} to ${last} have no fingerprints`;
}
