import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { underEpoch } from "../../../kernel/storage/remembered";
import { type Transactions, type Work, workAt, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { findCustomer } from "../../customers/operations";
import { listMeters } from "../../features/operations";
import { featuresChargedAtEvent } from "../../packages/operations.counted-prices";
import { currentUsage } from "../../usage/operations";
import {
	type FollowedEvent,
	followedCustomer,
	lastCancellationOf,
	visitEvents,
} from "../../usage/operations.following";
import { amountOf, compileField, compileFilters, decimalOf, type EventFacts } from "../../usage/rules";
import { windowsOf } from "../billing/measures/usage-windows";
import { type UsedPrice, usedPrices } from "../billing/measures/used-prices";
import { saveHighestTotal, selectHighestTotal, type TotalsOf } from "../billing/store.highest-totals";
import { selectLive } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import { saleOf } from "../terms/subscription-sale";
import type { EnvironmentTime } from "./rules";
import { insertCheck } from "./store.marks";

/** A few milliseconds of reading. */
const eventsAtOnce = 512;

/** Customers in memory. When there are more, all are evicted. */
const customersMax = 50_000;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

/** A meter that sums, and whose units each event charges. */
interface SummingMeter {
	readonly featureId: string;
	readonly matches: (event: EventFacts) => boolean;
	readonly readValue: (event: EventFacts) => Decimal;
}

/** The events of a customer or resource from its first negative value on, in the order of the log. */
interface Series {
	readonly customer: number;
	readonly resourceRef: string | null;
	readonly featureId: string;
	readonly events: Array<{ readonly at: Instant; readonly value: Decimal }>;
}

/**
 * Finds the highest totals that events with negative values have lowered, where each event charges usage. The totals of the usage area
 * have no history in the order of the log, so this collects the events since the first negative one. At the end of the counted log, the
 * total before each of them is the present total minus the events from it on. Events without negative values cost a look.
 */
export class LoweredTotals {
	readonly #transactions: Transactions;
	readonly #series = new Map<string, Series>();
	readonly #environments = new Map<number, string | undefined>();
	readonly #meters: () => Map<string, readonly SummingMeter[]>;

	constructor(transactions: Transactions) {
		this.#transactions = transactions;
		this.#meters = underEpoch(transactions.epoch, () => new Map());
	}

	/** Whether there are lowered totals to store. */
	get isPending(): boolean {
		return this.#series.size > 0;
	}

	/** Collects from a part of the log; `after` is exclusive. */
	collect(
		{ after, upTo }: { readonly after: number; readonly upTo: number },
		environments: ReadonlyMap<string, unknown>,
	) {
		this.#transactions.read(everywhere, (work) => {
			const canceledTo = lastCancellationOf(work);
			const metersOf = (customer: number) => this.#metersOf(work, customer, environments);
			for (let readTo = after; readTo < upTo; ) {
				const part = { after: readTo, upTo, canceledTo, eventsMax: eventsAtOnce };
				const isSummed = (customer: number) => metersOf(customer).length > 0;
				readTo = visitEvents(work, part, isSummed, (event) => this.#add(event, metersOf(event.customer)));
			}
		});
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
			if (series) series.events.push({ at, value });
			else if (value.startsWith("-"))
				this.#series.set(key, { customer, resourceRef, featureId, events: [{ at, value }] });
		}
	}

	/** Stores the highest totals, and marks their subscriptions. The totals count the log up to the last collected event. */
	save(work: Work, environments: ReadonlyMap<string, EnvironmentTime>): void {
		for (const series of this.#series.values()) {
			const { environmentId, customerRef } = followedCustomer(work, series.customer) ?? {};
			const time = environmentId === undefined ? undefined : environments.get(environmentId);
			if (environmentId === undefined || customerRef === undefined || !time) continue;
			const within = workAt(workIn(work, systemActor(environmentId)), time.now);
			const customer = findCustomer(within, customerRef);
			for (const row of customer ? selectLive(within, customer.id) : [])
				if (saveOfSubscription(within, row, series)) insertCheck(within, environmentId, row.id, time.now);
		}
	}

	/** Drops what is stored. */
	clear(): void {
		this.#series.clear();
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

/** Stores the highest totals of a subscription's windows. Returns whether one is new. */
function saveOfSubscription(work: Work, row: SubscriptionRow, { featureId, resourceRef, events }: Series): boolean {
	const first = row.usageBilledFrom ?? row.startAt;
	const used = usedPrices(work, row, saleOf(work, row, (work.now - 1) as Instant)).filter(
		({ of }) => of.totals && of.featureId === featureId && of.resourceId === resourceRef,
	);
	let isNew = false;
	for (const one of used) {
		const windowOf = (at: Instant) => windowsOf(row, one, { start: at, end: (at + 1) as Instant }, first)[0];
		const within = events.flatMap(({ at, value }) => {
			const window = at < first ? undefined : windowOf(at);
			return window ? [{ at, value, start: window.start, end: window.whole.end }] : [];
		});
		for (const alike of Map.groupBy(within, ({ start }) => start).values())
			isNew = saveOfWindow(work, one, alike) || isNew;
	}
	return isNew;
}

interface EventOfWindow {
	readonly at: Instant;
	readonly value: Decimal;
	readonly start: Instant;
	readonly end: Instant;
}

function saveOfWindow(work: Work, { of }: UsedPrice, events: readonly EventOfWindow[]): boolean {
	const [window] = events;
	const { totals } = of;
	if (!window || !totals) return false;
	const { start, end } = window;
	const total = exact(currentUsage(work, { ...of, period: { start, end } }));
	const highest = highestBefore(total, events);
	if (!highest.gt(total)) return false;
	const stored = selectHighestTotal(work, totals, start);
	if (stored && !highest.gt(stored.highest)) return false;
	const lastAt = Math.max(stored?.lastAt ?? 0, ...events.map(({ at }) => at)) as Instant;
	saveHighestTotal(work, {
		...rowOf(work, totals, start),
		highest: toDecimal(highest),
		lastAt,
		changes: (stored?.changes ?? 0) + 1,
	});
	return true;
}

const rowOf = (work: Work, { subscriptionId, key }: TotalsOf, startsAt: Instant) => ({
	...{ subscriptionId, key, startsAt },
	environmentId: work.actor.environmentId,
});

/** Returns the highest total from before the first event on, given the total after the last one. */
function highestBefore(total: Big, events: readonly EventOfWindow[]): Big {
	let reached = total.minus(sum(events.map(({ value }) => exact(value))));
	let highest = reached;
	for (const { value } of events) {
		reached = reached.plus(value);
		if (reached.gt(highest)) highest = reached;
	}
	return highest;
}
