import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";

/** As for reported usage: JSON numbers represent these amounts and their sums exactly. No price has more decimal places. */
export const creditAmountMax = 999_999_999_999_999;
export const creditPlacesMax = 12;

/** An amount of money in major units. */
export interface Cost {
	readonly amount: Decimal;
	readonly currency: string;
}

/** Converts an amount of credits from a request, whose schema has checked the bounds. Throws BadUserInput for more than 12 decimal places. */
export function creditAmountOf(where: string, sent: number): Decimal {
	const { c: digits, e: exponent } = exact(sent);
	if (digits.length - 1 - exponent > creditPlacesMax)
		throw fail("BadUserInput", `${where}: has more than ${creditPlacesMax} decimal places; round it.`);
	return toDecimal(sent);
}
