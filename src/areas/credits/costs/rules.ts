import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type CreditRate, creditsForEvent, creditsForUnits } from "../../pricing/models/credits";
import type { Dimensions, Formula } from "../../pricing/models/formula";
import { parseFormula } from "../../pricing/models/formula-parser";
import { convertUnits, type UnitTransformation } from "../../pricing/unit-conversion";

export interface UseRate extends CreditRate {
	readonly costFormula: string | null;
}

/** A use of a feature: the units that it adds, as the meter counts them, and its dimensions. */
export interface Use {
	/** Null where a single use adds no definite number of units (docs/interface/usage.md, UNSUPPORTED_AGGREGATION). */
	readonly added: Decimal | null;
	readonly dimensions: Dimensions;
}

/**
 * Whether only whole units or blocks are priced, of which one use may begin several. Then the cost of a use depends on earlier
 * usage, because a unit is paid once, when it begins.
 */
export const pricesWholeUnits = (
	{ costFormula, blockSize }: UseRate,
	unitTransformation: UnitTransformation | null,
): boolean => costFormula === null && (blockSize !== null || unitTransformation !== null);

/**
 * Returns the exact cost of a use in credits: the result of the formula over its dimensions, or else the price of the units that
 * it adds to `before`. Negative usage costs nothing and releases nothing.
 */
export function costOf(
	rate: UseRate,
	{ added, dimensions }: Use,
	unitTransformation: UnitTransformation | null,
	before: Decimal,
): Decimal {
	if (added !== null && exact(added).lt(0)) return zero;
	if (rate.costFormula !== null) return creditsForEvent(formulaOf(rate.costFormula), dimensions);
	if (added === null || added === zero) return zero;
	const credits = (usage: Decimal) => exact(creditsForUnits(rate, convertUnits(usage, unitTransformation)));
	if (!pricesWholeUnits(rate, unitTransformation)) return toDecimal(credits(added));
	return toDecimal(credits(toDecimal(exact(before).plus(exact(added)))).minus(credits(before)));
}

/** Parsed formulas in memory; more than the plans of any environment have. */
const formulasMax = 1_000;
const formulas = new Map<string, Formula>();

function formulaOf(text: string): Formula {
	const known = formulas.get(text);
	if (known) return known;
	const formula = parseFormula(text);
	if (formulas.size >= formulasMax) formulas.clear();
	formulas.set(text, formula);
	return formula;
}
