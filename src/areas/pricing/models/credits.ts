import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { blocksCovering } from "./blocks";
import { type Dimensions, evaluateFormula, type Formula } from "./formula";

/** The fields of a credit charge apart from its currency. A row of `packages` has both. */
export interface CreditRate {
	/** Credits for each unit, or for each started block. */
	readonly creditAmount: Decimal;
	readonly blockSize: Decimal | null;
}

/**
 * Returns the exact number of credits for counted units. Blocks work as for money. Source:
 * docs/interface/usage.md#credits.
 */
export function creditsForUnits({ creditAmount, blockSize }: CreditRate, units: Decimal): Decimal {
	if (exact(units).lt(0)) return zero;
	const priced = blockSize ? blocksCovering(units, blockSize) : exact(units);
	return toDecimal(exact(creditAmount).times(priced));
}

/**
 * Returns the credits for one event by its formula, which replaces the amount for each unit. Our choice
 * (docs/interface/credits.md#events): the result is never negative, so usage cannot grant credits.
 */
export function creditsForEvent(formula: Formula, dimensions: Dimensions): Decimal {
	const cost = evaluateFormula(formula, dimensions);
	return exact(cost).lt(0) ? zero : cost;
}
