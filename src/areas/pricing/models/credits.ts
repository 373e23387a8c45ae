import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { blocksCovering } from "./blocks";
import { type Dimensions, evaluateFormula, type Formula } from "./formula";

/** What a charge of credits says beside its currency; a row of packages has both. */
export interface CreditRate {
	/** Credits for each unit, or for each started block. */
	readonly creditAmount: Decimal;
	readonly blockSize: Decimal | null;
}

/** Credits that counted units cost, exact. Source: docs/interface/usage.md, Credits; blocks as for money. */
export function creditsForUnits({ creditAmount, blockSize }: CreditRate, units: Decimal): Decimal {
	if (exact(units).lt(0)) return zero;
	const priced = blockSize ? blocksCovering(units, blockSize) : exact(units);
	return toDecimal(exact(creditAmount).times(priced));
}

/**
 * Credits that one event costs by its formula, which then takes the place of the amount for each unit
 * (docs/interface/usage.md: "or"). Never less than nothing: consuming cannot hand out credits. (Our choice.)
 */
export function creditsForEvent(formula: Formula, dimensions: Dimensions): Decimal {
	const cost = evaluateFormula(formula, dimensions);
	return exact(cost).lt(0) ? zero : cost;
}
