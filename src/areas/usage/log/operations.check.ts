import { SQLiteError } from "bun:sqlite";
import { collectorAfter } from "../../../kernel/garbage";
import { openFile } from "../../../kernel/storage/db";
import { type Awaiting, FileUnreadable, step } from "../../../kernel/storage/failures";
import type { Database } from "../../../kernel/work";
import { checkOf, isErasedKey } from "../archive/identity-check";
import { type LeftOut, nothingLeftOut } from "../archive/left-out";
import { identityStart } from "../blocks/event-identity";
import { fingerprintOf, wyhash } from "../fingerprints/fingerprint";
import { LogFingerprints } from "./log-fingerprints";
import { LogReader } from "./log-reader";

/** Differences that the check names. */
const namedMax = 20;

/** Rows between two garbage collections, about 250,000 events. */
const rowsPerCollection = 2_000;

interface CustomerName {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * Checks that each event of the log has its own fingerprint; yields a line for each that has not. Such an event would
 * be accepted again when its sender repeats it, and count twice. Works alongside a running server.
 */
export function* checkingFingerprints(folder: string, leftOut: LeftOut = nothingLeftOut): Awaiting<string[]> {
	const db = openFile(folder, "events");
	try {
		const found: string[] = [];
		const rows = differences(db, leftOut);
		const collect = collectorAfter(rowsPerCollection);
		while (found.length < namedMax) {
			const { done, value: linesOfRow } = rows.next();
			if (done) break;
			found.push(...(yield* step(linesOfRow)));
			collect();
		}
		return found.slice(0, namedMax);
	} finally {
		db.$client.close();
	}
}

/**
 * Yields the rows of the log, each as a step that returns its differences. An unreadable row is a finding that names
 * its events.
 */
function* differences(db: Database, leftOut: LeftOut): Generator<() => string[]> {
	const log = new LogReader(db);
	const identities = new IdentityStarts(db);
	let next = 1;
	for (const row of new LogFingerprints(db).after(0)) {
		const { firstEvent } = row;
		if (firstEvent !== next) yield () => [`events.db: the events ${next} to ${firstEvent - 1} have no fingerprints`];
		if ("error" in row) throw row.error;
		const { words } = row;
		next = firstEvent + words.length / 2;
		if (!leftOut.holds(firstEvent))
			yield () => orUnreadable(firstEvent, next - 1, () => differencesOf(log, identities, firstEvent, words));
	}
	const last = log.lastEvent();
	if (last >= next) yield () => [`events.db: the events ${next} to ${last} have no fingerprints`];
}

function orUnreadable(first: number, last: number, differences: () => string[]): string[] {
	try {
		return differences();
	} catch (error) {
		// The message for a file that cannot be fetched names the file.
		if (error instanceof FileUnreadable || error instanceof SQLiteError) throw error;
		const message = error instanceof Error ? error.message : String(error);
		return [`events.db: the events ${first} to ${last} cannot be read (${message}); restore a backup`];
	}
}

function differencesOf(log: LogReader, identities: IdentityStarts, firstEvent: number, words: Uint32Array): string[] {
	const found: string[] = [];
	// Blocks are in the storage as a whole.
	const isChecked = log.checkOf(firstEvent) !== undefined;
	const end = firstEvent + words.length / 2;
	for (let event = firstEvent; event < end; ) {
		if (!log.has(event)) {
			found.push(`events.db: event ${event} is missing`);
			event += 1;
			continue;
		}
		const { block, keys } = log.keyed(event);
		for (; event < end && block.holds(event); event += 1) {
			const index = event - block.firstEvent;
			const customer = block.customer(index);
			const key = keys[index] ?? "";
			const start = identities.of(customer, block.resource(index), block.eventName(index));
			const { high, low } = fingerprintOf(wyhash, start + key);
			const at = (event - firstEvent) * 2;
			// Only a hash of an erased key is left, from which no fingerprint can be computed.
			const isKnown = (words[at] === high && words[at + 1] === low) || isErasedKey(key);
			const check = isChecked ? log.checkOf(event) : undefined;
			if (!isKnown || (check !== undefined && check !== checkOf(start + key, key)))
				found.push(
					`events.db: event ${event} of customer '${identities.refOf(customer)}' is not the one that its fingerprint was made of; restore a backup`,
				);
		}
	}
	return found;
}

/** Customers that stay in memory, about 20 MB. */
const rememberedMax = 100_000;

interface KnownCustomer {
	readonly name: CustomerName;
	/** The name of the last event without a resource: most events of a customer are alike. */
	eventName: string | undefined;
	start: string;
}

/** Returns the starts of events' identities. Each customer is read once. */
class IdentityStarts {
	readonly #select;
	readonly #known = new Map<number, KnownCustomer>();

	constructor(db: Database) {
		this.#select = db.$client.prepare<CustomerName, [number]>(
			"SELECT environment_id, customer_ref FROM event_customers WHERE id = ?",
		);
	}

	of(customer: number, resourceRef: string | null, eventName: string): string {
		const known = this.#known.get(customer) ?? this.#lookUp(customer);
		if (resourceRef === null && known.eventName === eventName) return known.start;
		const { environment_id: environmentId, customer_ref: customerRef } = known.name;
		const parts = identityStart(environmentId, customerRef, resourceRef, eventName);
		if (resourceRef !== null) return parts;
		// Otherwise the runtime would put the parts together again for each event.
		const start = Buffer.from(parts).toString();
		Object.assign(known, { eventName, start });
		return start;
	}

	refOf(customer: number): string {
		return this.#select.get(customer)?.customer_ref ?? "unknown";
	}

	#lookUp(customer: number): KnownCustomer {
		const name = this.#select.get(customer) ?? { environment_id: "", customer_ref: "" };
		const known = { name, eventName: undefined, start: "" };
		if (this.#known.size >= rememberedMax) this.#known.clear();
		this.#known.set(customer, known);
		return known;
	}
}
