import { type Big, type Decimal, divide, exact, toDecimal } from "../../kernel/decimal";
import type { LevelTerms, LevelTime, WeightedLevels } from "./models/level";
import { rateUsage } from "./models/usage";

/** A line states up to this many levels with their times. */
const statedLevelsMax = 20;

/**
 * More places than any price has. The cost is cut there, not rounded: rounding half up to fewer places then gives the same as
 * rounding the exact cost.
 */
const costPlaces = 24;

/** As for a meter's average. */
const averagePlaces = 12;

/** Returns the exact cost of a level for a whole window. */
export const costOfLevel = ({ charge, unitTransformation = null }: LevelTerms, level: Decimal) =>
	rateUsage({ ...charge, priceTerms: null }, level, unitTransformation).amount;

/** The cost of levels over a window, and the levels as its line states them. */
export interface LevelCost {
	readonly cost: Decimal;
	readonly levels: WeightedLevels;
}

/** The cost of levels that are counted so far, times the whole time. */
export interface LevelSum {
	readonly cost: Big;
	/** Each level times its time. */
	readonly area: Big;
	/** The first levels with their times: one more than a line states, if there are more. */
	readonly stated: ReadonlyMap<Decimal, number>;
}

export const noLevels: LevelSum = { cost: exact(0), area: exact(0), stated: new Map() };

/** Adds the cost of each level for its time. `times` may name a level several times. */
export function addLevels(sum: LevelSum, terms: LevelTerms, times: Iterable<LevelTime>): LevelSum {
	let { cost, area } = sum;
	const stated = new Map(sum.stated);
	for (const { level, time } of times) {
		cost = cost.plus(costOfLevel(terms, level).times(time));
		area = area.plus(exact(level).times(time));
		if (stated.size <= statedLevelsMax) stated.set(level, (stated.get(level) ?? 0) + time);
	}
	return { cost, area, stated };
}

/** Returns the cost of the levels of a window, of which they may be a part. */
export function costOfSum({ cost, area, stated }: LevelSum, terms: LevelTerms, wholeTime: number): LevelCost {
	const whole = exact(wholeTime);
	const isStated = stated.size <= statedLevelsMax;
	return {
		cost: toDecimal(divide(cost, whole, costPlaces, "down")),
		levels: {
			average: toDecimal(divide(area, whole, averagePlaces, "half-up")),
			wholeTime,
			...(terms.charge.priceTerms?.countsDays && { isByDay: true }),
			...(isStated && { times: Array.from(stated, ([level, time]) => ({ level, time })) }),
		},
	};
}

/** Adds up the cost of each level for its part of the whole time. `times` may name a level several times. */
export const costOfLevels = (terms: LevelTerms, times: Iterable<LevelTime>, wholeTime: number): LevelCost =>
	costOfSum(addLevels(noLevels, terms, times), terms, wholeTime);
