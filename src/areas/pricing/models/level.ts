import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { UnitTransformation } from "../unit-conversion";
import type { PricedCharge } from "./charge";
import { hashOf } from "./segment";

/** The time that a level lasted, in milliseconds or in days. */
export interface LevelTime {
	readonly level: Decimal;
	readonly time: number;
}

/** The inputs of a level's time in addition to the counted part of its window. */
export interface LevelWindow {
	/** The window for all of which a level has its whole cost. */
	readonly whole: Period;
	/** The level before counts as 0. */
	readonly since: Instant;
	/** Each day of this zone counts its highest level. Missing: each millisecond counts. */
	readonly days?: {
		readonly timeZone: string;
		/** Nothing follows: the date of the end counts as a whole day. */
		readonly isEnd?: true;
	};
}

/** The levels of a window, over its whole time. */
export interface WeightedLevels {
	/** The time-weighted average: at most 12 decimal places. */
	readonly average: Decimal;
	/** The length of the whole window, in milliseconds or in days. */
	readonly wholeTime: number;
	readonly isByDay?: true;
	/** Missing: there are more than a line states. */
	readonly times?: readonly LevelTime[];
	/** The average that earlier bills of the window have charged. */
	readonly billed?: Decimal;
}

/** The price of a level. */
export interface LevelTerms {
	readonly charge: PricedCharge;
	readonly unitTransformation?: UnitTransformation | null;
}

/**
 * Returns one text for each price of a level over time: a level at another price is another charge. The highest levels of all prices
 * are one charge.
 */
export function levelPriceId({ charge, unitTransformation = null }: LevelTerms): string {
	const { price, tiersMode, tiers, blockSize, priceTerms } = charge;
	if (priceTerms?.usageMeasure === "PEAK") return "peak";
	return hashOf([price, tiersMode, tiers, blockSize, priceTerms?.countsDays ?? false, unitTransformation]);
}
