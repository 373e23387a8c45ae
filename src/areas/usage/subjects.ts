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
	readonly #insertSubject;
	readonly #owners = new Map<number, Owner>();
	readonly #ids = new Map<string, number>();

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
		this.#insertSubject = usage.prepare<{ id: number }, [string, string]>(
			"INSERT INTO usage_subjects (customer_id, resource_ref) VALUES (?, ?) RETURNING id",
		);
	}

	/** Whose number it is. A customer that exists is remembered: it keeps its id for ever. */
	owner(number: number): Owner {
		const known = this.#owners.get(number);
		if (known) return known;
		const row = this.#selectNumber.get(number);
		if (!row) throw new Error(`The log names the customer number ${number}, which it does not have.`);
		const { environment_id: environmentId, customer_ref, customer_id } = row;
		const customerId = customer_id ?? this.#selectCustomer.get(environmentId, customer_ref)?.id;
		const owner = { environmentId, customerId, cameEarly: customer_id === null };
		if (customerId === undefined) return owner;
		if (this.#owners.size >= rememberedMax) this.#owners.clear();
		this.#owners.set(number, owner);
		return owner;
	}

	/** The subject's id; given anew for one that has had no usage. Inside the caller's transaction. */
	idOf(customerId: string, resourceRef: string): number {
		const key = `${customerId} ${resourceRef}`;
		const known = this.#ids.get(key);
		if (known !== undefined) return known;
		const found = this.#selectSubject.get(customerId, resourceRef) ?? this.#insertSubject.get(customerId, resourceRef);
		if (!found) throw new Error("A subject that was inserted has no id.");
		if (this.#ids.size >= rememberedMax) this.#ids.clear();
		this.#ids.set(key, found.id);
		return found.id;
	}

	/** After a rollback, ids that were given in it do not stand. */
	forget(): void {
		this.#owners.clear();
		this.#ids.clear();
	}
}
