import { type Decimal, zero } from "../../../../kernel/decimal";
import type { MeterAggregation, MeterFilter } from "../../../features/schema";
import type { Dimensions } from "../../../pricing/models/formula";
import type { UnitTransformation } from "../../../pricing/models/usage";
import { amountOf, compileField, compileFilters, decimalOf, type EventFacts } from "../../../usage/rules";
import { costOf, pricesWholeUnits, type UseRate } from "../../costs/rules";

/** How the events of a feature are priced: what its meter counts, in which units, at which rate. Plain data, since it is kept. */
export interface EventPricing {
	readonly aggregation: MeterAggregation;
	readonly filters: readonly MeterFilter[];
	readonly unitTransformation: UnitTransformation | null;
	readonly rate: UseRate & { readonly currencyId: string };
}

/** What one event comes to: what it adds, in the units that are counted, or where a formula prices it what it costs. */
export type PricedEvent =
	| { readonly units: Decimal; readonly cost: null }
	| { readonly units: null; readonly cost: Decimal };

/** An event's price by a pricing; undefined where the meter does not take it, or where it costs nothing. */
export type PriceEvent = (event: EventFacts, dimensions: () => Dimensions) => PricedEvent | undefined;

/**
 * Prices single events. What takes usage back (a negative value) costs nothing, as with reports; and so does an event of a meter
 * of which it cannot be said what one event adds, but by a formula (docs/interface/usage.md, UNSUPPORTED_AGGREGATION).
 */
export function pricerOf({ aggregation, filters, unitTransformation, rate }: EventPricing): PriceEvent {
	const takes = compileFilters(filters);
	const fieldOf = compileField({ aggregation, filters });
	const unitsOf = (event: EventFacts): Decimal => {
		if (aggregation.function === "COUNT") return "1" as Decimal;
		return aggregation.function === "SUM" ? decimalOf(amountOf(fieldOf(event))) : zero;
	};
	return (event, dimensions) => {
		if (!takes(event)) return undefined;
		const units = unitsOf(event);
		if (units.startsWith("-")) return undefined;
		if (rate.costFormula === null) return units === zero ? undefined : { units, cost: null };
		const cost = costOf(rate, { added: units, dimensions: dimensions() }, unitTransformation, zero);
		return cost === zero ? undefined : { units: null, cost };
	};
}

/** Whether what an event costs depends on what was used before it. */
export const isPricedByWholeUnits = ({ rate, unitTransformation }: EventPricing): boolean =>
	pricesWholeUnits(rate, unitTransformation);

/** What units cost that are priced one like the other. */
export const costOfUnits = ({ rate, unitTransformation }: EventPricing, units: Decimal): Decimal =>
	costOf(rate, { added: units, dimensions: {} }, unitTransformation, zero);

/** Our choice: events of one look that take credits one by one, each with its own id and all of its dimensions. */
export const singleEventsMax = 64;

/** Our choices: values of one dimension, and combinations of them, that are told apart where many events are taken together. */
const valuesMax = 16;
const combinationsMax = 64;

/** Our choice: from so many different values on it is looked at whether they are those of ids. */
const idsMin = 8;

/** Of some events of one feature, the dimensions that are another with more than every second event, as ids are. */
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
 * Which dimensions are kept where many events of one customer are taken together: those that have few values, so that what
 * was consumed can be told by model or region, and an id that is another with each event makes no entry of its own.
 */
export class KeptDimensions {
	/** By name; undefined for those that have too many values. */
	readonly #values = new Map<string, Set<string> | undefined>();
	readonly #combinations = new Set<string>();
	readonly #ids: ReadonlySet<string>;

	constructor(ids: ReadonlySet<string> = new Set()) {
		this.#ids = ids;
	}

	/** What is kept of an event's dimensions; null for nothing. */
	of(dimensions: Dimensions): Dimensions | null {
		const kept = Object.entries(dimensions).filter(([name, value]) => this.#keeps(name, String(value)));
		if (kept.length === 0) return null;
		kept.sort(([one], [other]) => (one < other ? -1 : 1));
		const combination = JSON.stringify(kept);
		if (!this.#combinations.has(combination)) {
			if (this.#combinations.size >= combinationsMax) return null;
			this.#combinations.add(combination);
		}
		return Object.fromEntries(kept);
	}

	#keeps(name: string, value: string): boolean {
		if (this.#ids.has(name)) return false;
		if (!this.#values.has(name)) this.#values.set(name, new Set());
		const values = this.#values.get(name);
		values?.add(value);
		if (values !== undefined && values.size <= valuesMax) return true;
		this.#values.set(name, undefined);
		return false;
	}
}
