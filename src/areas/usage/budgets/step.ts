import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Dimensions } from "../../pricing/models/formula";
import { ExactSum } from "../aggregation/exact-sum";
import type { EventBlock, Shape } from "../blocks/event-block";
import { foundIn, ShapeCount } from "../counting/tally";
import type { LogSlice } from "../log/log-reader";
import { amountOf, type DimensionValue } from "../rules";
import type {
	AttributedEvents,
	CountedSpan,
	GovernedCustomer,
	GovernedEnvironment,
	GovernedEvents,
	NamedByEvents,
} from "./governed-events";

/** The values of a dimension by which events of one shape are attributed. */
interface KeyColumn {
	readonly key: string;
	readonly values: readonly DimensionValue[];
}

interface GovernedShape {
	readonly count: ShapeCount;
	readonly columns: readonly KeyColumn[];
	/** The keys as one text. */
	readonly keys: string;
}

const separator = "\u0000";

/** Adds up the events of one step, by attribution, meter and span. Each event costs a look-up by the text of its attribution. */
export class EventStep {
	readonly #governed: GovernedEvents;
	/** The spans with events, in the order of their first ones. */
	readonly spans: CountedSpan[] = [];
	readonly #named = new Map<GovernedCustomer, Map<string, NamedByEvents>>();

	constructor(governed: GovernedEvents) {
		this.#governed = governed;
	}

	add({ block, from, to }: LogSlice, canceled: ReadonlySet<number>): void {
		const shapes = new Map<GovernedEnvironment, GovernedShape[]>();
		for (let index = from; index < to; index += 1) {
			const customer = this.#governed.customer(block.customer(index));
			if (customer === null || (canceled.size > 0 && canceled.has(block.firstEvent + index))) continue;
			const { environment } = customer;
			let ofEnvironment = shapes.get(environment);
			if (ofEnvironment === undefined) {
				ofEnvironment = block.shapes.map((shape) => governedShape(shape, environment));
				shapes.set(environment, ofEnvironment);
			}
			const shape = ofEnvironment[block.shapeIndex(index)];
			assert(shape, "every event of the log has a shape");
			if (shape.columns.length > 0) this.#addEvent(customer, shape, block, index);
		}
	}

	#addEvent(
		customer: GovernedCustomer,
		{ count, columns, keys }: GovernedShape,
		block: EventBlock,
		index: number,
	): void {
		const takes = count.takesOf(block, index);
		if (takes.length === 0) return;
		const rank = block.rank(index);
		let text = keys;
		for (const { values } of columns) text += `${separator}${values[rank]}`;
		const attributed = customer.attributed.get(text) ?? this.#attribute(customer, text, columns, rank, block.at(index));
		if (!attributed) return;
		for (const take of takes) {
			const span = attributed.spanOf(take.counter, block.at(index));
			if (!span || span.span.windows.length === 0) continue;
			if (span.sum === undefined) {
				span.sum = new ExactSum();
				this.spans.push(span);
			}
			span.sum.add(take.counter.field === undefined ? 1 : amountOf(foundIn(take, rank)));
		}
	}

	/** Returns the entities to create before the step can be counted, by environment, the earliest first. None if all entities exist. */
	named(): NamedByEvents[] {
		const all = [...this.#named.values()].flatMap((ofCustomer) => [...ofCustomer.values()]);
		const byEnvironment = Map.groupBy(all, ({ customer }) => customer.environment).values();
		return [...byEnvironment].flatMap((named) => named.sort((one, other) => one.at - other.at));
	}

	#attribute(
		customer: GovernedCustomer,
		text: string,
		columns: readonly KeyColumn[],
		rank: number,
		at: Instant,
	): AttributedEvents | undefined {
		const named = this.#named.get(customer)?.get(text);
		if (named) {
			if (at < named.at) named.at = at;
			return undefined;
		}
		const dimensions = dimensionsOf(columns, rank);
		const found = this.#governed.attributed(customer, text, dimensions);
		if (found) return found;
		const ofCustomer = this.#named.get(customer) ?? new Map<string, NamedByEvents>();
		this.#named.set(customer, ofCustomer.set(text, { customer, dimensions, at }));
		return undefined;
	}

	/** Discards the sums, after they are written or if they cannot be. */
	clear(): void {
		for (const span of this.spans) span.sum = undefined;
		this.spans.length = 0;
	}
}

function governedShape(shape: Shape, { counters, keys }: GovernedEnvironment): GovernedShape {
	const columns = keys.flatMap((ofType) => {
		for (const key of ofType) {
			const values = shape.column(key);
			if (values !== undefined) return [{ key, values }];
		}
		return [];
	});
	return {
		count: new ShapeCount(shape, counters),
		columns,
		keys: columns.map(({ key }) => key).join(separator),
	};
}

const dimensionsOf = (columns: readonly KeyColumn[], rank: number): Dimensions =>
	Object.fromEntries(columns.map(({ key, values }) => [key, values[rank] ?? ""]));
