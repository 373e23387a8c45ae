import { type Decimal, zero } from "../../../../kernel/decimal";
import type { MeterAggregation, MeterFilter } from "../../../features/schema";
import type { Dimensions } from "../../../pricing/models/formula";
import type { UnitTransformation } from "../../../pricing/unit-conversion";
import { amountOf, compileField, compileFilters, decimalOf, type EventFacts } from "../../../usage/rules";
import { costOf, pricesWholeUnits, type UseRate } from "../../costs/rules";

/** The pricing of events of a feature: its meter, units and rate. Plain data, because it is stored. */
export interface EventPricing {
	readonly aggregation: MeterAggregation;
	readonly filters: readonly MeterFilter[];
	readonly unitTransformation: UnitTransformation | null;
	readonly rate: UseRate & { readonly currencyId: string };
}

/** The price of one event: the counted units that it adds, or its cost where a formula prices it. */
export type PricedEvent =
	| { readonly units: Decimal; readonly cost: null }
	| { readonly units: null; readonly cost: Decimal };

/** Prices an event; undefined where the meter does not count it or where it costs nothing. */
export type PriceEvent = (event: EventFacts, dimensions: () => Dimensions) => PricedEvent | undefined;

/**
 * Returns a function that prices single events. Negative usage costs nothing, as with reports. Without a formula, an event also costs
 * nothing if a single event of its meter adds no definite number of units (docs/interface/usage.md, UNSUPPORTED_AGGREGATION).
 */
export function pricerOf({ aggregation, filters, unitTransformation, rate }: EventPricing): PriceEvent {
	const matches = compileFilters(filters);
	const fieldOf = compileField({ aggregation, filters });
	const unitsOf = (event: EventFacts): Decimal => {
		if (aggregation.function === "COUNT") return "1" as Decimal;
		return aggregation.function === "SUM" ? decimalOf(amountOf(fieldOf(event))) : zero;
	};
	return (event, dimensions) => {
		if (!matches(event)) return undefined;
		const units = unitsOf(event);
		if (units.startsWith("-")) return undefined;
		if (rate.costFormula === null) return units === zero ? undefined : { units, cost: null };
		const cost = costOf(rate, { added: units, dimensions: dimensions() }, unitTransformation, zero);
		return cost === zero ? undefined : { units: null, cost };
	};
}

/** Whether the cost of an event depends on earlier usage. */
export const pricesWholeUnitsOf = ({ rate, unitTransformation }: EventPricing): boolean =>
	pricesWholeUnits(rate, unitTransformation);

/** Returns the cost of units that all have the same price. */
export const costOfUnits = ({ rate, unitTransformation }: EventPricing, units: Decimal): Decimal =>
	costOf(rate, { added: units, dimensions: {} }, unitTransformation, zero);

/** Up to this many events of a step have ledger entries of their own, with their id and all dimensions. */
export const singleEventsMax = 64;

/** The values of one dimension, and their combinations, that grouped events distinguish. */
const valuesMax = 16;
const combinationsMax = 64;

/** A dimension with fewer different values is not treated as an id. */
const idsMin = 8;

/** Returns the dimensions of a sample of events whose value differs for more than half of the events, as ids do. */
export function idDimensions(sample: readonly Dimensions[]): ReadonlySet<string> {
	const values = new Map<string, { readonly different: Set<string>; events: number }>();
	for (const dimensions of sample)
		for (const [name, value] of Object.entries(dimensions)) {
			const known = values.get(name) ?? { different: new Set(), events: 0 };
			known.different.add(String(value));
			known.events += 1;
			values.set(name, known);
		}
	const ids = [...values].filter(
		([, { different, events }]) => different.size >= idsMin && different.size * 2 > events,
	);
	return new Set(ids.map(([name]) => name));
}

/**
 * Selects the dimensions that grouped events of one customer retain: those with few values. So consumption can be shown by model or
 * region, and an id that differs for each event does not create an entry of its own.
 */
export class RetainedDimensions {
	/** By name; undefined for dimensions with too many values. */
	readonly #values = new Map<string, Set<string> | undefined>();
	readonly #combinations = new Set<string>();
	readonly #ids: ReadonlySet<string>;

	constructor(ids: ReadonlySet<string> = new Set()) {
		this.#ids = ids;
	}

	/** Returns the retained dimensions of an event; null for none. */
	of(dimensions: Dimensions): Dimensions | null {
		const retained = Object.entries(dimensions).filter(([name, value]) => this.#retains(name, String(value)));
		if (retained.length === 0) return null;
		retained.sort(([one], [other]) => (one < other ? -1 : 1));
		const combination = JSON.stringify(retained);
		if (!this.#combinations.has(combination)) {
			if (this.#combinations.size >= combinationsMax) return null;
			this.#combinations.add(combination);
		}
		return Object.fromEntries(retained);
	}

	#retains(name: string, value: string): boolean {
		if (this.#ids.has(name)) return false;
		if (!this.#values.has(name)) this.#values.set(name, new Set());
		const values = this.#values.get(name);
		values?.add(value);
		if (values !== undefined && values.size <= valuesMax) return true;
		this.#values.set(name, undefined);
		return false;
	}
}
