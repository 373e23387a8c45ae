import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../../kernel/storage/db";
import { identityStart } from "../blocks/event-identity";
import type { UsageEvent } from "../schema";

/** Customers that are remembered; beyond it all are forgotten and looked up again. Our choice: about 60 MB. */
const rememberedMax = 200_000;

/** A customer, as the log names it. */
export class LogCustomer {
	/** Of the last event that named no resource: most events of a customer are alike. */
	#eventName = "";
	#start = "";

	constructor(
		readonly number: number,
		readonly environmentId: string,
		readonly customerRef: string,
	) {}

	/**
	 * Identity of an event: environment, customer, resource, event name and idempotency key; never its time. Its hash is on
	 * disk, so the text stays as it is.
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
	/** By environment, then by the caller's id. */
	#known = new Map<string, Map<string, LogCustomer>>();
	#remembered = 0;
	/** Customers that do not exist, within one group of requests. */
	readonly #unattributed = new Map<string, LogCustomer>();

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

	/** A customer that exists. */
	find(environmentId: string, customerRef: string): LogCustomer | undefined {
		return this.#known.get(environmentId)?.get(customerRef) ?? this.#lookUp(environmentId, customerRef);
	}

	/** A customer that does not exist yet; its events are counted once it does. */
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

	/** A customer that does not exist, and that events have named. */
	findUnattributed(environmentId: string, customerRef: string): LogCustomer | undefined {
		const number = this.#selectUnattributed.get(environmentId, customerRef)?.id;
		return number === undefined ? undefined : new LogCustomer(number, environmentId, customerRef);
	}

	/** The lowest of a customer's numbers: it has two when its first events came before it existed. */
	firstNumberOf({ number, environmentId, customerRef }: LogCustomer): number {
		return Math.min(number, this.findUnattributed(environmentId, customerRef)?.number ?? number);
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

	#lookUp(environmentId: string, customerRef: string): LogCustomer | undefined {
		const customer = this.#selectCustomer.get(environmentId, customerRef);
		if (!customer) return undefined;
		const number =
			this.#selectNumber.get(environmentId, customerRef)?.id ??
			this.#insert.get(environmentId, customerRef, customer.id)?.id ??
			0;
		if (this.#remembered >= rememberedMax) this.forget();
		const ofEnvironment = this.#known.get(environmentId) ?? new Map<string, LogCustomer>();
		const known = new LogCustomer(number, environmentId, customerRef);
		this.#known.set(environmentId, ofEnvironment.set(customerRef, known));
		this.#remembered += 1;
		return known;
	}
}
