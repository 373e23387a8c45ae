import { type Decimal, isLess, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import { addLevels, type LevelSum, noLevels } from "../../pricing/level-cost";
import type { LevelTerms, LevelTime } from "../../pricing/models/level";

/** A time without a change of the level. A level below 0 counts as 0. */
export interface Stretch extends Period {
	readonly level: Decimal;
}

/**
 * A calculation over the levels of a series in order of time, which can stop at any change and continue later with the same result.
 * States are never changed once `pause` has returned them.
 */
export interface LevelFold<State, Result> {
	/** Distinguishes the calculation from others over the same levels. */
	readonly id: string;
	readonly none: State;
	/** Begins with a state, and adds stretches to it. */
	from(state: State): LevelSumming<State>;
	/** Returns the result of a state to which all stretches are added. */
	resultOf(state: State): Result;
}

interface LevelSumming<State> {
	add(stretch: Stretch): void;
	/** Returns the state, from which another run can continue. */
	pause(): State;
}

/** The highest level, at least 0. */
export const highestFold: LevelFold<Decimal, Decimal> = {
	id: "highest",
	none: zero,
	from: (state) => {
		let highest = state;
		return {
			add: ({ level }) => {
				if (isLess(highest, level)) highest = level;
			},
			pause: () => highest,
		};
	},
	resultOf: (highest) => highest,
};

/** Levels in memory at once. Most series have few. */
const levelsAtOnceMax = 10_000;

/** Adds up the cost of each level for its milliseconds. `priceId` names the price. */
export const costFold = (terms: LevelTerms, priceId: string): LevelFold<LevelSum, LevelSum> => ({
	id: `cost/${priceId}`,
	none: noLevels,
	from: (state) => {
		let sum = state;
		const times = new Map<Decimal, number>();
		const pause = () => {
			if (times.size > 0) sum = addLevels(sum, terms, listed(times));
			times.clear();
			return sum;
		};
		return {
			add: ({ level, start, end }) => {
				if (times.size >= levelsAtOnceMax && !times.has(level)) pause();
				times.set(level, (times.get(level) ?? 0) + end - start);
			},
			pause,
		};
	},
	resultOf: (sum) => sum,
});

/** The highest levels of days, up to the last one that has any. */
interface HighestOfDays {
	/** The first day that a later stretch can be in. */
	readonly day: number;
	readonly highest: readonly Decimal[];
}

/** Finds the days of each highest level. `days` are half-open, ascending and adjacent. */
export const daysFold = (days: readonly Period[]): LevelFold<HighestOfDays, LevelTime[]> => ({
	id: `days/${days[0]?.start}/${days.length}/${days.at(-1)?.start}`,
	none: { day: 0, highest: [] },
	from: (state) => {
		let { day } = state;
		const highest = [...state.highest];
		return {
			add: ({ level, start, end }) => {
				while (day < days.length && (days[day]?.end ?? 0) <= start) day += 1;
				for (let at = day; at < days.length && (days[at]?.start ?? 0) < end; at += 1)
					if (isLess(highest[at] ?? zero, level)) highest[at] = level;
			},
			pause: () => ({ day, highest: [...highest] }),
		};
	},
	resultOf: ({ highest }) => {
		const counts = new Map<Decimal, number>();
		for (const at of days.keys()) {
			const level = highest[at] ?? zero;
			counts.set(level, (counts.get(level) ?? 0) + 1);
		}
		return listed(counts);
	},
});

const listed = (times: ReadonlyMap<Decimal, number>): LevelTime[] =>
	Array.from(times, ([level, time]) => ({ level, time }));
