import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../../kernel/storage/db";
import { identityStart } from "../blocks/event-identity";
import type { UsageEvent } from "../schema";

/** Customers that stay in memory; beyond this, all are evicted and read again. About 60 MB. */
const rememberedMax = 200_000;

/** A customer by its names in the log. */
export class LogCustomer {
	/** The name of the last event without a resource: most events of a customer are alike. */
	#eventName = "";
	#start = "";

	constructor(
		readonly number: number,
		readonly environmentId: string,
		readonly customerRef: string,
	) {}

	/**
	 * Returns the identity of an event: environment, customer, resource, event name and idempotency key; never its
	 * time. Its hash is on disk, so this text must not change.
	 */
	identityText({ eventName, idempotencyKey, resourceId = null }: UsageEvent): string {
		if (resourceId !== null)
			return identityStart(this.environmentId, this.customerRef, resourceId, eventName) + idempotencyKey;
		if (this.#eventName !== eventName) {
			this.#eventName = eventName;
			this.#start = identityStart(this.environmentId, this.customerRef, null, eventName);
		}
		return this.#start + idempotencyKey;
	}
}

interface Name {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * The numbers of customers in the log. A customer that exists stays in memory: rows of `customers` are never deleted
 * and keep their id. Late events of an archived customer are still counted, since a rejection would affect the whole batch.
 */
export class EventCustomers {
	readonly #main: SqliteFile;
	readonly #selectCustomer;
	readonly #selectNumber;
	readonly #selectUnattributed;
	readonly #insert;
	readonly #selectName;
	/** By environment, then by the id that callers use. */
	#known = new Map<string, Map<string, LogCustomer>>();
	#remembered = 0;
	/** Customers that do not exist, within one group of requests. */
	readonly #unattributed = new Map<string, LogCustomer>();

	/** `events` is the log's own connection, in whose transactions new numbers are assigned. */
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

	/** Returns a customer that exists. */
	find(environmentId: string, customerRef: string): LogCustomer | undefined {
		return this.#known.get(environmentId)?.get(customerRef) ?? this.#lookUp(environmentId, customerRef);
	}

	/** Returns a customer that does not exist yet; it takes over its events when it does. */
	addUnattributed(environmentId: string, customerRef: string): LogCustomer {
		const key = `${environmentId} ${customerRef}`;
		const known = this.#unattributed.get(key);
		if (known) return known;
		const number =
			this.#selectUnattributed.get(environmentId, customerRef)?.id ??
			this.#insert.get(environmentId, customerRef, null)?.id ??
			0;
		const customer = new LogCustomer(number, environmentId, customerRef);
		this.#unattributed.set(key, customer);
		return customer;
	}

	/** Returns a customer that does not exist, if events have named it. */
	findUnattributed(environmentId: string, customerRef: string): LogCustomer | undefined {
		const number = this.#selectUnattributed.get(environmentId, customerRef)?.id;
		return number === undefined ? undefined : new LogCustomer(number, environmentId, customerRef);
	}

	/** Returns the lowest number of a customer: it has two if its first events came before it existed. */
	firstNumberOf({ number, environmentId, customerRef }: LogCustomer): number {
		return Math.min(number, this.findUnattributed(environmentId, customerRef)?.number ?? number);
	}

	/** Whether two numbers belong to one customer: it has two if its first events came before it existed. */
	areSame(one: number, other: number): boolean {
		if (one === other) return true;
		const [a, b] = [this.#selectName.get(one), this.#selectName.get(other)];
		return a?.environment_id === b?.environment_id && a?.customer_ref === b?.customer_ref;
	}

	endGroup(): void {
		this.#unattributed.clear();
	}

	/** Discards numbers of a transaction that was rolled back. */
	discard(): void {
		this.#known = new Map();
		this.#remembered = 0;
		this.#unattributed.clear();
	}

	close(): void {
		this.#main.close();
	}

	#lookUp(environmentId: string, customerRef: string): LogCustomer | undefined {
		const customer = this.#selectCustomer.get(environmentId, customerRef);
		if (!customer) return undefined;
		const number =
			this.#selectNumber.get(environmentId, customerRef)?.id ??
			this.#insert.get(environmentId, customerRef, customer.id)?.id ??
			0;
		if (this.#remembered >= rememberedMax) this.discard();
		const ofEnvironment = this.#known.get(environmentId) ?? new Map<string, LogCustomer>();
		const known = new LogCustomer(number, environmentId, customerRef);
		this.#known.set(environmentId, ofEnvironment.set(customerRef, known));
		this.#remembered += 1;
		return known;
	}
}
