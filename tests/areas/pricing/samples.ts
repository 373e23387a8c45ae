import fc from "fast-check";
import type { PricedCharge } from "../../../src/areas/pricing/models/charge";
import { type Decimal, toDecimal } from "../../../src/kernel/decimal";
import { DomainError } from "../../../src/kernel/errors";
import type { Money } from "../../../src/kernel/money";

export const decimal = (value: number | string): Decimal => toDecimal(value);
export const usd = (amount: number, currency = "usd"): Money => ({ amount: decimal(amount), currency });

export const charge = (values: Partial<PricedCharge>): PricedCharge => ({
	billingModel: "FLAT_FEE",
	price: null,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
	...values,
});

/** A tier of charges: up to, unit price, flat price. */
export const tier = (upTo: number | null, unitPrice: number | null, flatPrice: number | null = null) => ({
	upTo: upTo === null ? null : decimal(upTo),
	unitPrice: unitPrice === null ? null : usd(unitPrice),
	flatPrice: flatPrice === null ? null : usd(flatPrice),
});

/** Returns the message of a refusal; undefined if the call is not refused. */
export const refusalOf = (body: () => unknown): DomainError | undefined => {
	try {
		body();
	} catch (error) {
		if (error instanceof DomainError) return error;
		throw error;
	}
	return undefined;
};

/** A decimal as it would come from the catalogue: 0 to 9999.99999. */
export const decimals = (max = 9_999): fc.Arbitrary<Decimal> =>
	fc
		.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 5 }))
		.map(([whole, fraction, places]) => toDecimal(`${whole}.${String(fraction).padStart(5, "0").slice(0, places)}0`));
