import { type Big, type Decimal, divide, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { CommittedUsage, CommittedWindow } from "../models/commitment";
import { type CommittedTerms, committedAmount } from "../models/committed-charge";
import { wholePeriod } from "../proration";
import type { CommitmentWindow } from "./commitment-windows";

/** A line states up to this many different windows. */
const statedWindowsMax = 20;

/** More places than any price has. The cost is cut there, which never changes its rounding half up. */
const costPlaces = 24;

/** The used units of a window and their cost, exact. */
export interface WindowUsage {
	readonly units: Big;
	readonly cost: Big;
}

/** The cost of a commitment over its windows, and the windows as a line states them. */
export interface CommittedCost {
	readonly cost: Decimal;
	readonly commitment: CommittedUsage;
}

/** Applies a commitment to the usage of each window. */
export function costOfCommitted(
	terms: CommittedTerms,
	windows: readonly CommitmentWindow[],
	used: readonly WindowUsage[],
): CommittedCost {
	const alike = new Map<string, CommittedWindow>();
	const texts = new Map<Big | undefined, Decimal>();
	for (const [at, { share, isOpen }] of windows.entries()) {
		const exactCost = used[at]?.cost;
		const cost = texts.get(exactCost) ?? toDecimal(exactCost ?? 0);
		texts.set(exactCost, cost);
		const key = `${cost}/${share?.partMs}/${share?.wholeMs}/${isOpen}`;
		const count = (alike.get(key)?.count ?? 0) + 1;
		alike.set(key, { cost, ...(share && { share }), ...(isOpen && { isOpen }), count });
	}
	const stated = [...alike.values()];
	return {
		cost: costOfWindows(terms, stated),
		commitment: {
			units: toDecimal(sum(used.map(({ units }) => units))),
			windows: windows.length,
			used: toDecimal(sum(used.map(({ cost }) => cost))),
			...(stated.length <= statedWindowsMax && { stated }),
		},
	};
}

/** Returns the sum over all windows of what each costs with the commitment, exact up to the cut. */
export function costOfWindows({ charge }: CommittedTerms, windows: readonly CommittedWindow[]): Decimal {
	const { commitment = {} } = charge.priceTerms ?? {};
	const whole = committedAmount(charge, commitment);
	// Windows with one denominator are added before they are divided.
	const parts = new Map<number, Big>();
	for (const { cost, share = wholePeriod, isOpen, count } of windows) {
		const owesTrueUp = !isOpen && commitment.isTrueUp !== false;
		const used = exact(cost).times(share.wholeMs);
		const committed = whole.times(share.partMs);
		const excess = used.minus(committed);
		const above = () => committed.plus(excess.times(commitment.overageFactor ?? 1));
		const charged = (excess.gte(0) ? above() : owesTrueUp ? committed : used).times(count);
		parts.set(share.wholeMs, (parts.get(share.wholeMs) ?? exact(0)).plus(charged));
	}
	const [denominator, numerator] = [...parts].reduce(
		([of, total], [wholeMs, part]) => [of.times(wholeMs), total.times(wholeMs).plus(part.times(of))],
		[exact(1), exact(0)],
	);
	return toDecimal(divide(numerator, denominator, costPlaces, "down"));
}
