import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";

/** Our choices, as of reported usage: what JSON's numbers hold without loss, with room for sums; and finer than any price. */
export const creditAmountMax = 999_999_999_999_999;
export const creditPlacesMax = 12;

/** An amount of money in major units. */
export interface Cost {
	readonly amount: Decimal;
	readonly currency: string;
}

/** An amount of credits as it was sent, whose bounds its schema has checked; BadUserInput beyond 12 places. */
export function creditAmountOf(where: string, sent: number): Decimal {
	const { c: digits, e: exponent } = exact(sent);
	if (digits.length - 1 - exponent > creditPlacesMax)
		throw fail("BadUserInput", `${where}: has more than ${creditPlacesMax} places after the point; round it.`);
	return toDecimal(sent);
}
