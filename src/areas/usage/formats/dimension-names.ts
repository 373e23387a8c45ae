import type { UsageEvent } from "../schema";
import { isObject } from "./json";
import { dimensionNamesMax } from "./limits";

export type Dimensions = NonNullable<UsageEvent["dimensions"]>;

/**
 * Counts the dimension names of one request, once for each list of names in an order of its own. Events with the same
 * names cost almost nothing. Each new list costs as much as it has names, to write and to read.
 */
export class DimensionNames {
	readonly #sets = new Set<string>();
	#names = 0;
	#last: readonly string[] = [];

	/**
	 * Returns the fault, as a predicate of the event; undefined within the limit. The event need not be validated yet.
	 */
	excessWith(event: unknown): string | undefined {
		const dimensions = isObject(event) ? event.dimensions : undefined;
		if (!isObject(dimensions) || hasNames(dimensions, this.#last)) return undefined;
		this.#last = Object.keys(dimensions);
		const text = textOfNames(this.#last);
		if (this.#sets.has(text)) return undefined;
		this.#sets.add(text);
		this.#names += this.#last.length;
		if (this.#names <= dimensionNamesMax) return undefined;
		return `brings the dimension names of the request, all their combinations taken together, to more than ${dimensionNamesMax}; give events the same dimensions in the same order, or send fewer at once`;
	}
}

/** Whether the dimensions have these names, in this order. */
export function hasNames(dimensions: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
	let at = 0;
	for (const name in dimensions) {
		if (names[at] !== name) return false;
		at += 1;
	}
	return at === names.length;
}

/** Returns a text that no other list of names has: each name follows its length. */
export const textOfNames = (names: readonly string[]): string => names.map((name) => `${name.length}:${name}`).join("");
