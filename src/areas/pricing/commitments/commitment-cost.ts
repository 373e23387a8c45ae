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

/** The windows of a commitment that are added up, in order of time. Never changed. */
export interface CommittedSum {
	readonly windows: number;
	readonly units: Big;
	/** The cost of the usage, exact. */
	readonly used: Big;
	/** Different windows; undefined if there are more than a line states. */
	readonly stated: ReadonlyMap<string, CommittedWindow> | undefined;
	/** The costs of the windows with the commitment, by denominator. */
	readonly parts: CostParts;
}

/** Windows with one denominator are added before they are divided. */
type CostParts = ReadonlyMap<number, Big>;

export const noWindows: CommittedSum = {
	...{ windows: 0, units: exact(0), used: exact(0) },
	stated: new Map(),
	parts: new Map(),
};

/** Adds windows with their usage. */
export function addWindows(
	sum: CommittedSum,
	terms: CommittedTerms,
	windows: readonly CommitmentWindow[],
	used: readonly WindowUsage[],
): CommittedSum {
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
	return {
		windows: sum.windows + windows.length,
		units: sumOf(sum.units, used, "units"),
		used: sumOf(sum.used, used, "cost"),
		stated: sum.stated && statedWith(sum.stated, alike),
		parts: addParts(sum.parts, terms, [...alike.values()]),
	};
}

const sumOf = (before: Big, used: readonly WindowUsage[], name: keyof WindowUsage): Big =>
	before.plus(sum(used.map((one) => one[name])));

function statedWith(
	before: ReadonlyMap<string, CommittedWindow>,
	more: ReadonlyMap<string, CommittedWindow>,
): ReadonlyMap<string, CommittedWindow> | undefined {
	const stated = new Map(before);
	for (const [key, window] of more) stated.set(key, { ...window, count: window.count + (before.get(key)?.count ?? 0) });
	return stated.size <= statedWindowsMax ? stated : undefined;
}

/** Returns the cost of the windows that are added up. */
export const costOfSum = ({ windows, units, used, stated, parts }: CommittedSum): CommittedCost => ({
	cost: costOfParts(parts),
	commitment: {
		units: toDecimal(units),
		windows,
		used: toDecimal(used),
		...(stated && { stated: [...stated.values()] }),
	},
});

/** Returns the sum over all windows of what each costs with the commitment, exact up to the cut. */
export const costOfWindows = (terms: CommittedTerms, windows: readonly CommittedWindow[]): Decimal =>
	costOfParts(addParts(new Map(), terms, windows));

function addParts(before: CostParts, { charge }: CommittedTerms, windows: readonly CommittedWindow[]): CostParts {
	const { commitment = {} } = charge.priceTerms ?? {};
	const whole = committedAmount(charge, commitment);
	const parts = new Map(before);
	for (const { cost, share = wholePeriod, isOpen, count } of windows) {
		const owesTrueUp = !isOpen && commitment.isTrueUp !== false;
		const used = exact(cost).times(share.wholeMs);
		const committed = whole.times(share.partMs);
		const excess = used.minus(committed);
		const above = () => committed.plus(excess.times(commitment.overageFactor ?? 1));
		const charged = (excess.gte(0) ? above() : owesTrueUp ? committed : used).times(count);
		parts.set(share.wholeMs, (parts.get(share.wholeMs) ?? exact(0)).plus(charged));
	}
	return parts;
}

function costOfParts(parts: CostParts): Decimal {
	const [denominator, numerator] = [...parts].reduce(
		([of, total], [wholeMs, part]) => [of.times(wholeMs), total.times(wholeMs).plus(part.times(of))],
		[exact(1), exact(0)],
	);
	return toDecimal(divide(numerator, denominator, costPlaces, "down"));
}
