import type { Decimal } from "../../../kernel/decimal";
import type { UnitPrice } from "./unit-price";

/** The events that a variant of a price matches. */
export interface VariantMatch {
	readonly id: string;
	/** The texts of each dimension that match; `["*"]` matches any value. */
	readonly match: Readonly<Record<string, readonly string[]>>;
}

/** How usage is divided into segments, each of which is metered by itself. */
export interface Segmentation {
	readonly variants: readonly VariantMatch[];
	/** Each combination of values of these dimensions is a segment. */
	readonly groupBy: readonly string[];
}

/** A variant with its price. */
export type PriceVariant = VariantMatch & UnitPrice;

export interface SegmentedPrice extends Segmentation {
	readonly variants: readonly PriceVariant[];
}

/** A part of the usage of a feature that has a price of its own, or is metered by itself. */
export interface Segment {
	/** Null: the default price. */
	readonly variantId: string | null;
	/** The values of `groupBy`; an absent dimension is empty. */
	readonly dimensions: Readonly<Record<string, string>>;
}

/** The usage of a segment, in reported units. */
export interface SegmentUsage extends Segment {
	readonly quantity: Decimal;
}

/** More segments share one line. */
export const segmentLinesMax = 1000;

/** The value that any present value matches. */
export const anyValue = "*";

/** Returns one text for each way to divide usage, under which files hold its totals. So it never changes. */
export const segmentationId = ({ variants, groupBy }: Segmentation): string =>
	hashOf([
		variants.map(({ id, match }) => [
			id,
			Object.entries(match)
				.map(([dimension, texts]) => [dimension, texts.toSorted()] as const)
				.sort(([one], [other]) => (one < other ? -1 : 1)),
		]),
		groupBy,
	]);

/** Returns one text for equal values. */
export const hashOf = (value: unknown): string =>
	new Bun.CryptoHasher("sha256").update(JSON.stringify(value, inOrder)).digest("hex").slice(0, 20);

/** Equal objects have one text, whatever the order of their keys. */
const inOrder = (_: string, value: unknown): unknown =>
	value !== null && typeof value === "object" && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** Returns the way in which a price divides usage. */
export const segmentationOf = ({ variants, groupBy }: SegmentedPrice): Segmentation => ({
	variants: variants.map(({ id, match }) => ({ id, match })),
	groupBy,
});
