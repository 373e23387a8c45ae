import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock";
import type { Database } from "../../../kernel/work";
import { ArchivedBlocks } from "../archive/archived-blocks";
import type { Exclusively } from "../archive/exclusive";
import type { ArchiveOrder, OldRow } from "../archive/messages";
import { type LogRow, wordsOf } from "../blocks/event-block";
import type { Aggregator } from "../counting/aggregator";
import type { MemberPlace } from "../counting/members";
import { LogReader } from "../log/log-reader";
import { OldRows } from "../log/old-rows";
import type { MeterDefinition } from "../rules";
import { ArchiveRewriting } from "./archived";
import { type Erased, eraseBlock, eraseOldRow } from "./erased-block";
import { Replacement } from "./rules";
import { Slice } from "./slice";

/** Our choice: rows of the index that one step reads at most. */
const indexRowsMax = 64;

/** Our choice: how soon it is looked again whether all that has come is counted. */
const lookAgainMs = 100;

export interface EraserOptions {
	/** The data folder. */
	readonly folder: string;
	/** A connection to the main file that has usage.db and events.db attached, and only reads. */
	readonly db: Database;
	readonly aggregator: Pick<Aggregator, "replaceMembers" | "forgetBlocks" | "isBehind">;
	/** Asks the log's writer; resolves when it is on disk. */
	readonly order: (order: ArchiveOrder) => Promise<void>;
	/** Nobody else changes files of the archive meanwhile. */
	readonly exclusively: Exclusively;
	readonly isStopping: () => boolean;
	/** How long an object of the storage stays after another has taken its place. */
	readonly replacedKeptMs: number;
	/** The machine's. */
	readonly clock?: Clock;
}

/** Whose events are erased. */
export interface ErasedCustomer {
	/** Row id, and the caller's. */
	readonly id: string;
	readonly refId: string;
	readonly environmentId: string;
	/** By which tokens are made; of this erasure alone. */
	readonly key: string;
}

/** Where a step goes on. First the log, by the index of events by hour; then the sets of values that were counted from it. */
type Place =
	| {
			readonly in: "log";
			/** How many events of the customer there were when this began. */
			readonly events: number;
			readonly resource: string;
			readonly hour: number;
			readonly firstEvent: number;
			/** Up to this event it is done. */
			readonly after: number;
	  }
	| { readonly in: "values"; readonly events: number; readonly subject: number; readonly counter: number };

type LogPlace = Extract<Place, { in: "log" }>;
type ValuesPlace = Extract<Place, { in: "values" }>;

interface Step {
	readonly changed: number;
	readonly next: Place | undefined;
}

interface IndexRow {
	readonly hour: number;
	readonly firstEvent: number;
	readonly offsets: Uint8Array;
}

/**
 * Erases what is personal in the usage events of a customer: in blocks of the log, in files of the archive, in rows of the
 * first release, and then in the sets of different values that were counted from them. Works in steps of bounded size, each of
 * which can be done twice; runs on the aggregator's thread, beside the counting.
 */
export class EventEraser {
	readonly #options: EraserOptions;
	readonly #file: Database["$client"];
	readonly #log: LogReader;
	readonly #old: OldRows;
	readonly #archived: ArchivedBlocks;
	readonly #archives: ArchiveRewriting;

	constructor(options: EraserOptions) {
		const { db, ...rest } = options;
		this.#options = options;
		this.#file = db.$client;
		this.#log = new LogReader(db);
		this.#old = new OldRows(db);
		this.#archived = new ArchivedBlocks(db);
		this.#archives = new ArchiveRewriting({ ...rest, events: db.$client });
	}

	/** One step, from a place on; the beginning is "". Answers how many events have changed, and where to go on. */
	async step(
		customer: ErasedCustomer,
		from: string,
	): Promise<{ readonly changed: number; readonly next: string | undefined }> {
		if (!(await this.#untilCounted(customer))) return { changed: 0, next: from };
		const erased = this.#erasedOf(customer);
		const place: Place = from === "" ? await this.#begin(customer, erased) : JSON.parse(from);
		const { changed, next } =
			place.in === "log"
				? await this.#options.exclusively(() => this.#eraseLog(customer, erased, place))
				: { changed: 0, next: await this.#eraseValues(customer, erased, place) };
		return { changed, next: next && JSON.stringify(next) };
	}

	/**
	 * What is in the log is in the index and the totals too, and no meter counts a past that it has read before; what comes now
	 * comes after what is erased. False when the thread is to stop.
	 */
	async #untilCounted({ environmentId, refId }: ErasedCustomer): Promise<boolean> {
		const { aggregator, isStopping } = this.#options;
		const upTo = this.#log.lastEvent();
		const counted = this.#file.query<{ to: number }, []>('SELECT counted_to AS "to" FROM usage_cursor WHERE id = 1');
		const waiting = this.#file.query<unknown, [string, string]>(
			`SELECT 1 FROM usage_unattributed WHERE customer IN
			(SELECT id FROM event_customers WHERE environment_id = ? AND customer_ref = ?) LIMIT 1`,
		);
		while ((counted.get()?.to ?? 0) < upTo || waiting.get(environmentId, refId) !== null || aggregator.isBehind) {
			if (isStopping()) return false;
			await wait(lookAgainMs);
		}
		return !isStopping();
	}

	async #begin(customer: ErasedCustomer, erased: Erased): Promise<LogPlace> {
		await this.#options.exclusively(() => this.#archives.tidy(erased));
		return beginning(this.#eventsOf(customer));
	}

	/** How many events of the customer are in the index. */
	#eventsOf({ id }: ErasedCustomer): number {
		const found = this.#file
			.query<{ events: number | null }, [string]>(
				`SELECT sum(length(offsets)) / 4 AS events FROM usage_events_by_hour
				WHERE subject_id IN (SELECT id FROM usage_subjects WHERE customer_id = ?)`,
			)
			.get(id);
		return found?.events ?? 0;
	}

	#erasedOf({ environmentId, refId, key }: ErasedCustomer): Erased {
		const numbers = this.#file
			.query<{ id: number }, [string, string]>(
				"SELECT id FROM event_customers WHERE environment_id = ? AND customer_ref = ?",
			)
			.all(environmentId, refId)
			.map(({ id }) => id);
		const definitions = this.#file
			.query<{ definition: string }, [string]>(
				"SELECT definition FROM usage_counters WHERE environment_id = ? AND state <> 'RETIRED'",
			)
			.all(environmentId)
			.map(({ definition }): MeterDefinition => JSON.parse(definition));
		return {
			...{ environmentId, customerRef: refId, numbers: new Set(numbers) },
			replacement: new Replacement(definitions, key),
		};
	}

	async #eraseLog(customer: ErasedCustomer, erased: Erased, place: LogPlace): Promise<Step> {
		const [subject, following] = this.#file
			.query<{ id: number; resource: string }, [string, string]>(
				`SELECT id, resource_ref AS resource FROM usage_subjects WHERE customer_id = ? AND resource_ref >= ?
				ORDER BY resource_ref LIMIT 2`,
			)
			.all(customer.id, place.resource);
		if (!subject) return { changed: 0, next: { in: "values", events: place.events, subject: 0, counter: 0 } };
		const { changed, next } = await this.#eraseRows(erased, subject.id, place);
		if (next) return { changed, next: { ...next, resource: subject.resource } };
		const beyond: Place = following
			? { ...beginning(place.events), resource: following.resource }
			: { in: "values", events: place.events, subject: 0, counter: 0 };
		return { changed, next: beyond };
	}

	/** A piece of one subject's events; undefined as the next place when these were the last. */
	async #eraseRows(
		erased: Erased,
		subject: number,
		place: LogPlace,
	): Promise<{ readonly changed: number; readonly next: LogPlace | undefined }> {
		const rows = this.#file
			.query<IndexRow, [number, number, number, number]>(
				`SELECT hour, first_event AS firstEvent, offsets FROM usage_events_by_hour
				WHERE subject_id = ? AND (hour, first_event) >= (?, ?) ORDER BY hour, first_event LIMIT ?`,
			)
			.all(subject, place.hour, place.firstEvent, indexRowsMax);
		const slice = new Slice();
		for (const { hour, firstEvent, offsets } of rows) {
			const isBegun = hour === place.hour && firstEvent === place.firstEvent;
			for (const offset of wordsOf(offsets)) {
				const event = firstEvent + offset;
				if ((isBegun && event <= place.after) || slice.hasLookedAt(event)) continue;
				const before = { ...place, hour, firstEvent, after: event - 1 };
				if (slice.isFull) return { changed: await this.#write(slice), next: before };
				const archive = this.#look(event, erased, slice);
				if (archive === undefined) continue;
				// A file at a time: what was found before it is written first.
				const inLog = await this.#write(slice);
				const inFile = await this.#archives.eraseFile(archive, erased);
				return { changed: inLog + inFile, next: { ...before, after: event } };
			}
		}
		const changed = await this.#write(slice);
		const last = rows.at(-1);
		if (!last || rows.length < indexRowsMax) return { changed, next: undefined };
		const { hour, firstEvent } = last;
		return { changed, next: { ...place, hour, firstEvent, after: Number.MAX_SAFE_INTEGER } };
	}

	/** Notes what has to change where an event is; answers the file of the archive in which it has. */
	#look(event: number, erased: Erased, slice: Slice): number | undefined {
		if (event <= this.#old.last) {
			const row = this.#file.query<OldRow, [number]>(`SELECT ${oldColumns} FROM events WHERE id = ?`).get(event);
			slice.addRow(event, row && eraseOldRow(row, erased));
			return undefined;
		}
		const block = this.#file
			.query<LogRow, [number]>(
				`SELECT ${blockColumns} FROM event_blocks WHERE first_event <= ? ORDER BY first_event DESC LIMIT 1`,
			)
			.get(event);
		if (block && event < block.firstEvent + block.events) {
			const done = eraseBlock(block, erased);
			slice.addBlock(block, done?.row, done?.changed ?? 0);
			return undefined;
		}
		const away = this.#archived.at(event);
		if (!away || event >= away.firstEvent + away.events) return undefined;
		const row = this.#archived.content(away);
		slice.addBlock(row, undefined, 0);
		return eraseBlock(row, erased) ? away.archive : undefined;
	}

	async #write({ blocks, rows, changed }: Slice): Promise<number> {
		if (blocks.length + rows.length > 0) await this.#options.order({ kind: "erased", blocks, rows });
		this.#options.aggregator.forgetBlocks();
		return changed;
	}

	/** The sets of one meter of one subject; undefined when these were the last, and nothing has come since the beginning. */
	async #eraseValues(customer: ErasedCustomer, erased: Erased, place: ValuesPlace): Promise<Place | undefined> {
		const [found, following] = this.#file
			.query<{ subject: number; counter: number; definition: string }, [string, string, number, number]>(
				`SELECT s.id AS subject, c.id AS counter, c.definition FROM usage_subjects s, usage_counters c
				WHERE s.customer_id = ? AND c.environment_id = ? AND c.state <> 'RETIRED'
				AND c.definition ->> '$.aggregation.function' = 'UNIQUE' AND (s.id, c.id) >= (?, ?) ORDER BY s.id, c.id LIMIT 2`,
			)
			.all(customer.id, customer.environmentId, place.subject, place.counter);
		if (found) {
			const { subject, counter } = found;
			const { aggregation }: MeterDefinition = JSON.parse(found.definition);
			const replace = (text: string): string => erased.replacement.ofMember(aggregation.field ?? "", text);
			for (let after: MemberPlace | undefined | null = null; after !== undefined; ) {
				if (this.#options.isStopping()) return place;
				after = this.#options.aggregator.replaceMembers({ subject, counter, after, replace });
				await wait(1);
			}
		}
		if (following) return { ...place, subject: following.subject, counter: following.counter };
		const events = this.#eventsOf(customer);
		return events === place.events ? undefined : beginning(events);
	}
}

const beginning = (events: number): LogPlace => ({
	...{ in: "log", events, resource: "", hour: -(2 ** 31), firstEvent: 0, after: 0 },
});

const blockColumns =
	"first_event AS firstEvent, events, first_at AS firstAt, later, customers, facts, keys, fingerprints";
const oldColumns =
	"id, customer, resource_ref AS resourceRef, event_name AS eventName, idempotency_key AS idempotencyKey, at, dimensions";
