import type { Database as SqliteFile } from "bun:sqlite";
import { placeholderOf } from "../table.usage";
import { KnownSegments } from "./known-segments";

/** Names held in memory, about 50 MB; beyond this, all are evicted and read again. */
const rememberedMax = 200_000;

/** Subjects of customers that one step checks for the customer's creation. A few milliseconds. */
const checkedMax = 500;

/** The customer that events of the log belong to. */
export interface Owner {
	readonly environmentId: string;
	/** Row id of the customer; before the customer exists, the placeholder under which its events are counted. */
	readonly customerId: string;
	/** The placeholder of a customer that exists, if its first events came before it did. */
	readonly placeholder: string | undefined;
	/** The subject of events without a resource; undefined until it is looked up. */
	subjectId: number | undefined;
}

/** A subject that has an id and no row yet. */
interface FreshSubject {
	readonly id: number;
	readonly resourceRef: string;
}

interface FreshSegment {
	readonly id: number;
	readonly subjectId: number;
	readonly name: string;
}

interface NumberRow {
	readonly environment_id: string;
	readonly customer_ref: string;
	readonly customer_id: string | null;
}

/**
 * Resolves the customer numbers of the log to customers, and customers to subjects. Events that come before their customer
 * are counted like all others, for subjects under a placeholder; when the customer exists, it takes these subjects over.
 */
export class Subjects {
	readonly #selectNumber;
	readonly #selectEarlyNumber;
	readonly #selectCustomer;
	readonly #selectSubject;
	readonly #selectSubjects;
	readonly #selectPlaceholders;
	readonly #insertSubject;
	readonly #insertSegment;
	readonly #takeOver;
	readonly #owners = new Map<number, Owner>();
	readonly #ids = new Map<string, number>();
	readonly #segments: KnownSegments;
	readonly #selectLast;
	#lastId: number;
	/** By customer or placeholder. */
	readonly #fresh = new Map<string, FreshSubject[]>();
	/** Segments that have an id and no row yet. */
	#freshSegments: FreshSegment[] = [];
	/** Customers that take over the subjects of their placeholders with the next write. */
	readonly #takingOver = new Map<string, string>();
	/** The last placeholder that was checked, and the state of the main file when all had been. */
	#checkedTo = "#";
	#checkedAt: number | undefined;

	/** `usage` has events.db attached; `main` is the main file. */
	constructor(usage: SqliteFile, main: SqliteFile) {
		this.#selectNumber = usage.prepare<NumberRow, [number]>(
			"SELECT environment_id, customer_ref, customer_id FROM event_customers WHERE id = ?",
		);
		this.#selectEarlyNumber = usage.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM event_customers WHERE environment_id = ? AND customer_ref = ? AND customer_id IS NULL",
		);
		this.#selectCustomer = main.prepare<{ id: string }, [string, string]>(
			"SELECT id FROM customers WHERE environment_id = ? AND ref_id = ?",
		);
		this.#selectSubject = usage.prepare<{ id: number }, [string, string, string]>(
			"SELECT id FROM usage_subjects WHERE customer_id IN (?, ?) AND resource_ref = ?",
		);
		this.#selectSubjects = usage.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM usage_subjects WHERE customer_id IN (?, ?)",
		);
		this.#selectPlaceholders = usage.prepare<{ customer_id: string }, [string, number]>(
			`SELECT DISTINCT customer_id FROM usage_subjects WHERE customer_id > ? AND customer_id < '$'
			ORDER BY customer_id LIMIT ?`,
		);
		this.#insertSubject = usage.prepare<unknown, [number, string, string]>(
			"INSERT INTO usage_subjects (id, customer_id, resource_ref) VALUES (?, ?, ?)",
		);
		this.#takeOver = usage.prepare<unknown, [string, string]>(
			"UPDATE usage_subjects SET customer_id = ? WHERE customer_id = ?",
		);
		this.#segments = new KnownSegments(usage);
		this.#insertSegment = usage.prepare<unknown, [number, number, string]>(
			"INSERT INTO usage_segments (id, subject_id, name) VALUES (?, ?, ?)",
		);
		this.#selectLast = usage.prepare<{ id: number | null }, []>(
			`SELECT max(id) AS id FROM (SELECT max(id) AS id FROM usage_subjects
			UNION ALL SELECT max(id) FROM usage_segments)`,
		);
		this.#lastId = this.#selectLast.get()?.id ?? 0;
	}

	/** Returns the owner of a customer number. Owners that exist stay in memory: a customer keeps its id forever. */
	owner(number: number): Owner {
		const known = this.#owners.get(number);
		if (known) return known;
		const row = this.#selectNumber.get(number);
		if (!row) throw new Error(`The log names the customer number ${number}, which it does not have.`);
		const { environment_id: environmentId, customer_ref: customerRef, customer_id } = row;
		const early = customer_id === null ? number : this.#selectEarlyNumber.get(environmentId, customerRef)?.id;
		const placeholder = early === undefined ? undefined : placeholderOf(early);
		const customerId = customer_id ?? this.#selectCustomer.get(environmentId, customerRef)?.id;
		if (customerId === undefined)
			return { environmentId, customerId: placeholderOf(number), placeholder: undefined, subjectId: undefined };
		if (placeholder !== undefined) this.#takingOver.set(customerId, placeholder);
		if (this.#owners.size >= rememberedMax) this.#owners.clear();
		const owner: Owner = { environmentId, customerId, placeholder, subjectId: undefined };
		this.#owners.set(number, owner);
		return owner;
	}

	/** Returns the subject of an owner's events, of those that name the resource or of those that name none. */
	subjectOf(owner: Owner, resourceRef: string | null): number {
		if (resourceRef !== null) return this.#idOf(owner, resourceRef);
		owner.subjectId ??= this.#idOf(owner, "");
		return owner.subjectId;
	}

	/** Returns the id of a segment of a subject's usage. Segments and subjects have different ids. */
	segmentOf(subjectId: number, name: string): number {
		const known = this.#segments.idOf(subjectId, name);
		if (known !== undefined) return known;
		this.#lastId += 1;
		const id = this.#lastId;
		this.#freshSegments.push({ id, subjectId, name });
		this.#segments.add(subjectId, name, id);
		return id;
	}

	/** Returns the subjects of a customer and of its resources that have had usage. */
	of(customerId: string): number[] {
		const placeholder = this.#takingOver.get(customerId) ?? customerId;
		const fresh = [customerId, placeholder].flatMap((name) => this.#fresh.get(name) ?? []);
		return [...this.#selectSubjects.all(customerId, placeholder), ...fresh].map(({ id }) => id);
	}

	/** Finds customers that were created after their first events, at most `checkedMax`; returns whether more may exist. */
	followCustomers(epoch: number): boolean {
		if (epoch === this.#checkedAt) return false;
		const placeholders = this.#selectPlaceholders.all(this.#checkedTo, checkedMax);
		for (const { customer_id: placeholder } of placeholders) this.owner(Number(placeholder.slice(1)));
		const hasMore = placeholders.length === checkedMax;
		this.#checkedTo = hasMore ? (placeholders.at(-1)?.customer_id ?? "#") : "#";
		if (!hasMore) this.#checkedAt = epoch;
		return hasMore;
	}

	/**
	 * Writes new subjects, and assigns the subjects of placeholders to their customers. Inside the caller's transaction, with
	 * the totals of these subjects. Returns the customers that took subjects over.
	 */
	save(): ReadonlySet<string> {
		for (const [customerId, subjects] of this.#fresh)
			for (const { id, resourceRef } of subjects) this.#insertSubject.run(id, customerId, resourceRef);
		this.#fresh.clear();
		for (const { id, subjectId, name } of this.#freshSegments) this.#insertSegment.run(id, subjectId, name);
		this.#freshSegments = [];
		this.#segments.tidy();
		const tookOver = new Set<string>();
		for (const [customerId, placeholder] of this.#takingOver)
			if (this.#takeOver.run(customerId, placeholder).changes > 0) tookOver.add(customerId);
		this.#takingOver.clear();
		return tookOver;
	}

	/** Discards after a rollback: subjects since the last commit have no row. */
	discard(): void {
		this.#owners.clear();
		this.#ids.clear();
		this.#fresh.clear();
		this.#freshSegments = [];
		this.#segments.clear();
		this.#takingOver.clear();
		this.#checkedTo = "#";
		this.#checkedAt = undefined;
		this.#lastId = this.#selectLast.get()?.id ?? 0;
	}

	#idOf({ customerId, placeholder = customerId }: Owner, resourceRef: string): number {
		const key = `${customerId} ${resourceRef}`;
		const known =
			this.#ids.get(key) ??
			this.#ids.get(`${placeholder} ${resourceRef}`) ??
			this.#selectSubject.get(customerId, placeholder, resourceRef)?.id;
		const id = known ?? this.#lastId + 1;
		if (known === undefined) {
			this.#lastId = id;
			const ofCustomer = this.#fresh.get(customerId) ?? [];
			this.#fresh.set(customerId, ofCustomer);
			ofCustomer.push({ id, resourceRef });
		}
		this.#remember(key, id);
		return id;
	}

	#remember(key: string, id: number): void {
		// Subjects without a row cannot be read again.
		if (this.#ids.size >= rememberedMax && this.#fresh.size === 0) this.#ids.clear();
		this.#ids.set(key, id);
	}
}
