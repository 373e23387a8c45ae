import type { Decimal } from "../../../kernel/decimal";
import { underEpoch } from "../../../kernel/storage/remembered";
import { type Transactions, type Work, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { listMeters } from "../../features/operations";
import { featuresChargedAtEvent } from "../../packages/operations.counted-prices";
import {
	type FollowedEvent,
	followedCustomer,
	lastCancellationOf,
	visitEvents,
} from "../../usage/operations.following";
import { amountOf, compileField, compileFilters, decimalOf, type EventFacts } from "../../usage/rules";
import { pricesOf, type Series, saveOfPrice, sumsAfter } from "./lowered-windows";
import type { EnvironmentTime } from "./rules";
import { insertCheck } from "./store.marks";

/** A few milliseconds of reading. */
const eventsAtOnce = 512;

/** Customers in memory. When there are more, all are evicted. */
const customersMax = 50_000;

/** Events in memory, about 10 MB. When there are more, their windows have their sums. */
const eventsMax = 65_536;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

/** A meter that sums, and whose units each event charges. */
interface SummingMeter {
	readonly featureId: string;
	readonly matches: (event: EventFacts) => boolean;
	readonly readValue: (event: EventFacts) => Decimal;
}

/**
 * Finds the highest totals that events with negative values have lowered, where each event charges usage. The totals of the usage area
 * have no history in the order of the log, so this collects the events since the first negative one. At the end of the counted log, the
 * total before each of them is the present total minus the events from it on. Events without negative values cost a look. Memory has
 * a limited number of events, and sums for each window of the others.
 */
export class LoweredTotals {
	readonly #transactions: Transactions;
	readonly #series = new Map<string, Series>();
	readonly #environments = new Map<number, string | undefined>();
	readonly #meters: () => Map<string, readonly SummingMeter[]>;
	readonly #eventsMax: number;
	/** The number of events of all series. */
	#events = 0;

	constructor(transactions: Transactions, limit = eventsMax) {
		this.#transactions = transactions;
		this.#eventsMax = limit;
		this.#meters = underEpoch(transactions.epoch, () => new Map());
	}

	/** Whether there are lowered totals to store. */
	get isPending(): boolean {
		return this.#series.size > 0;
	}

	/** Collects from a part of the log; `after` is exclusive. */
	collect(
		{ after, upTo }: { readonly after: number; readonly upTo: number },
		environments: ReadonlyMap<string, EnvironmentTime>,
	): void {
		this.#transactions.read(everywhere, (work) => {
			const canceledTo = lastCancellationOf(work);
			const metersOf = (customer: number) => this.#metersOf(work, customer, environments);
			for (let readTo = after; readTo < upTo; ) {
				const part = { after: readTo, upTo, canceledTo, eventsMax: eventsAtOnce };
				const isSummed = (customer: number) => metersOf(customer).length > 0;
				readTo = visitEvents(work, part, isSummed, (event) => this.#add(event, metersOf(event.customer)));
				if (this.#events > this.#eventsMax) this.#sumUp(work, environments);
			}
		});
	}

	/** Replaces the events in memory by their sums. */
	#sumUp(work: Work, environments: ReadonlyMap<string, EnvironmentTime>): void {
		for (const series of this.#series.values()) {
			const prices = pricesOf(work, series, environments);
			// A change of its windows begins from the stored position (`save`).
			series.summed = sumsAfter(series, prices) ?? { of: "other", windows: new Map() };
			series.events.length = 0;
		}
		this.#events = 0;
	}

	#metersOf(work: Work, customer: number, environments: ReadonlyMap<string, unknown>): readonly SummingMeter[] {
		if (this.#environments.size >= customersMax) this.#environments.clear();
		if (!this.#environments.has(customer))
			this.#environments.set(customer, followedCustomer(work, customer)?.environmentId);
		const environmentId = this.#environments.get(customer);
		if (environmentId === undefined || !environments.has(environmentId)) return [];
		const known = this.#meters();
		const meters = known.get(environmentId) ?? summingMeters(workIn(work, systemActor(environmentId)));
		known.set(environmentId, meters);
		return meters;
	}

	#add({ customer, resourceRef, at, facts }: FollowedEvent, meters: readonly SummingMeter[]): void {
		for (const { featureId, matches, readValue } of meters) {
			if (!matches(facts)) continue;
			const key = JSON.stringify([customer, resourceRef, featureId]);
			const value = readValue(facts);
			const series = this.#series.get(key);
			if (!series && !value.startsWith("-")) continue;
			this.#events += 1;
			if (series) series.events.push({ at, value });
			else this.#series.set(key, { customer, resourceRef, featureId, events: [{ at, value }], summed: undefined });
		}
	}

	/**
	 * Stores the highest totals, and marks their subscriptions. The totals count the log up to the last collected event. Returns false if
	 * windows have changed since events were summed up: then nothing may be stored, and the events are to be collected again.
	 */
	save(work: Work, environments: ReadonlyMap<string, EnvironmentTime>): boolean {
		const all = [...this.#series.values()].map((series) => {
			const prices = pricesOf(work, series, environments);
			return { prices, summed: sumsAfter(series, prices) };
		});
		if (all.some(({ summed }) => !summed)) return false;
		for (const { prices, summed } of all)
			for (const one of prices)
				if (summed && saveOfPrice(one, summed))
					insertCheck(one.work, one.work.actor.environmentId, one.row.id, one.work.now);
		return true;
	}

	/** Drops what is stored. */
	clear(): void {
		this.#series.clear();
		this.#events = 0;
	}
}

function summingMeters(work: Work): SummingMeter[] {
	const charged = featuresChargedAtEvent(work);
	if (charged.size === 0) return [];
	return listMeters(work).flatMap(({ featureId, aggregation, filters }) => {
		if (!charged.has(featureId) || aggregation.function !== "SUM") return [];
		const fieldOf = compileField({ aggregation, filters });
		return [
			{
				featureId,
				matches: compileFilters(filters),
				readValue: (event: EventFacts) => decimalOf(amountOf(fieldOf(event))),
			},
		];
	});
}
