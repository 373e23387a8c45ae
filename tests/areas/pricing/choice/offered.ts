import type { OfferedCharge } from "../../../../src/areas/pricing/choice/price";
import { toDecimal } from "../../../../src/kernel/decimal";

const nothingElse = {
	billingModel: "FLAT_FEE",
	billingCadence: "RECURRING",
	isOverage: false,
	featureId: null,
	overageCurrencyId: null,
	topUpCurrencyId: null,
	creditCurrencyId: null,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
} as const;

/** A fee of 10 for a country (null: for all others) in a currency. */
export const price = (
	billingCountryCode: string | null,
	currency: string,
	billingPeriod: "MONTHLY" | "ANNUALLY" = "MONTHLY",
): OfferedCharge => ({
	...nothingElse,
	billingPeriod,
	billingCountryCode,
	price: { amount: toDecimal(10), currency },
});
