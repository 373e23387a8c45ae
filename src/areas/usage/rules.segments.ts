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

/** Combinations of values whose segment stays in memory, about 4 MB; beyond this, all are evicted. */
const rememberedMax = 10_000;

/** Longer combinations are matched each time, so that the memory is bounded in bytes. */
const rememberedCharactersMax = 200;

const noVariant = "";

/** Compiles a way to divide usage. `id` identifies it. */
export function compileSegments({ variants, groupBy }: Segmentation, id: string): CompiledSegments {
	const prefix = `${id} `;
	const dimensions = [...new Set([...variants.flatMap(({ match }) => Object.keys(match)), ...groupBy])];
	const variantOf = compileVariants(variants, dimensions);
	const groups = groupBy.map((dimension) => dimensions.indexOf(dimension));
	const nameFor = (texts: readonly Text[]): string =>
		`${prefix}${JSON.stringify([variantOf(texts), ...groups.map((place) => valueTextOf(texts[place] ?? ""))])}`;
	const remembered = new Map<DimensionValue | undefined, string>();
	const remember = (key: DimensionValue | undefined, texts: readonly Text[]): string => {
		const name = nameFor(texts);
		if (remembered.size >= rememberedMax) remembered.clear();
		if (typeof key !== "string" || key.length <= rememberedCharactersMax) remembered.set(key, name);
		return name;
	};
	const [first] = dimensions;
	// Most prices look at one dimension, whose value is the key.
	if (dimensions.length === 1 && first !== undefined)
		return {
			prefix,
			nameOf: (valueAt) => {
				const value = valueAt(first);
				return remembered.get(value) ?? remember(value, [textOf(value)]);
			},
		};
	return {
		prefix,
		nameOf: (valueAt) => {
			const texts = dimensions.map((dimension) => textOf(valueAt(dimension)));
			const key = keyOf(texts);
			return remembered.get(key) ?? remember(key, texts);
		},
	};
}

type Text = string | undefined;

const textOf = (value: DimensionValue | undefined): Text => (value === undefined ? undefined : String(value));

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

/**
 * Returns a function that finds the id of the variant that matches the values of dimensions best; empty for none. Variants are indexed by a
 * value that they name, so that few of them are compared with an event.
 */
function compileVariants(
	variants: readonly VariantMatch[],
	dimensions: readonly string[],
): (texts: readonly Text[]) => string {
	/** By place of the dimension. */
	const named = dimensions.map(() => new Map<string, VariantTest[]>());
	/** Those that name no value. */
	const others: VariantTest[] = [];
	for (const [at, { id, match }] of variants.entries()) {
		const tests = Object.entries(match).map(([dimension, texts]) => ({
			place: dimensions.indexOf(dimension),
			texts: texts.includes(anyValue) ? null : new Set(texts),
		}));
		const variant = { at, id, tests, named: tests.filter(({ texts }) => texts !== null).length };
		const key = tests.find(({ texts }) => texts !== null);
		if (!key?.texts) others.push(variant);
		else
			for (const text of key.texts) {
				const alike = named[key.place]?.get(text);
				if (alike) alike.push(variant);
				else named[key.place]?.set(text, [variant]);
			}
	}
	return (texts) => {
		let best = bestOf(undefined, others, texts);
		for (const [place, text] of texts.entries()) {
			const alike = text === undefined ? undefined : named[place]?.get(text);
			if (alike) best = bestOf(best, alike, texts);
		}
		return best?.id ?? noVariant;
	};
}

/** A length before each text keeps two lists apart. */
function keyOf(texts: readonly Text[]): string {
	let key = "";
	for (const text of texts) key += text === undefined ? "-" : `${text.length}:${text}`;
	return key;
}

interface VariantTest {
	/** Its place in the list. */
	readonly at: number;
	readonly id: string;
	readonly tests: ReadonlyArray<{ readonly place: number; readonly texts: ReadonlySet<string> | null }>;
	/** The number of dimensions that it matches by a named value; the others match any value. */
	readonly named: number;
}

function bestOf(
	former: VariantTest | undefined,
	variants: readonly VariantTest[],
	values: readonly Text[],
): VariantTest | undefined {
	let best = former;
	for (const variant of variants)
		if (variant.tests.every(({ place, texts }) => matches(values[place], texts)) && (!best || isBetter(variant, best)))
			best = variant;
	return best;
}

/** Most dimensions by a named value first, then most by any value, then the earlier variant. */
function isBetter(one: VariantTest, other: VariantTest): boolean {
	if (one.named !== other.named) return one.named > other.named;
	const [any, otherAny] = [one.tests.length - one.named, other.tests.length - other.named];
	return any === otherAny ? one.at < other.at : any > otherAny;
}

const matches = (value: Text, texts: ReadonlySet<string> | null): boolean =>
	value !== undefined && (texts === null || texts.has(value));
