import type { Database as SqliteFile } from "bun:sqlite";

/** Names that are remembered; beyond it all are forgotten and looked up again. Our choice: about 50 MB. */
const rememberedMax = 200_000;

/** Who an event of the log belongs to. */
export interface Owner {
	readonly environmentId: string;
	/** Undefined while the customer does not exist. */
	readonly customerId: string | undefined;
	/** Whether these events came before their customer existed, and may be waiting to be counted. */
	readonly cameEarly: boolean;
	/** The subject of what names no resource, once it was asked for. */
	subjectId: number | undefined;
}

/** A subject that has an id and no row yet. */
interface FreshSubject {
	readonly id: number;
	readonly resourceRef: string;
}

interface NumberRow {
	readonly environment_id: string;
	readonly customer_ref: string;
	readonly customer_id: string | null;
}

/** From the log's numbers to customers, and from customers to subjects. */
export class Subjects {
	readonly #selectNumber;
	readonly #selectCustomer;
	readonly #selectSubject;
	readonly #selectSubjects;
	readonly #insertSubject;
	readonly #owners = new Map<number, Owner>();
	readonly #ids = new Map<string, number>();
	readonly #selectLast;
	#lastId: number;
	/** By customer. */
	readonly #fresh = new Map<string, FreshSubject[]>();

	/** `usage` has events.db attached; `main` is the main file. */
	constructor(usage: SqliteFile, main: SqliteFile) {
		this.#selectNumber = usage.prepare<NumberRow, [number]>(
			"SELECT environment_id, customer_ref, customer_id FROM event_customers WHERE id = ?",
		);
		this.#selectCustomer = main.prepare<{ id: string }, [string, string]>(
			"SELECT id FROM customers WHERE environment_id = ? AND ref_id = ?",
		);
		this.#selectSubject = usage.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM usage_subjects WHERE customer_id = ? AND resource_ref = ?",
		);
		this.#selectSubjects = usage.prepare<{ id: number }, [string]>(
			"SELECT id FROM usage_subjects WHERE customer_id = ?",
		);
		this.#insertSubject = usage.prepare<unknown, [number, string, string]>(
			"INSERT INTO usage_subjects (id, customer_id, resource_ref) VALUES (?, ?, ?)",
		);
		this.#selectLast = usage.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM usage_subjects");
		this.#lastId = this.#selectLast.get()?.id ?? 0;
	}

	/** Whose number it is. A customer that exists is remembered: it keeps its id for ever. */
	owner(number: number): Owner {
		const known = this.#owners.get(number);
		if (known) return known;
		const row = this.#selectNumber.get(number);
		if (!row) throw new Error(`The log names the customer number ${number}, which it does not have.`);
		const { environment_id: environmentId, customer_ref, customer_id } = row;
		const customerId = customer_id ?? this.#selectCustomer.get(environmentId, customer_ref)?.id;
		const owner: Owner = { environmentId, customerId, cameEarly: customer_id === null, subjectId: undefined };
		if (customerId === undefined) return owner;
		if (this.#owners.size >= rememberedMax) this.#owners.clear();
		this.#owners.set(number, owner);
		return owner;
	}

	/** The id of a customer, or of one of its resources, as a subject; `owner` is who the customer's events belong to. */
	subjectOf(customerId: string, owner: Owner, resourceRef: string | null): number {
		if (resourceRef !== null) return this.#idOf(customerId, resourceRef);
		owner.subjectId ??= this.#idOf(customerId, "");
		return owner.subjectId;
	}

	/** A customer and its resources, as far as they have had usage. */
	of(customerId: string): number[] {
		const known = [...this.#selectSubjects.all(customerId), ...(this.#fresh.get(customerId) ?? [])];
		return known.map(({ id }) => id);
	}

	/** Writes the subjects that have had no usage before. Inside the caller's transaction, with what was counted for them. */
	save(): void {
		for (const [customerId, subjects] of this.#fresh)
			for (const { id, resourceRef } of subjects) this.#insertSubject.run(id, customerId, resourceRef);
		this.#fresh.clear();
	}

	/** After a rollback, ids that were given since the last commit do not stand. */
	forget(): void {
		this.#owners.clear();
		this.#ids.clear();
		this.#fresh.clear();
		this.#lastId = this.#selectLast.get()?.id ?? 0;
	}

	#idOf(customerId: string, resourceRef: string): number {
		const key = `${customerId} ${resourceRef}`;
		const known = this.#ids.get(key) ?? this.#selectSubject.get(customerId, resourceRef)?.id;
		const id = known ?? this.#lastId + 1;
		if (known === undefined) {
			this.#lastId = id;
			const ofCustomer = this.#fresh.get(customerId) ?? [];
			this.#fresh.set(customerId, ofCustomer);
			ofCustomer.push({ id, resourceRef });
		}
		// Those that have no row yet could not be looked up again.
		if (this.#ids.size >= rememberedMax && this.#fresh.size === 0) this.#ids.clear();
		this.#ids.set(key, id);
		return id;
	}
}
