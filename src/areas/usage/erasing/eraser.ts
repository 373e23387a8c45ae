import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock";
import type { Database } from "../../../kernel/work";
import { ArchivedBlocks } from "../archive/archived-blocks";
import type { Exclusively } from "../archive/exclusive";
import type { ArchiveOrder, OldRow } from "../archive/messages";
import { type LogRow, wordsOf } from "../blocks/event-block";
import type { Aggregator } from "../counting/aggregator";
import { LogReader } from "../log/log-reader";
import { OldRows } from "../log/old-rows";
import type { MeterDefinition } from "../rules";
import { ArchiveRewriting } from "./archived";
import { type Erased, eraseBlock, eraseOldRow } from "./erased-block";
import { type MemberPlace, type MembersOrder, replaceMembers } from "./members";
import { Replacement } from "./rules";
import { renameSegments, type SegmentsOrder } from "./segments";
import { Slice } from "./slice";

/** The most rows of the index that one step reads. */
const indexRowsMax = 64;

/** The interval between checks whether all events are counted. */
const checkEveryMs = 100;

export interface EraserOptions {
	/** The data folder. */
	readonly folder: string;
	/** A connection to main.db with usage.db and events.db attached, read only. */
	readonly db: Database;
	readonly aggregator: Pick<Aggregator, "changeMembers" | "discardBlocks" | "isBehind">;
	/** Sends an order to the log's writer; resolves when it is on disk. */
	readonly order: (order: ArchiveOrder) => Promise<void>;
	/** Excludes other changes to files of the archive meanwhile. */
	readonly exclusively: Exclusively;
	readonly isStopping: () => boolean;
	/** The time that an object is retained in the storage after another has replaced it. */
	readonly replacedKeptMs: number;
	/** The machine's clock. */
	readonly clock?: Clock;
}

/** The customer whose events are erased. */
export interface ErasedCustomer {
	/** Row id, and the id that callers use. */
	readonly id: string;
	readonly refId: string;
	readonly environmentId: string;
	/** The key of this erasure, from which tokens are derived. */
	readonly key: string;
}

/**
 * The place where a step continues: first in the log, by the index of events by hour, then in the sets of values that
 * were counted from it.
 */
type Place =
	| {
			readonly in: "log";
			/** The number of the customer's events when the erasure began. */
			readonly events: number;
			readonly resource: string;
			readonly hour: number;
			readonly firstEvent: number;
			/** The last event that is done. */
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
 * Erases personal values from the usage events of a customer: in blocks of the log, in files of the archive, in rows of
 * the first release, and finally in the sets of distinct values that were counted from them. Each step is bounded and
 * can be repeated. Runs on the aggregator's thread, alongside the counting.
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

	/** Runs one step from a place; "" is the beginning. Returns how many events have changed, and the next place. */
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
	 * Waits until the index and the totals hold the whole log and no meter counts the past, so that no later counting
	 * reads erased values. Returns false if the thread is to stop.
	 */
	async #untilCounted({ environmentId, refId }: ErasedCustomer): Promise<boolean> {
		const { aggregator, isStopping } = this.#options;
		const upTo = this.#log.lastEvent();
		const counted = this.#file.query<{ to: number }, []>('SELECT counted_to AS "to" FROM usage_cursor WHERE id = 1');
		const waiting = this.#file.query<unknown, [string, string]>(
			`SELECT 1 FROM usage_subjects WHERE customer_id IN
			(SELECT '#' || id FROM event_customers WHERE environment_id = ? AND customer_ref = ?) LIMIT 1`,
		);
		while ((counted.get()?.to ?? 0) < upTo || waiting.get(environmentId, refId) !== null || aggregator.isBehind) {
			if (isStopping()) return false;
			await wait(checkEveryMs);
		}
		return !isStopping();
	}

	async #begin(customer: ErasedCustomer, erased: Erased): Promise<LogPlace> {
		await this.#options.exclusively(() => this.#archives.tidy(erased));
		return beginning(this.#eventsOf(customer));
	}

	/** Returns the number of the customer's events in the index. */
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
			segmentations: definitions.flatMap(({ segments }) => (segments ? [segments] : [])),
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

	/** Erases a piece of one subject's events; the next place is undefined after the last piece. */
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
				const archive = this.#noteChanges(event, erased, slice);
				if (archive === undefined) continue;
				// One file at a time: changes that were found before it are written first.
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

	/** Notes the changes around an event; returns the file of the archive that needs them. */
	#noteChanges(event: number, erased: Erased, slice: Slice): number | undefined {
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
		const archived = this.#archived.at(event);
		if (!archived || event >= archived.firstEvent + archived.events) return undefined;
		const row = this.#archived.content(archived);
		slice.addBlock(row, undefined, 0);
		return eraseBlock(row, erased) ? archived.archive : undefined;
	}

	async #write({ blocks, rows, changed }: Slice): Promise<number> {
		if (blocks.length + rows.length > 0) await this.#options.order({ kind: "erased", blocks, rows });
		this.#options.aggregator.discardBlocks();
		return changed;
	}

	/** Replaces values in the names of segments. It is short, and starts again after a stop. */
	async #eraseSegments({ id }: ErasedCustomer, { replacement, segmentations }: Erased): Promise<void> {
		const subjects = this.#file.query<{ id: number }, [string]>("SELECT id FROM usage_subjects WHERE customer_id = ?");
		const replace = (dimension: string, text: string) => replacement.ofMember(dimension, text);
		for (const { id: subject } of segmentations.length === 0 ? [] : subjects.all(id))
			for (let after: number | undefined = 0; after !== undefined; ) {
				const order: SegmentsOrder = { subject, segmentations, after, replace };
				after = this.#options.aggregator.changeMembers(subject, (usage) => renameSegments(usage, order));
				await wait(1);
			}
	}

	/**
	 * Replaces the sets of one meter and one subject; returns undefined after the last ones, if no event has come since
	 * the beginning.
	 */
	async #eraseValues(customer: ErasedCustomer, erased: Erased, place: ValuesPlace): Promise<Place | undefined> {
		if (place.subject === 0 && place.counter === 0) await this.#eraseSegments(customer, erased);
		const [found, following] = this.#file
			.query<{ subject: number; counter: number; definition: string }, [string, string, number, number]>(
				`SELECT s.id AS subject, c.id AS counter, c.definition FROM (
					SELECT id, customer_id FROM usage_subjects UNION ALL
					SELECT g.id, whole.customer_id FROM usage_subjects whole JOIN usage_segments g ON g.subject_id = whole.id
				) s, usage_counters c
				WHERE s.customer_id = ? AND c.environment_id = ? AND c.state <> 'RETIRED'
				AND c.definition ->> '$.aggregation.function' = 'UNIQUE'
				AND (s.id, c.id) >= (?, ?) ORDER BY s.id, c.id LIMIT 2`,
			)
			.all(customer.id, customer.environmentId, place.subject, place.counter);
		if (found) {
			const { subject, counter } = found;
			const { aggregation }: MeterDefinition = JSON.parse(found.definition);
			const replace = (text: string): string => erased.replacement.ofMember(aggregation.field ?? "", text);
			for (let after: MemberPlace | undefined | null = null; after !== undefined; ) {
				if (this.#options.isStopping()) return place;
				const order: MembersOrder = { subject, counter, after, replace };
				after = this.#options.aggregator.changeMembers(subject, (usage) => replaceMembers(usage, order));
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
