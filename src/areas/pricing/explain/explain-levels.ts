import { type Decimal, toDecimal } from "../../../kernel/decimal";
import type { LineBasis } from "../basis";
import { costOfLevel } from "../level-cost";
import type { RatedCharge } from "../models/charge";
import type { WeightedLevels } from "../models/level";
import { costOfWindow, type WindowPrice } from "../window-cost";
import { bounded, boundsText } from "./explain-bounds";
import { type Step, signed } from "./steps";

/** Returns the steps of levels over time: their average and their cost. An earlier bill stores its cost alone. */
export function levelSteps(
	price: WindowPrice & LineBasis,
	usage: Decimal,
	isEnded: boolean,
	[units, cost, levels]: readonly [Step["of"], Step["of"], WeightedLevels?],
): { readonly rated: RatedCharge; readonly steps: Step[] } {
	const rated = costOfWindow(price, usage, isEnded);
	const average: Step[] = levels
		? [{ of: units, text: averageText(levels), arithmetic: averageArithmetic(levels), value: levels.average }]
		: [];
	// A level that was billed and lowered since is not refunded.
	const isOwn = levels?.times !== undefined && usage === price.quantity;
	const own = isOwn ? costArithmetic(price, levels) : signed(usage);
	const text = levels ? boundsText(price) : "The cost that earlier invoices billed.";
	return {
		rated,
		steps: [...average, { of: cost, text, arithmetic: bounded(price, own), value: toDecimal(rated.amount) }],
	};
}

const averageText = ({ isByDay }: WeightedLevels): string =>
	isByDay
		? "The average of the highest level of each day, over the days of the whole window."
		: "The average of the levels, over the milliseconds of the whole window.";

const averageArithmetic = ({ times, wholeTime, average }: WeightedLevels): string =>
	times
		? `(${times.map(({ level, time }) => `${level} * ${time}`).join(" + ") || "0"}) / ${wholeTime}`
		: signed(average);

/** Returns the sum of the cost of each level for a whole window, weighted by its time. */
const costArithmetic = (price: WindowPrice, { times = [], wholeTime }: WeightedLevels): string =>
	`(${times.map(({ level, time }) => `${toDecimal(costOfLevel(price, level))} * ${time}`).join(" + ") || "0"}) / ${wholeTime}`;
