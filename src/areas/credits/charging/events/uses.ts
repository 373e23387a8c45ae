import type { Instant } from "../../../../kernel/clock";
import { type Decimal, plus } from "../../../../kernel/decimal";
import type { Dimensions } from "../../../pricing/models/formula";
import type { FollowedEvent } from "../../../usage/operations.following";
import type { EventUse, FeaturePrice, PricedCustomer } from "./event-prices";
import { idDimensions, RetainedDimensions, singleEventsMax } from "./rules";

const hourMs = 3_600_000;

/** Returns the hour of an instant, counted since the epoch, UTC. */
export const hourOf = (at: Instant): number => Math.floor(at / hourMs);

/** Events of one customer that share a charge: one event, or many of the same feature, hour, price and dimensions. */
export interface UseGroup {
	readonly price: FeaturePrice;
	/** The caller's id; null for no resource. */
	readonly resourceRef: string | null;
	readonly hour: number;
	readonly periodStart: Instant | null;
	readonly dimensions: Dimensions | null;
	firstAt: Instant;
	lastAt: Instant;
	events: number;
	/** Null where a formula prices each event. Then `cost` is their total cost. */
	units: Decimal | null;
	cost: Decimal | null;
	/** The position of a single event; null for a group. */
	readonly position: number | null;
}

/** The charges of one customer's events of a step. */
export interface CustomerUses {
	/** The number of the customer in the log. */
	readonly number: number;
	readonly customer: PricedCustomer;
	readonly groups: readonly UseGroup[];
}

interface CustomerGroups {
	readonly customer: PricedCustomer;
	readonly groups: Map<string, UseGroup>;
	/** By feature. */
	readonly retained: Map<string, RetainedDimensions>;
}

interface Use {
	readonly event: FollowedEvent;
	readonly customer: PricedCustomer;
	readonly use: EventUse;
}

/**
 * Collects the charges for the events of a step, by customer. A few events are charged one by one. Of many, similar events share a
 * charge, so the ledger grows by hours and features instead of by events.
 */
export class StepUses {
	/** The events in the order of the log, while they are few. */
	#single: Use[] | undefined = [];
	readonly #customers = new Map<number, CustomerGroups>();
	/** The dimensions that are ids, by feature. */
	readonly #ids = new Map<string, ReadonlySet<string>>();
	#largest = 0;

	/** The largest number of groups of one customer, which one transaction writes. */
	get largest(): number {
		return this.#largest;
	}

	add(event: FollowedEvent, customer: PricedCustomer, uses: readonly EventUse[]): void {
		for (const use of uses) {
			if (this.#single && this.#single.length < singleEventsMax) {
				this.#single.push({ event, customer, use });
				continue;
			}
			this.#groupSingle();
			this.#group({ event, customer, use });
		}
	}

	/** Returns the charges by the customer's number in the log, ascending. */
	byCustomer(): CustomerUses[] {
		for (const { event, customer, use } of this.#single ?? []) {
			const { groups } = this.#of(event.customer, customer);
			groups.set(`${event.position} ${use.price.feature.id}`, groupOf(event, use, event.dimensions(), event.position));
		}
		this.#single = undefined;
		return [...this.#customers]
			.map(([number, { customer, groups }]) => ({ number, customer, groups: [...groups.values()] }))
			.sort((one, other) => one.number - other.number);
	}

	/** Groups the single events when they become too many. They are the sample that shows which dimensions are ids. */
	#groupSingle(): void {
		const single = this.#single ?? [];
		this.#single = undefined;
		for (const [featureId, uses] of Map.groupBy(single, ({ use }) => use.price.feature.id))
			this.#ids.set(featureId, idDimensions(uses.map(({ event }) => event.dimensions())));
		for (const one of single) this.#group(one);
	}

	#group({ event, customer, use }: Use): void {
		const { groups, retained } = this.#of(event.customer, customer);
		const { price, periodStart } = use;
		const ofFeature = retained.get(price.feature.id) ?? new RetainedDimensions(this.#ids.get(price.feature.id));
		retained.set(price.feature.id, ofFeature);
		const few = ofFeature.of(event.dimensions());
		// Budgets count by entity, however many there are.
		const dimensions = use.attribution ? { ...few, ...use.attribution } : few;
		const key = JSON.stringify([
			price.pricingId,
			price.feature.id,
			event.resourceRef,
			hourOf(event.at),
			periodStart,
			dimensions,
		]);
		const group = groups.get(key);
		if (group) addTo(group, event, use);
		else groups.set(key, groupOf(event, use, dimensions, null));
		this.#largest = Math.max(this.#largest, groups.size);
	}

	#of(number: number, customer: PricedCustomer): CustomerGroups {
		const known = this.#customers.get(number);
		if (known) return known;
		const created = { customer, groups: new Map(), retained: new Map() };
		this.#customers.set(number, created);
		return created;
	}
}

const groupOf = (
	{ resourceRef, at }: FollowedEvent,
	{ price, periodStart, units, cost }: EventUse,
	dimensions: Dimensions | null,
	position: number | null,
): UseGroup => ({
	...{ price, resourceRef, periodStart, units, cost, position },
	dimensions: dimensions && Object.keys(dimensions).length > 0 ? dimensions : null,
	...{ hour: hourOf(at), firstAt: at, lastAt: at, events: 1 },
});

function addTo(group: UseGroup, { at }: FollowedEvent, { units, cost }: EventUse): void {
	if (at < group.firstAt) group.firstAt = at;
	if (at > group.lastAt) group.lastAt = at;
	group.events += 1;
	if (group.units !== null && units !== null) group.units = plus(group.units, units);
	if (group.cost !== null && cost !== null) group.cost = plus(group.cost, cost);
}
