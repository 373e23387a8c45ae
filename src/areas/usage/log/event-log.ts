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
	/** Tests make the disk full by it. */
	readonly onOpen?: (file: Database["$client"]) => void;
}

/** A request whose body may have been read before. */
export interface LogRequest extends IngestRequest {
	readonly checked?: Checked;
}

/**
 * The log of raw events and its only writer. A group of requests shares one transaction: each is accepted or refused as a
 * whole and by itself, and all answers are true once `ingest` returns, since the commit is on disk by then.
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
	/** The event that is looked for among those of its fingerprint. */
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
			onTrouble: (error) => this.#tellTrouble(error, false),
		});
	}

	/** Row id of the newest event. */
	get lastEvent(): number {
		return this.#lastEvent;
	}

	/** Checks, deduplicates and appends; one transaction, one flush to disk. Answers in the order of the requests. */
	ingest(requests: readonly LogRequest[]): IngestResult[] {
		// A request of the group that was not confirmed may be asked a second time (http/fast-path/event-requests.ts).
		if (this.#isUnconfirmed) return allUnavailable(requests, unconfirmed);
		const before = this.#lastEvent;
		let isCommitting = false;
		try {
			this.#begin.run();
			const results = requests.map((request, index) => this.#takeReadable(request, index));
			this.#writeBlock();
			isCommitting = true;
			this.#commit.run();
			this.#known.keep();
			return results;
		} catch (error) {
			this.#takeBack(before);
			if (error instanceof UnreadableRequest) return this.#ingestWithout(requests, error);
			this.#tellTrouble(error, isCommitting);
			if (error instanceof DamagedRun) this.#known.mend(error);
			return allUnavailable(requests, this.#isUnconfirmed ? unconfirmed : notKept);
		} finally {
			this.#customers.endGroup();
		}
	}

	/** Lets a file of the archive stand for blocks that it holds, or an object for a file, between two groups: one short transaction. Whether it is on disk. */
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
			this.#tellTrouble(error, isCommitting);
			return false;
		} finally {
			this.#reader.forget();
		}
	}

	/** Housekeeping between two groups; answers whether some is left. `events` bounds it, by the last group's size. */
	tidy(events: number): boolean {
		return this.#known.tidy(this.#lastEvent, events);
	}

	close(): void {
		this.#known.close();
		this.#customers.close();
		this.#db.close();
	}

	/** What the disk did not confirm is told as a `StorageError`, and nothing is taken after it. */
	#tellTrouble(error: unknown, isCommitting: boolean): void {
		if (error instanceof FileUnreadable && !this.#isNew(error)) return;
		this.#isUnconfirmed ||= isUnconfirmed(error, isCommitting);
		this.#onTrouble(this.#isUnconfirmed ? unconfirmedWrite(error) : error);
	}

	/** A file that cannot be read is named once: every event that waits for it would name it again. */
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

	/** Whether its events are there already lies in a file that cannot be read: the others do not wait for that. */
	#ingestWithout(requests: readonly LogRequest[], { index, cause }: UnreadableRequest): IngestResult[] {
		this.#tellTrouble(cause, false);
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

	/** All of them or none. What was taken back before stays so. */
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

	/** The position of an event; null where there is none. */
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

	/** Throws where an event that was not found may be a duplicate of one in a file that cannot be read. */
	#assertKnown(customer: LogCustomer): void {
		const doubt = this.#known.doubtOf(() => this.#customers.firstNumberOf(customer));
		if (doubt) throw doubt;
	}

	/** Its environment needs no look, which may be one into the storage: an id is of one only, and a key was looked for in it. */
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

	#takeBack(before: number): void {
		// Some failures (a full disk) have rolled back by themselves.
		if (this.#db.inTransaction) this.#db.run("ROLLBACK");
		this.#known.takeBack(before);
		this.#block.clear();
		this.#reader.forget();
		this.#lastEvent = before;
		this.#customers.forget();
	}
}

/** A request of a group cannot be taken now. */
class UnreadableRequest extends Error {
	constructor(
		readonly index: number,
		override readonly cause: FileUnreadable,
	) {
		super(cause.message, { cause });
	}
}
