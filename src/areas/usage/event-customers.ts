import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../kernel/db";

/** Customers that are remembered; beyond it all are forgotten and looked up again. Our choice: about 100 MB. */
const rememberedMax = 500_000;

interface Name {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * The numbers by which the log names customers. A customer that exists is remembered: rows of `customers` are never
 * deleted and keep their id, so what was true once stays true. An archived customer's late events are still counted: our
 * choice, since refusing them would refuse the whole batch they came in.
 */
export class EventCustomers {
	readonly #main: SqliteFile;
	readonly #selectCustomer;
	readonly #selectNumber;
	readonly #selectUnattributed;
	readonly #insert;
	readonly #selectName;
	#known = new Map<string, Map<string, number>>();
	#remembered = 0;
	/** Numbers of customers that do not exist, within one group of requests. */
	readonly #unattributed = new Map<string, number>();

	/** `events` is the event log's own connection, in whose transactions new numbers are given. */
	constructor(folder: string, events: SqliteFile) {
		this.#main = openFile(folder, "main").$client;
		this.#main.run("PRAGMA query_only = ON");
		this.#selectCustomer = this.#main.prepare<{ id: string }, [string, string]>(
			"SELECT id FROM customers WHERE environment_id = ? AND ref_id = ?",
		);
		this.#selectNumber = events.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM event_customers WHERE environment_id = ? AND customer_ref = ? AND customer_id IS NOT NULL",
		);
		this.#selectUnattributed = events.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM event_customers WHERE environment_id = ? AND customer_ref = ? AND customer_id IS NULL",
		);
		this.#insert = events.prepare<{ id: number }, [string, string, string | null]>(
			"INSERT INTO event_customers (environment_id, customer_ref, customer_id) VALUES (?, ?, ?) RETURNING id",
		);
		this.#selectName = events.prepare<Name, [number]>(
			"SELECT environment_id, customer_ref FROM event_customers WHERE id = ?",
		);
	}

	/** The number of a customer that exists. */
	find(environmentId: string, customerRef: string): number | undefined {
		return this.#known.get(environmentId)?.get(customerRef) ?? this.#lookUp(environmentId, customerRef);
	}

	/** The number of a customer that does not exist yet; its events are counted once it does. */
	addUnattributed(environmentId: string, customerRef: string): number {
		const key = `${environmentId} ${customerRef}`;
		const number =
			this.#unattributed.get(key) ??
			this.#selectUnattributed.get(environmentId, customerRef)?.id ??
			this.#insert.get(environmentId, customerRef, null)?.id ??
			0;
		this.#unattributed.set(key, number);
		return number;
	}

	/** Whether two numbers name one customer: it has two when its first events came before it existed. */
	areSame(one: number, other: number): boolean {
		if (one === other) return true;
		const [a, b] = [this.#selectName.get(one), this.#selectName.get(other)];
		return a?.environment_id === b?.environment_id && a?.customer_ref === b?.customer_ref;
	}

	endGroup(): void {
		this.#unattributed.clear();
	}

	/** After a rollback: numbers that were given in it do not stand. */
	forget(): void {
		this.#known = new Map();
		this.#remembered = 0;
		this.#unattributed.clear();
	}

	close(): void {
		this.#main.close();
	}

	#lookUp(environmentId: string, customerRef: string): number | undefined {
		const customer = this.#selectCustomer.get(environmentId, customerRef);
		if (!customer) return undefined;
		const number =
			this.#selectNumber.get(environmentId, customerRef)?.id ??
			this.#insert.get(environmentId, customerRef, customer.id)?.id ??
			0;
		if (this.#remembered >= rememberedMax) this.forget();
		const ofEnvironment = this.#known.get(environmentId) ?? new Map<string, number>();
		this.#known.set(environmentId, ofEnvironment.set(customerRef, number));
		this.#remembered += 1;
		return number;
	}
}
