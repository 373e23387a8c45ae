import { join } from "node:path";
import { openFile } from "../../kernel/db";
import { isUnconfirmed, unconfirmedWrite } from "../../kernel/storage";
import type { Database } from "../../kernel/work";
import { type CheckedEvent, checkEvents } from "./event-check";
import { EventCustomers } from "./event-customers";
import { type IngestRequest, type IngestResult, retryAfterSeconds } from "./schema.ingest";
import { type Fingerprint, fingerprintOf, type Hash, wyhash } from "./seen/fingerprint";
import { DamagedRun, type Run } from "./seen/run-file";
import { SeenSet } from "./seen/seen-set";

export interface EventLogOptions {
	/** The data folder. */
	readonly folder: string;
	readonly onTrouble: (error: unknown) => void;
	/** Tests inject a poor one to force collisions. */
	readonly hash?: Hash;
	/** How many fingerprints stay in memory; see `SeenSet`. */
	readonly recentMax?: number;
	/** Tests make the disk full by it. */
	readonly onOpen?: (file: Database["$client"]) => void;
}

/** Entries that a merge of fingerprint files goes on by for each event: four merges in an event's life, with room. */
const mergedPerEvent = 16;

const eventsAtOnce = 10_000;

interface StoredKey {
	readonly customer: number;
	readonly resource_ref: string | null;
	readonly event_name: string;
	readonly idempotency_key: string;
}

/** What an open transaction has added, so that it can be taken back. */
interface Addition extends Fingerprint {
	readonly event: number;
}

/**
 * The log of raw events and its only writer. A group of requests shares one transaction: each is accepted or refused as a
 * whole and by itself, and all answers are true once `ingest` returns, since the commit is on disk by then.
 */
export class EventLog {
	readonly #db: Database["$client"];
	readonly #reopenSeen: () => SeenSet;
	#seen: SeenSet;
	readonly #customers: EventCustomers;
	readonly #hash: Hash;
	readonly #onTrouble: (error: unknown) => void;
	readonly #insert;
	readonly #insertCommit;
	readonly #storedKey;
	#lastEvent: number;
	#added: Addition[] = [];
	#isUnconfirmed = false;

	constructor({ folder, onTrouble, hash = wyhash, recentMax, onOpen }: EventLogOptions) {
		this.#db = openFile(folder, "events").$client;
		onOpen?.(this.#db);
		this.#hash = hash;
		this.#onTrouble = onTrouble;
		this.#insert = this.#db.prepare<unknown, [number, number, string | null, string, string, number, string | null]>(
			"INSERT INTO events (id, customer, resource_ref, event_name, idempotency_key, at, dimensions) VALUES (?, ?, ?, ?, ?, ?, ?)",
		);
		this.#insertCommit = this.#db.prepare<unknown, [number, Uint8Array]>(
			"INSERT INTO event_commits (first_event, fingerprints) VALUES (?, ?)",
		);
		this.#storedKey = this.#db.prepare<StoredKey, [number]>(
			"SELECT customer, resource_ref, event_name, idempotency_key FROM events WHERE id = ?",
		);
		this.#lastEvent =
			this.#db.query<{ last: number | null }, []>("SELECT max(id) AS last FROM events").get()?.last ?? 0;
		this.#customers = new EventCustomers(folder, this.#db);
		this.#seen = this.#openSeen(folder, recentMax);
		this.#reopenSeen = () => this.#openSeen(folder, recentMax);
		this.#replay();
	}

	/** Row id of the newest event. */
	get lastEvent(): number {
		return this.#lastEvent;
	}

	/** Checks, deduplicates and appends; one transaction, one flush to disk. Answers in the order of the requests. */
	ingest(requests: readonly IngestRequest[]): IngestResult[] {
		if (this.#isUnconfirmed) return allUnavailable(requests, notKept);
		const before = this.#lastEvent;
		let isCommitting = false;
		try {
			this.#db.run("BEGIN IMMEDIATE");
			const results = requests.map((request) => this.#take(request));
			this.#writeCommit(before);
			isCommitting = true;
			this.#db.run("COMMIT");
			this.#added = [];
			return results;
		} catch (error) {
			this.#takeBack(before);
			this.#tellTrouble(error, isCommitting);
			return allUnavailable(requests, this.#isUnconfirmed ? unconfirmed : notKept);
		} finally {
			this.#customers.endGroup();
		}
	}

	/** Housekeeping between two groups; answers whether some is left. `events` bounds it, by the last group's size. */
	tidy(events: number): boolean {
		return this.#seen.tidy(this.#lastEvent, mergedPerEvent * events + 1024);
	}

	close(): void {
		this.#seen.close();
		this.#customers.close();
		this.#db.close();
	}

	#openSeen(folder: string, recentMax: number | undefined): SeenSet {
		return new SeenSet({
			folder: join(folder, "fingerprints"),
			isOurs: (run) => this.#isOurs(run),
			onTrouble: (error) => this.#tellTrouble(error, false),
			...(recentMax !== undefined && { recentMax }),
		});
	}

	/** Throws a damaged file of fingerprints away, and makes again from the log what it held. */
	#mend({ run }: DamagedRun): void {
		run.delete();
		this.#seen.close();
		this.#seen = this.#reopenSeen();
		this.#replay();
	}

	/** What the disk did not confirm is told as a `StorageError`, and nothing is taken after it. */
	#tellTrouble(error: unknown, isCommitting: boolean): void {
		this.#isUnconfirmed ||= isUnconfirmed(error, isCommitting);
		this.#onTrouble(this.#isUnconfirmed ? unconfirmedWrite(error) : error);
		if (error instanceof DamagedRun) this.#mend(error);
	}

	#take({ text, now, environmentId, unknownCustomers }: IngestRequest): IngestResult {
		const checked = checkEvents(text, now);
		if (checked.kind !== "events") return checked;
		const { events } = checked;
		const customers = events.map(({ customerRef }) => this.#customers.find(environmentId, customerRef));
		if (customers.includes(undefined)) {
			if (unknownCustomers === "refuse") return refuseUnknown(events, customers);
			for (const [index, { customerRef }] of events.entries())
				customers[index] ??= this.#customers.addUnattributed(environmentId, customerRef);
		}
		for (const [index, event] of events.entries()) this.#append(environmentId, customers[index] ?? 0, event);
		return { kind: "accepted" };
	}

	#append(environmentId: string, customer: number, event: CheckedEvent): void {
		const { resourceRef, eventName, idempotencyKey, at, dimensions } = event;
		const { high, low } = fingerprintOf(this.#hash, identityOf(environmentId, event));
		// The same fingerprint is a suspicion only: another event may share it, and both must count.
		const isKnown = this.#seen.some(high, low, (other) => this.#isSame(other, customer, event));
		if (isKnown) return;
		const id = this.#lastEvent + 1;
		this.#insert.run(id, customer, resourceRef, eventName, idempotencyKey, at, dimensions);
		this.#lastEvent = id;
		this.#seen.add(high, low, id);
		this.#added.push({ high, low, event: id });
	}

	#isSame(id: number, customer: number, event: CheckedEvent): boolean {
		const stored = this.#storedKey.get(id);
		return (
			stored !== null &&
			stored.idempotency_key === event.idempotencyKey &&
			stored.event_name === event.eventName &&
			stored.resource_ref === event.resourceRef &&
			this.#customers.areSame(stored.customer, customer)
		);
	}

	#writeCommit(before: number): void {
		if (this.#added.length === 0) return;
		const words = new Uint32Array(this.#added.length * 2);
		for (const [at, { high, low }] of this.#added.entries()) {
			words[at * 2] = high;
			words[at * 2 + 1] = low;
		}
		this.#insertCommit.run(before + 1, new Uint8Array(words.buffer));
	}

	#takeBack(before: number): void {
		// Some failures (a full disk) have rolled back by themselves.
		if (this.#db.inTransaction) this.#db.run("ROLLBACK");
		for (const { high, low, event } of this.#added) this.#seen.remove(high, low, event);
		this.#added = [];
		this.#lastEvent = before;
		this.#customers.forget();
	}

	/** Adds what the fingerprint files do not cover, in pieces, so that a log of any size fits. */
	#replay(): void {
		const commits = this.#db.prepare<{ first_event: number; fingerprints: Uint8Array }, [number]>(
			"SELECT first_event, fingerprints FROM event_commits WHERE first_event > ? ORDER BY first_event LIMIT 100",
		);
		for (let after = this.#seen.coveredTo; ; ) {
			const rows = commits.all(after);
			if (rows.length === 0) return;
			for (const { first_event, fingerprints } of rows) {
				const words = wordsOf(fingerprints);
				for (let at = 0; at < words.length; at += 2)
					this.#seen.add(words[at] ?? 0, words[at + 1] ?? 0, first_event + at / 2);
				after = first_event;
				this.#seen.tidy(first_event + words.length / 2 - 1, eventsAtOnce);
			}
		}
	}

	/** A run is of this log when it knows the last event that it claims to cover. */
	#isOurs(run: Run): boolean {
		const { lastEvent } = run.header;
		const commit = this.#db
			.query<{ first_event: number; fingerprints: Uint8Array }, [number]>(
				"SELECT first_event, fingerprints FROM event_commits WHERE first_event <= ? ORDER BY first_event DESC LIMIT 1",
			)
			.get(lastEvent);
		if (!commit) return false;
		const words = wordsOf(commit.fingerprints);
		const at = (lastEvent - commit.first_event) * 2;
		// Runs end where a commit ends: else the rest of it would never be added.
		return at + 2 === words.length && run.some(words[at] ?? 0, words[at + 1] ?? 0, (event) => event === lastEvent);
	}
}

const notKept = "The events could not be written; nothing of this request was kept. Send it again.";
const unconfirmed =
	"Whether the events were kept is not known: the disk did not confirm them. Send this request again, they count once.";

const allUnavailable = (requests: readonly IngestRequest[], message: string): IngestResult[] =>
	requests.map(() => ({ kind: "unavailable", message, retryAfterSeconds }));

/** Identity of an event: environment, customer, resource, event name and idempotency key; never its time. */
export const identityOf = (
	environmentId: string,
	{
		customerRef,
		resourceRef,
		eventName,
		idempotencyKey,
	}: Pick<CheckedEvent, "customerRef" | "resourceRef" | "eventName" | "idempotencyKey">,
): string =>
	`${environmentId}\n${customerRef}\n${resourceRef ?? ""}\n${eventName.length}\n${eventName}${idempotencyKey}`;

/** A copy: the database's own bytes need not lie where words may begin. */
export const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** Source: docs/interface/usage.md: 404 naming the first ten indexes. */
function refuseUnknown(events: readonly CheckedEvent[], customers: ReadonlyArray<number | undefined>): IngestResult {
	const unknown = [...events.entries()].filter(([index]) => customers[index] === undefined);
	const named = unknown.slice(0, 10).map(([index, { customerRef }]) => `events[${index}] '${customerRef}'`);
	const rest = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : "";
	return {
		kind: "refused",
		code: "CustomerNotFound",
		message: `These customers do not exist in this environment: ${named.join(", ")}${rest}. Create them first.`,
	};
}
