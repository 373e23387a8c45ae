import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../kernel/db";
import { identityOf, wordsOf } from "./event-log";
import { fingerprintOf, wyhash } from "./seen/fingerprint";

/** Our choice: so many differences are named. */
const namedMax = 20;

/** Commits that are read at once: what bounds the memory. */
const commitsAtOnce = 100;

interface EventRow {
	readonly id: number;
	readonly environment_id: string;
	readonly customer_ref: string;
	readonly resource_ref: string | null;
	readonly event_name: string;
	readonly idempotency_key: string;
}

/**
 * Whether each event of the log is known by its own fingerprint, a line for each that is not; empty when all are. One that is
 * not would be taken again when its sender repeats it, and count twice. Works beside a running server.
 */
export function checkFingerprints(folder: string): string[] {
	const db = openFile(folder, "events").$client;
	try {
		const found: string[] = [];
		for (const line of differences(db)) {
			found.push(line);
			if (found.length === namedMax) break;
		}
		return found;
	} finally {
		db.close();
	}
}

function* differences(db: SqliteFile): Generator<string> {
	const commits = db.query<{ first_event: number; fingerprints: Uint8Array }, [number, number]>(
		"SELECT first_event, fingerprints FROM event_commits WHERE first_event >= ? ORDER BY first_event LIMIT ?",
	);
	const eventsOf = db.query<EventRow, [number, number]>(
		`SELECT e.id, c.environment_id, c.customer_ref, e.resource_ref, e.event_name, e.idempotency_key
		FROM events e JOIN event_customers c ON c.id = e.customer WHERE e.id >= ? AND e.id < ? ORDER BY e.id`,
	);
	for (let next = 1; ; ) {
		const rows = commits.all(next, commitsAtOnce);
		for (const { first_event, fingerprints } of rows) {
			const words = wordsOf(fingerprints);
			const end = first_event + words.length / 2;
			if (first_event !== next) yield `events.db: the events ${next} to ${first_event - 1} have no fingerprints`;
			const known = new Set<number>();
			for (const event of eventsOf.all(first_event, end)) {
				known.add(event.id);
				const { high, low } = fingerprintOf(wyhash, identityText(event));
				const at = (event.id - first_event) * 2;
				if (words[at] !== high || words[at + 1] !== low)
					yield `events.db: event ${event.id} of customer '${event.customer_ref}' is not the one that its fingerprint was made of; restore a backup`;
			}
			for (let id = first_event; id < end; id += 1) if (!known.has(id)) yield `events.db: event ${id} is missing`;
			next = end;
		}
		if (rows.length < commitsAtOnce) return;
	}
}

const identityText = ({ environment_id, customer_ref, resource_ref, event_name, idempotency_key }: EventRow): string =>
	identityOf(environment_id, {
		customerRef: customer_ref,
		resourceRef: resource_ref,
		eventName: event_name,
		idempotencyKey: idempotency_key,
	});
