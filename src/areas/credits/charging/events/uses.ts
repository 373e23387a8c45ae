import type { Instant } from "../../../../kernel/clock";
import { type Decimal, plus } from "../../../../kernel/decimal";
import type { Dimensions } from "../../../pricing/models/formula";
import type { FollowedEvent } from "../../../usage/operations.following";
import type { EventUse, FeaturePrice, PricedCustomer } from "./event-prices";
import { idDimensions, KeptDimensions, singleEventsMax } from "./rules";

const hourMs = 3_600_000;

/** In which hour since the epoch, UTC. */
export const hourOf = (at: Instant): number => Math.floor(at / hourMs);

/** What events of one customer take together: one event, or many of the same feature, hour, price and dimensions. */
export interface UseGroup {
	readonly by: FeaturePrice;
	/** The caller's id; null where they name none. */
	readonly resourceRef: string | null;
	readonly hour: number;
	readonly periodStart: Instant | null;
	readonly dimensions: Dimensions | null;
	firstAt: Instant;
	lastAt: Instant;
	events: number;
	/** Null where a formula prices each event: then what they cost together. */
	units: Decimal | null;
	cost: Decimal | null;
	/** The position of the event, where it is one by itself. */
	readonly position: number | null;
}

/** What one customer's events of a step take. */
export interface CustomerUses {
	/** By which the log names the customer. */
	readonly number: number;
	readonly customer: PricedCustomer;
	readonly groups: readonly UseGroup[];
}

interface OfCustomer {
	readonly customer: PricedCustomer;
	readonly groups: Map<string, UseGroup>;
	/** By feature. */
	readonly kept: Map<string, KeptDimensions>;
}

interface Use {
	readonly event: FollowedEvent;
	readonly customer: PricedCustomer;
	readonly use: EventUse;
}

/**
 * What the events of a step cost, by customer. A few take credits one by one; of many those that are alike do so together, so
 * that the ledger grows by hours and features and not by events.
 */
export class StepUses {
	/** In the order of the log, as long as they are few. */
	#single: Use[] | undefined = [];
	readonly #customers = new Map<number, OfCustomer>();
	/** Dimensions that are ids, by feature. */
	readonly #ids = new Map<string, ReadonlySet<string>>();
	#largest = 0;

	/** The most groups of one customer: what one transaction has to write. */
	get largest(): number {
		return this.#largest;
	}

	add(event: FollowedEvent, customer: PricedCustomer, uses: readonly EventUse[]): void {
		for (const use of uses) {
			if (this.#single && this.#single.length < singleEventsMax) {
				this.#single.push({ event, customer, use });
				continue;
			}
			this.#foldSingle();
			this.#fold({ event, customer, use });
		}
	}

	/** By customer (the log's number), ascending. */
	byCustomer(): CustomerUses[] {
		for (const { event, customer, use } of this.#single ?? []) {
			const { groups } = this.#of(event.customer, customer);
			groups.set(`${event.position} ${use.by.feature.id}`, groupOf(event, use, event.dimensions(), event.position));
		}
		this.#single = undefined;
		return [...this.#customers]
			.map(([number, { customer, groups }]) => ({ number, customer, groups: [...groups.values()] }))
			.sort((one, other) => one.number - other.number);
	}

	/** They are too many to take credits one by one; of them it is seen what tells events apart. */
	#foldSingle(): void {
		const single = this.#single ?? [];
		this.#single = undefined;
		for (const [featureId, those] of Map.groupBy(single, ({ use }) => use.by.feature.id))
			this.#ids.set(featureId, idDimensions(those.map(({ event }) => event.dimensions())));
		for (const one of single) this.#fold(one);
	}

	#fold({ event, customer, use }: Use): void {
		const { groups, kept } = this.#of(event.customer, customer);
		const { by, periodStart } = use;
		const ofFeature = kept.get(by.feature.id) ?? new KeptDimensions(this.#ids.get(by.feature.id));
		kept.set(by.feature.id, ofFeature);
		const dimensions = ofFeature.of(event.dimensions());
		const key = JSON.stringify([
			by.pricingId,
			by.feature.id,
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

	#of(number: number, customer: PricedCustomer): OfCustomer {
		const known = this.#customers.get(number);
		if (known) return known;
		const made = { customer, groups: new Map(), kept: new Map() };
		this.#customers.set(number, made);
		return made;
	}
}

const groupOf = (
	{ resourceRef, at }: FollowedEvent,
	{ by, periodStart, units, cost }: EventUse,
	dimensions: Dimensions | null,
	position: number | null,
): UseGroup => ({
	...{ by, resourceRef, periodStart, units, cost, position },
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
