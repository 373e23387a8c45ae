import type { Database as SqliteFile } from "bun:sqlite";
import type { Transactions, Work } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { listMeters } from "../../features/operations";
import { countedPrices } from "../../packages/operations.counted-prices";
import { compileMeter } from "../aggregation/meter";
import type { MeterDefinition } from "../rules";
import { pricedId, segmentedId } from "../rules.priced-id";
import type { Counter } from "./tally";

/** A row of `usage_counters`. */
export interface CounterRow {
	readonly id: number;
	readonly environment_id: string;
	readonly feature_id: string;
	readonly meter_id: string;
	readonly definition: string;
	readonly counted_to: number;
	readonly state: "FILLING" | "LIVE" | "RETIRED";
}

/** A counter and its position in the log. */
export interface Entry {
	readonly counter: Counter;
	countedTo: number;
	state: CounterRow["state"];
}

/**
 * Keeps the counters in step with the meters of the catalog. A meter that replaces another counts the whole log first;
 * until then, the former meter answers for the feature.
 */
export class Counters {
	readonly #usage: SqliteFile;
	readonly #transactions: Transactions;
	readonly #epochOf: () => number;
	readonly #insert;
	readonly #insertTwins;
	readonly #setState;
	readonly #setCountedTo;
	#entries: Entry[] = [];
	#live = new Map<string, Counter[]>();
	readonly #environments = new Set<string>();
	#epoch: number | undefined;
	#version = 0;

	/** `epochOf` returns the state of the main file. */
	constructor(usage: SqliteFile, transactions: Transactions, epochOf: () => number) {
		this.#usage = usage;
		this.#transactions = transactions;
		this.#epochOf = epochOf;
		this.#insert = usage.prepare<unknown, [string, string, string, string]>(
			"INSERT INTO usage_counters (environment_id, feature_id, meter_id, definition, counted_to, state) VALUES (?, ?, ?, ?, 0, 'FILLING')",
		);
		this.#insertTwins = usage.prepare<unknown, [string | null, string | null]>(
			`INSERT INTO usage_counters (environment_id, feature_id, meter_id, definition, counted_to, state)
			SELECT environment_id, feature_id, meter_id, definition, 0, 'FILLING' FROM usage_counters live
			WHERE state = 'LIVE' AND environment_id = coalesce(?1, environment_id)
			AND (feature_id = coalesce(?2, feature_id) OR feature_id LIKE ?2 || '/%')
			AND NOT EXISTS (SELECT 1 FROM usage_counters f WHERE f.feature_id = live.feature_id AND f.state = 'FILLING')`,
		);
		this.#setState = usage.prepare<unknown, [string, number]>("UPDATE usage_counters SET state = ? WHERE id = ?");
		this.#setCountedTo = usage.prepare<unknown, [number, number]>(
			"UPDATE usage_counters SET counted_to = ? WHERE id = ?",
		);
		const known = usage.query<{ environment_id: string }, []>("SELECT DISTINCT environment_id FROM event_customers");
		for (const { environment_id } of known.all()) this.#environments.add(environment_id);
		this.#load();
	}

	/** Returns the counters that follow the end of the log in an environment. */
	live(environmentId: string): readonly Counter[] {
		return this.#live.get(environmentId) ?? none;
	}

	/** Returns all counters of an environment except retired ones. */
	all(environmentId: string): readonly Counter[] {
		return this.#entries
			.filter(({ counter, state }) => counter.environmentId === environmentId && state !== "RETIRED")
			.map(({ counter }) => counter);
	}

	/** Changes whenever counters begin, take over or end. */
	get version(): number {
		return this.#version;
	}

	/** Returns the counters that still count the past of the log. */
	filling(): readonly Entry[] {
		return this.#entries.filter(({ state }) => state === "FILLING");
	}

	/** Returns the filling counters of a rebuild: another counter of the same meter answers. */
	twins(): readonly Entry[] {
		const live = new Set(this.#entries.filter(({ state }) => state === "LIVE").map(({ counter }) => counter.meterId));
		return this.filling().filter(({ counter }) => live.has(counter.meterId));
	}

	/**
	 * Begins to count the live meters of an environment, or of all environments, from scratch: of one feature, or of
	 * every feature. Skips features with a new meter. Inside the caller's transaction.
	 */
	addTwins(environmentId: string | null, featureId: string | null): void {
		this.#insertTwins.run(environmentId, featureId);
		this.#load();
	}

	/**
	 * Records an environment that has sent events; returns whether its meters are known. If not, the next `follow`
	 * reads them.
	 */
	meet(environmentId: string): boolean {
		if (this.#environments.has(environmentId)) return true;
		this.#environments.add(environmentId);
		this.#epoch = undefined;
		return false;
	}

	/** Whether an environment waits for its meters to be read. */
	get hasMet(): boolean {
		return this.#epoch === undefined;
	}

	/** Follows the catalog after a change, inside the caller's transaction. */
	follow(): void {
		const epoch = this.#epochOf();
		if (epoch === this.#epoch) return;
		this.#epoch = epoch;
		let changed = false;
		for (const environmentId of this.#environments) changed = this.#followEnvironment(environmentId) || changed;
		if (changed) this.#load();
	}

	/** Advances all live counters to a position in the log. */
	advanceLive(to: number): void {
		for (const entry of this.#entries) if (entry.state === "LIVE") this.#advance(entry, to);
	}

	/** Advances filling counters to a position in the log. */
	advanceFilling(entries: readonly Entry[], to: number): void {
		for (const entry of entries) this.#advance(entry, to);
	}

	/** Makes filling counters live: they have reached the end of the log. Their predecessors retire. */
	takeOver(entries: readonly Entry[]): void {
		for (const entry of entries) {
			for (const other of this.#entries)
				if (other !== entry && other.counter.featureId === entry.counter.featureId)
					this.#setState.run("RETIRED", other.counter.id);
			this.#setState.run("LIVE", entry.counter.id);
		}
		if (entries.length > 0) this.#load();
	}

	/** Deletes some totals of a retired counter, and finally the counter; returns whether there was one. */
	deleteRetired(rowsMax: number): boolean {
		const retired = this.#entries.find(({ state }) => state === "RETIRED");
		if (!retired) return false;
		const { id } = retired.counter;
		const deleted = ["usage_values", "usage_totals"].some((table) => this.#deleteSome(table, id, rowsMax));
		if (!deleted) {
			this.#usage.query("DELETE FROM usage_counters WHERE id = ?").run(id);
			this.#load();
		}
		return true;
	}

	/** Reads the counters again after a rollback. */
	reload(): void {
		this.#epoch = undefined;
		this.#load();
	}

	/** The keys of both tables begin with the counter's id. */
	#deleteSome(table: string, counterId: number, rowsMax: number): boolean {
		const key = table === "usage_values" ? "subject_id, span, bucket, value" : "subject_id, span, bucket";
		const { changes } = this.#usage
			.query(
				`DELETE FROM ${table} WHERE counter_id = ?1 AND (${key}) IN
				(SELECT ${key} FROM ${table} WHERE counter_id = ?1 LIMIT ?2)`,
			)
			.run(counterId, rowsMax);
		return changes > 0;
	}

	#advance(entry: Entry, to: number): void {
		if (entry.countedTo === to) return;
		this.#setCountedTo.run(to, entry.counter.id);
		entry.countedTo = to;
	}

	#followEnvironment(environmentId: string): boolean {
		const meters = this.#transactions.read(systemActor(environmentId), metersOf);
		const ours = this.#entries.filter(({ counter }) => counter.environmentId === environmentId);
		const added = meters.filter(({ id }) => !ours.some(({ counter }) => counter.meterId === id));
		for (const { id, featureId, definition } of added)
			this.#insert.run(environmentId, featureId, id, JSON.stringify(definition));
		let changed = added.length > 0;
		for (const { counter, state } of ours) {
			const isCurrent = meters.some(({ id }) => id === counter.meterId);
			const isReplaced = meters.some(({ featureId }) => featureId === counter.featureId);
			// The former meter of a feature stays live until the new one has caught up.
			if (isCurrent || state === "RETIRED" || (state === "LIVE" && isReplaced)) continue;
			this.#setState.run("RETIRED", counter.id);
			changed = true;
		}
		return changed;
	}

	#load(): void {
		const rows = this.#usage.query<CounterRow, []>("SELECT * FROM usage_counters ORDER BY id").all();
		const known = new Map(this.#entries.map(({ counter }) => [counter.id, counter]));
		this.#entries = rows.map((row) => ({
			counter: known.get(row.id) ?? readCounter(row),
			countedTo: row.counted_to,
			state: row.state,
		}));
		this.#version += 1;
		this.#live = new Map();
		for (const { counter, state } of this.#entries) {
			if (state !== "LIVE") continue;
			this.#live.set(counter.environmentId, [...this.live(counter.environmentId), counter]);
		}
	}
}

const none: readonly Counter[] = [];

interface CountedMeter {
	readonly id: string;
	readonly featureId: string;
	readonly definition: MeterDefinition;
}

/**
 * Returns the meters of an environment, and each of them by each price of its feature's transactions, and each way to divide
 * its usage.
 */
function metersOf(work: Work): CountedMeter[] {
	const meters = listMeters(work);
	const byFeature = new Map(meters.map((meter) => [meter.featureId, meter]));
	const priced = countedPrices(work).flatMap(({ featureId, transactionPrice, segments }): CountedMeter[] => {
		const meter = byFeature.get(featureId);
		if (!meter) return [];
		const { id, aggregation, filters } = meter;
		const idOf = (one: string) => (transactionPrice ? pricedId(one, transactionPrice) : segmentedId(one, segments));
		const definition = { aggregation, filters, ...(transactionPrice ? { transactionPrice } : { segments }) };
		return [{ id: idOf(id), featureId: idOf(featureId), definition }];
	});
	return [
		...meters.map(({ id, featureId, aggregation, filters }) => ({
			id,
			featureId,
			definition: { aggregation, filters },
		})),
		...priced,
	];
}

export const readCounter = (row: CounterRow): Counter => ({
	id: row.id,
	environmentId: row.environment_id,
	featureId: row.feature_id,
	meterId: row.meter_id,
	...compileMeter(JSON.parse(row.definition)),
});
