import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import type { PricedCharge } from "./models/charge";
import { type Segment, type SegmentUsage, segmentLinesMax } from "./models/segment";
import { chargeOfSegment } from "./models/segmented-charge";
import { rateUsage } from "./models/usage";
import type { UnitTransformation } from "./unit-conversion";

/** The price of usage that is divided into segments. */
export interface SegmentedTerms {
	readonly charge: PricedCharge;
	readonly unitTransformation?: UnitTransformation | null;
}

/** The segments of a window as its last bill has them. */
export interface BilledSegments {
	readonly count: number;
	/** Missing: one line charged all of them. */
	readonly lines?: readonly SegmentUsage[];
}

/** A segment with the part of its usage that earlier bills have charged. */
export interface SegmentLine extends SegmentUsage {
	readonly billed: Decimal;
}

/** The segments of a window, and what they cost together. */
export interface SegmentedUsage {
	/** The sum of the lines, before the minimum and the maximum. */
	readonly cost: Decimal;
	readonly count: number;
	/** Missing: one line charges all of them. */
	readonly lines?: readonly SegmentLine[];
}

/**
 * Prices each segment by itself, and rounds each line once. Usage that was canceled after its bill is not refunded. If one line
 * charges all segments, it alone is rounded, and stays the line of its window.
 */
export function costOfSegments(
	terms: SegmentedTerms,
	used: readonly SegmentUsage[],
	before: BilledSegments | undefined,
	currency: string,
): SegmentedUsage {
	const lines = withBilled(used, before?.lines ?? []);
	const costOf = (segment: Segment, usage: Decimal) =>
		rateUsage(chargeOfSegment(terms.charge, segment), usage, terms.unitTransformation ?? null).amount;
	const costs = lines.map((line) => costOf(line, highest(line)));
	const count = Math.max(lines.length, before?.count ?? 0);
	if (count > segmentLinesMax || (before && !before.lines))
		return { cost: toDecimal(roundToMinor(sum(costs), currency)), count };
	return { cost: toDecimal(sum(costs.map((cost) => roundToMinor(cost, currency)))), count, lines };
}

/** Returns the segments as a bill leaves them. */
export const billedSegments = ({ count, lines }: SegmentedUsage): BilledSegments => ({
	count,
	...(lines && { lines: lines.map(({ billed, ...line }) => ({ ...line, quantity: highest({ ...line, billed }) })) }),
});

/** Whether two segments are the same. */
export const isSameSegment = (one: Segment | undefined, other: Segment | undefined): boolean =>
	one === other || (one !== undefined && other !== undefined && segmentKey(one) === segmentKey(other));

/** Returns the name of a segment after that of its feature, such as "large, region eu"; empty for the default price. */
export const segmentText = ({ variantId, dimensions }: Segment): string =>
	[
		...(variantId === null ? [] : [variantId]),
		...Object.entries(dimensions).map(([dimension, value]) =>
			value === "" ? `no ${dimension}` : `${dimension} ${value}`,
		),
	].join(", ");

function withBilled(used: readonly SegmentUsage[], before: readonly SegmentUsage[]): SegmentLine[] {
	const billed = new Map(before.map((one) => [segmentKey(one), one]));
	const lines = used.map((one) => {
		const name = segmentKey(one);
		const line = { ...one, billed: billed.get(name)?.quantity ?? zero };
		billed.delete(name);
		return line;
	});
	return [...lines, ...[...billed.values()].map((one) => ({ ...one, quantity: zero, billed: one.quantity }))];
}

/** Returns one text for each segment of a price. */
export const segmentKey = ({ variantId, dimensions }: Segment): string =>
	JSON.stringify([variantId, Object.entries(dimensions)]);

const highest = ({ quantity, billed }: Pick<SegmentLine, "quantity" | "billed">): Decimal =>
	exact(billed).gt(exact(quantity)) ? billed : quantity;
