import type { Instant } from "../../../kernel/clock";
import { openFile, overwriteDeleted } from "../../../kernel/storage/db";
import { FileUnreadable, isUnconfirmed, unconfirmedWrite } from "../../../kernel/storage/failures";
import type { Database } from "../../../kernel/work";
import { checkOf, isSameKey } from "../archive/identity-check";
import type { ArchiveOrder } from "../archive/messages";
import { MovedBlocks } from "../archive/moved-blocks";
import { DamagedRun } from "../fingerprints/run-file";
import type { UsageEvent } from "../schema";
import type { IngestRequest, IngestResult } from "../schema.ingest";
import { type CancelOrder, type LookUpOrder, missingMessage } from "./cancellation";
import { type Checked, checkEvents } from "./event-check";
import { EventCustomers, type LogCustomer } from "./event-customers";
import { KnownEvents, type KnownEventsOptions } from "./known-events";
import { LogReader } from "./log-reader";
import { OpenBlock } from "./open-block";
import { allUnavailable, notKept, refuseUnknown, unavailable, unconfirmed, undecided } from "./refusals";

export interface EventLogOptions extends KnownEventsOptions {
	/** Tests use it to fill the disk. */
	readonly onOpen?: (file: Database["$client"]) => void;
}

/** A request whose body may have been read before. */
export interface LogRequest extends IngestRequest {
	readonly checked?: Checked;
}

/**
 * The log of raw events and its only writer. A group of requests shares one transaction; each request is accepted or
 * refused as a whole and on its own. When `ingest` returns, the commit is on disk, so all results are true.
 */
export class EventLog {
	readonly #db: Database["$client"];
	readonly #known: KnownEvents;
	readonly #customers: EventCustomers;
	readonly #onTrouble: (error: unknown) => void;
	readonly #reader: LogReader;
	readonly #begin;
	readonly #commit;
	readonly #insert;
	readonly #moved: MovedBlocks;
	readonly #insertCancellation;
	readonly #block = new OpenBlock();
	#lastEvent: number;
	/** The event to find among those with its fingerprint. */
	#candidate: { readonly customer: LogCustomer; readonly event: UsageEvent } | undefined;
	readonly #isCandidate = (other: number): boolean => this.#isSame(other);
	#isUnconfirmed = false;
	readonly #unreadable = new Set<string>();

	constructor(options: EventLogOptions) {
		const { folder, onTrouble, onOpen } = options;
		const db = openFile(folder, "events");
		this.#db = db.$client;
		overwriteDeleted(this.#db);
		onOpen?.(this.#db);
		this.#onTrouble = onTrouble;
		this.#reader = new LogReader(db);
		this.#begin = this.#db.prepare("BEGIN IMMEDIATE");
		this.#commit = this.#db.prepare("COMMIT");
		this.#insert = this.#db.prepare<unknown, [number, number, number, Buffer, Buffer, string, string, Buffer]>(
			"INSERT INTO event_blocks (first_event, events, first_at, later, customers, facts, keys, fingerprints) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		);
		this.#moved = new MovedBlocks(this.#db);
		this.#insertCancellation = this.#db.prepare<unknown, [number, number, string]>(
			"INSERT INTO event_cancellations (event, canceled_at, actor_id) VALUES (?, ?, ?) ON CONFLICT (event) DO NOTHING",
		);
		this.#lastEvent = this.#reader.lastEvent();
		this.#customers = new EventCustomers(folder, this.#db);
		this.#known = new KnownEvents(db, this.#reader, {
			...options,
			onTrouble: (error) => this.#reportTrouble(error, false),
		});
	}

	/** Row id of the newest event. */
	get lastEvent(): number {
		return this.#lastEvent;
	}

	/**
	 * Validates, deduplicates and appends events: one transaction, one flush to disk. Returns the results in the order
	 * of the requests.
	 */
	ingest(requests: readonly LogRequest[]): IngestResult[] {
		// A caller may repeat a request of a group that was not confirmed (http/fast-path/event-requests.ts).
		if (this.#isUnconfirmed) return allUnavailable(requests, unconfirmed);
		const before = this.#lastEvent;
		let isCommitting = false;
		try {
			this.#begin.run();
			const results = requests.map((request, index) => this.#takeReadable(request, index));
			this.#writeBlock();
			isCommitting = true;
			this.#commit.run();
			this.#known.commit();
			return results;
		} catch (error) {
			this.#rollBack(before);
			if (error instanceof UnreadableRequest) return this.#ingestWithout(requests, error);
			this.#reportTrouble(error, isCommitting);
			if (error instanceof DamagedRun) this.#known.repair(error);
			return allUnavailable(requests, this.#isUnconfirmed ? unconfirmed : notKept);
		} finally {
			this.#customers.endGroup();
		}
	}

	/**
	 * Replaces blocks by a file of the archive, or a file by an object, in one short transaction between two groups.
	 * Returns whether it is on disk.
	 */
	archive(order: ArchiveOrder): boolean {
		if (this.#isUnconfirmed) return false;
		let isCommitting = false;
		try {
			if (order.kind === "archived")
				this.#known.prepareArchiving(order.blocks.at(-1)?.firstEvent ?? 0, this.#lastEvent);
			this.#begin.run();
			this.#moved.write(order);
			isCommitting = true;
			this.#commit.run();
			return true;
		} catch (error) {
			if (this.#db.inTransaction) this.#db.run("ROLLBACK");
			this.#reportTrouble(error, isCommitting);
			return false;
		} finally {
			this.#reader.discard();
		}
	}

	/**
	 * Runs housekeeping between two groups; returns whether some is left. `events`, the last group's size, limits it.
	 */
	tidy(events: number): boolean {
		return this.#known.tidy(this.#lastEvent, events);
	}

	close(): void {
		this.#known.close();
		this.#customers.close();
		this.#db.close();
	}

	/** Reports an unconfirmed commit as a `StorageError`; the log accepts nothing after it. */
	#reportTrouble(error: unknown, isCommitting: boolean): void {
		if (error instanceof FileUnreadable && !this.#isNew(error)) return;
		this.#isUnconfirmed ||= isUnconfirmed(error, isCommitting);
		this.#onTrouble(this.#isUnconfirmed ? unconfirmedWrite(error) : error);
	}

	/** Reports an unreadable file once: otherwise every event that waits for it would. */
	#isNew({ message, cause }: FileUnreadable): boolean {
		const said = cause instanceof Error ? cause.message : message;
		const isNew = !this.#unreadable.has(said);
		this.#unreadable.add(said);
		return isNew;
	}

	#takeReadable(request: LogRequest, index: number): IngestResult {
		try {
			return this.#take(request);
		} catch (error) {
			if (error instanceof FileUnreadable) throw new UnreadableRequest(index, error);
			throw error;
		}
	}

	/** Refuses one request that depends on an unreadable file; the other requests do not wait for it. */
	#ingestWithout(requests: readonly LogRequest[], { index, cause }: UnreadableRequest): IngestResult[] {
		this.#reportTrouble(cause, false);
		const results = this.ingest(requests.toSpliced(index, 1));
		return results.toSpliced(index, 0, unavailable(undecided));
	}

	#take(request: LogRequest): IngestResult {
		const { text, now, environmentId, unknownCustomers, format } = request;
		if (format === "cancellation") return this.#cancel(request);
		if (format === "look-up") return this.#lookUp(request);
		const checked = request.checked ?? checkEvents(text, now, format);
		if (checked.kind !== "events") return checked;
		const { events, times, rejected } = checked;
		const customers: Array<LogCustomer | undefined> = [];
		for (const { customerId } of events) customers.push(this.#customers.find(environmentId, customerId));
		const isRefusing = unknownCustomers === "refuse" && customers.includes(undefined);
		if (isRefusing && !rejected) return refuseUnknown(events, customers);
		let index = -1;
		for (const event of events) {
			index += 1;
			const customer = customers[index];
			if (!customer && isRefusing) rejected?.add(`there is no customer '${event.customerId}' in this environment`);
			else
				this.#append(
					customer ?? this.#customers.addUnattributed(environmentId, event.customerId),
					event,
					times[index] ?? now,
				);
		}
		return rejected && rejected.points > 0 ? { kind: "accepted", rejected } : { kind: "accepted" };
	}

	/** Cancels all events or none. Events that were canceled before stay canceled. */
	#cancel({ text, now, environmentId }: IngestRequest): IngestResult {
		const order: CancelOrder = JSON.parse(text);
		const positions: number[] = [];
		const missing: number[] = [];
		for (const [index, event] of order.events.entries()) {
			const position = "position" in event ? event.position : this.#find(environmentId, event);
			if (position !== null && this.#isThere(position)) positions.push(position);
			else missing.push(index);
		}
		if (missing.length > 0) return { kind: "missing", message: missingMessage(missing) };
		let canceled = 0;
		for (const position of positions) canceled += this.#insertCancellation.run(position, now, order.actorId).changes;
		return { kind: "canceled", canceled, alreadyCanceled: positions.length - canceled };
	}

	#lookUp({ text, environmentId }: IngestRequest): IngestResult {
		if (!this.#known.areWhole) return { kind: "found", positions: null };
		const order: LookUpOrder = JSON.parse(text);
		return { kind: "found", positions: order.events.flatMap((event) => this.#find(environmentId, event) ?? []) };
	}

	/** Returns the position of an event; null if there is none. */
	#find(environmentId: string, event: UsageEvent): number | null {
		const customer =
			this.#customers.find(environmentId, event.customerId) ??
			this.#customers.findUnattributed(environmentId, event.customerId);
		if (!customer) return null;
		this.#candidate = { customer, event };
		let found: number | null = null;
		this.#known.some(this.#known.fingerprintOf(customer.identityText(event)), (position) => {
			if (!this.#isSame(position)) return false;
			found = position;
			return true;
		});
		if (found === null) this.#assertKnown(customer);
		return found;
	}

	/** Throws if an event without a match may be a duplicate of one in an unreadable file. */
	#assertKnown(customer: LogCustomer): void {
		const doubt = this.#known.doubtOf(() => this.#customers.firstNumberOf(customer));
		if (doubt) throw doubt;
	}

	/**
	 * Whether an event exists. Its environment need not be read, possibly from the storage: an id belongs to one
	 * environment, and a key was looked up in it.
	 */
	#isThere(position: number): boolean {
		return this.#block.identity(position) !== undefined || this.#reader.has(position);
	}

	#append(customer: LogCustomer, event: UsageEvent, at: Instant): void {
		const fingerprint = this.#known.fingerprintOf(customer.identityText(event));
		this.#candidate = { customer, event };
		if (this.#known.some(fingerprint, this.#isCandidate)) return;
		this.#assertKnown(customer);
		const id = this.#lastEvent + 1;
		this.#block.add(id, customer.number, at, fingerprint, event);
		this.#lastEvent = id;
		this.#known.add(fingerprint, id);
		if (this.#block.isFull) this.#writeBlock();
	}

	#isSame(id: number): boolean {
		const sent = this.#candidate;
		if (!sent) return false;
		const written = this.#block.identity(id);
		const check = written ? undefined : this.#reader.checkOf(id);
		const identity = sent.customer.identityText(sent.event);
		if (check !== undefined) return check === checkOf(identity, sent.event.idempotencyKey);
		const stored = written ?? this.#reader.identity(id);
		return (
			isSameKey(stored.idempotencyKey, sent.event.idempotencyKey, identity) &&
			stored.eventName === sent.event.eventName &&
			stored.resourceRef === (sent.event.resourceId ?? null) &&
			this.#customers.areSame(stored.customer, sent.customer.number)
		);
	}

	#writeBlock(): void {
		if (this.#block.isEmpty) return;
		const { firstEvent, events, firstAt, later, customers, facts, keys, fingerprints } = this.#block.row();
		this.#insert.run(firstEvent, events, firstAt, later, customers, facts, keys, fingerprints);
		this.#block.clear();
	}

	#rollBack(before: number): void {
		// Some failures (a full disk) have rolled back already.
		if (this.#db.inTransaction) this.#db.run("ROLLBACK");
		this.#known.rollBack(before);
		this.#block.clear();
		this.#reader.discard();
		this.#lastEvent = before;
		this.#customers.discard();
	}
}

/** A request of a group that cannot be accepted now. */
class UnreadableRequest extends Error {
	constructor(
		readonly index: number,
		override readonly cause: FileUnreadable,
	) {
		super(cause.message, { cause });
	}
}
