import { exact, toDecimal } from "../../../../kernel/decimal";
import { type Money, ProviderError } from "../provider";

/** The provider's unit of these currencies is the major unit. See docs.stripe.com/currencies#zero-decimal. */
const zeroDecimal: ReadonlySet<string> = new Set(
	"bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "),
);
/** Amounts are in thousandths, and the last digit is 0. See docs.stripe.com/currencies#three-decimal. */
const threeDecimal: ReadonlySet<string> = new Set("bhd jod kwd omr tnd".split(" "));
/** These have no decimals, and the provider counts them in hundredths. See docs.stripe.com/currencies#special-cases. */
const wholeHundredths: ReadonlySet<string> = new Set(["isk", "ugx"]);
/** The provider does not charge these currencies, whose minor units are neither hundredths nor listed above. */
const unsupported: ReadonlySet<string> = new Set("clf iqd lyd uyi uyw".split(" "));

const decimalsOf = (currency: string): number => (zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2);

/** The smallest step of an amount, in the provider's units. */
const stepOf = (currency: string): number =>
	threeDecimal.has(currency) ? 10 : wholeHundredths.has(currency) ? 100 : 1;

/** Converts to the provider's unit. Throws REJECTED for a currency or an amount that the provider cannot charge exactly. */
export function toUnits({ amount, currency }: Money): number {
	if (unsupported.has(currency)) throw new ProviderError("REJECTED", `the provider does not charge ${currency}`);
	const units = exact(amount).times(10 ** decimalsOf(currency));
	const step = stepOf(currency);
	if (units.mod(step).eq(0) && units.abs().lte(Number.MAX_SAFE_INTEGER)) return units.toNumber();
	const smallest = exact(step).div(10 ** decimalsOf(currency));
	throw new ProviderError(
		"REJECTED",
		`the provider charges ${currency} in steps of ${smallest.toFixed()}; got ${amount}`,
		"amount_not_representable",
	);
}

/** Converts an amount of the provider to major units. */
export const fromUnits = (units: number, currency: string): Money => ({
	amount: toDecimal(exact(units).div(10 ** decimalsOf(currency))),
	currency,
});
