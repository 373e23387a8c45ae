import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type CreditRate, creditsForEvent, creditsForUnits } from "../../pricing/models/credits";
import type { Dimensions, Formula } from "../../pricing/models/formula";
import { parseFormula } from "../../pricing/models/formula-parser";
import { inPricedUnits, type UnitTransformation } from "../../pricing/models/usage";

export interface UseRate extends CreditRate {
	readonly costFormula: string | null;
}

/** A use of a feature: what it adds, in the units that are counted, and what it says beside that. */
export interface Use {
	/** Null: what one use adds to the meter's value cannot be said (docs/interface/usage.md, UNSUPPORTED_AGGREGATION). */
	readonly added: Decimal | null;
	readonly dimensions: Dimensions;
}

/**
 * Whether units are priced by whole ones, many of which one use may begin: then what a use costs depends on what was used
 * before it, since what was begun is paid once.
 */
export const isByWholeUnits = (
	{ costFormula, blockSize }: UseRate,
	unitTransformation: UnitTransformation | null,
): boolean => costFormula === null && (blockSize !== null || unitTransformation !== null);

/**
 * What a use costs in credits, exact: by the formula over its dimensions, else by the units that it adds to `before`. What
 * takes usage back costs nothing, and gives nothing back.
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
	const credits = (usage: Decimal) => exact(creditsForUnits(rate, inPricedUnits(usage, unitTransformation)));
	if (!isByWholeUnits(rate, unitTransformation)) return toDecimal(credits(added));
	return toDecimal(credits(toDecimal(exact(before).plus(exact(added)))).minus(credits(before)));
}

/** Our choice: formulas that are kept parsed; more than any environment's plans have. */
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
