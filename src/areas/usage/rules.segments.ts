import { anyValue, type Segment, type Segmentation, type VariantMatch } from "../pricing/models/segment";
import { valueTextOf } from "./aggregation/value-sets";
import type { DimensionValue, EventFacts } from "./rules";

/** The values of an event by dimension; undefined for a dimension that it does not have. */
export type ValueAt = (dimension: string) => DimensionValue | undefined;

/** Divides events into segments. */
export interface CompiledSegments {
	/** Returns the name of the event's segment. */
	readonly nameOf: (valueAt: ValueAt) => string;
	/** The names of all segments begin with it. */
	readonly prefix: string;
}

/** Combinations of values whose variant stays in memory, about 2 MB; beyond this, all are evicted. */
const rememberedMax = 10_000;

/** Longer combinations are matched each time, so that the memory is bounded in bytes. */
const rememberedCharactersMax = 200;

const noVariant = "";

/** Compiles a way to divide usage. `id` identifies it. */
export function compileSegments({ variants, groupBy }: Segmentation, id: string): CompiledSegments {
	const prefix = `${id} `;
	const variantOf = compileVariants(variants);
	// Without groups there are as many names as variants.
	const names = new Map<string, string>();
	return {
		prefix,
		nameOf: (valueAt) => {
			if (groupBy.length === 0) {
				const variant = variantOf(valueAt);
				const name = names.get(variant) ?? `${prefix}${JSON.stringify([variant])}`;
				names.set(variant, name);
				return name;
			}
			const groups = groupBy.map((dimension) => valueTextOf(valueAt(dimension) ?? ""));
			return `${prefix}${JSON.stringify([variantOf(valueAt), ...groups])}`;
		},
	};
}

export const valueIn =
	(facts: EventFacts): ValueAt =>
	(dimension) =>
		dimension === "eventName" ? facts.eventName : facts.dimension(dimension);

/** Reads the name of a segment. */
export function readSegment(name: string, prefix: string, { groupBy }: Segmentation): Segment {
	const [variantId = noVariant, ...values]: string[] = JSON.parse(name.slice(prefix.length));
	return {
		variantId: variantId === noVariant ? null : variantId,
		dimensions: Object.fromEntries(groupBy.map((dimension, at) => [dimension, values[at] ?? ""])),
	};
}

/** Returns a function that finds the id of the variant that matches an event best; empty for none. */
function compileVariants(variants: readonly VariantMatch[]): (valueAt: ValueAt) => string {
	const dimensions = [...new Set(variants.flatMap(({ match }) => Object.keys(match)))];
	const tests = variants.map(({ id, match }) => ({
		id,
		tests: Object.entries(match).map(([dimension, texts]) => ({
			place: dimensions.indexOf(dimension),
			texts: texts.includes(anyValue) ? null : new Set(texts),
		})),
	}));
	const remembered = new Map<string, string>();
	return (valueAt) => {
		const texts = dimensions.map((dimension) => {
			const value = valueAt(dimension);
			return value === undefined ? undefined : String(value);
		});
		const key = keyOf(texts);
		const known = remembered.get(key);
		if (known !== undefined) return known;
		const found = bestOf(tests, texts);
		if (remembered.size >= rememberedMax) remembered.clear();
		if (key.length <= rememberedCharactersMax) remembered.set(key, found);
		return found;
	};
}

/** A length before each text keeps two lists apart. */
function keyOf(texts: ReadonlyArray<string | undefined>): string {
	let key = "";
	for (const text of texts) key += text === undefined ? "-" : `${text.length}:${text}`;
	return key;
}

interface VariantTest {
	readonly id: string;
	readonly tests: ReadonlyArray<{ readonly place: number; readonly texts: ReadonlySet<string> | null }>;
}

/** Most dimensions by a named value first, then most by any value, then the earlier variant. */
function bestOf(variants: readonly VariantTest[], values: ReadonlyArray<string | undefined>): string {
	let best = { id: noVariant, named: -1, any: -1 };
	for (const { id, tests } of variants) {
		if (!tests.every(({ place, texts }) => matches(values[place], texts))) continue;
		const named = tests.filter(({ texts }) => texts !== null).length;
		const any = tests.length - named;
		if (named > best.named || (named === best.named && any > best.any)) best = { id, named, any };
	}
	return best.id;
}

const matches = (value: string | undefined, texts: ReadonlySet<string> | null): boolean =>
	value !== undefined && (texts === null || texts.has(value));
