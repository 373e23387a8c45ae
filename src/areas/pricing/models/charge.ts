import { type Big, type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail, unreachable } from "../../../kernel/errors";
import { blocksCovering, perBlock } from "./blocks";
import { flat } from "./flat";
import { graduated } from "./graduated";
import type { PriceTerms } from "./price-terms";
import { amountOf, type PricedTier, priceTier, tiersUpTo } from "./tiers";
import type { UnitPrice } from "./unit-price";
import { volume } from "./volume";

/** The fields of a plan's or an addon's charge that rating reads. A row of `packages` has all of them. */
export interface PricedCharge extends UnitPrice {
	readonly billingModel: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED" | "CREDIT_BASED" | "MINIMUM_SPEND";
	readonly minUnitQuantity: number | null;
	readonly maxUnitQuantity: number | null;
	/** Null or missing: none. */
	readonly priceTerms?: PriceTerms | null;
}

/** The exact cost for the whole period. The invoice applies rounding, proration, discount and tax (totals.ts). */
export interface RatedCharge {
	/** Null for a charge without a quantity: a minimum spend. */
	readonly quantity: Decimal | null;
	/** Null when tiers or blocks make up the price. */
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	readonly amount: Big;
}

/** A charge in advance has at least one unit, and at most 999999. Source: docs/interface/catalogue.md#prices. */
const unitsMaxDefault = 999_999;
const unitsMinDefault = 1;

/**
 * Rates one charge for one period. The quantity of a flat fee is the number that the customer has (a plan: 1). The quantity of a
 * per-unit charge is the number bought in advance, within its bounds. The quantity of a usage-based charge is the usage. Throws
 * InvalidQuantity.
 */
export function rateCharge(charge: PricedCharge, quantity: Decimal): RatedCharge {
	switch (charge.billingModel) {
		case "MINIMUM_SPEND":
			return { quantity: null, unitPrice: null, tiers: null, amount: exact(charge.price?.amount ?? zero) };
		case "FLAT_FEE": {
			const unitPrice = charge.price?.amount ?? zero;
			return { quantity, unitPrice, tiers: null, amount: flat(unitPrice, quantity) };
		}
		case "PER_UNIT":
			assertPurchasable(charge, quantity);
			return rateUnits(charge, quantity);
		case "USAGE_BASED":
		case "CREDIT_BASED":
			return rateUnits(charge, quantity);
		default:
			return unreachable(charge.billingModel);
	}
}

/** Checks that units are whole and within the charge's bounds. Source: docs/interface/catalogue.md#prices. */
export function assertPurchasable(
	{ minUnitQuantity, maxUnitQuantity }: Pick<PricedCharge, "minUnitQuantity" | "maxUnitQuantity">,
	quantity: Decimal,
): void {
	const least = minUnitQuantity ?? unitsMinDefault;
	const most = maxUnitQuantity ?? unitsMaxDefault;
	const units = exact(quantity);
	if (!units.eq(units.round(0)) || units.lt(least) || units.gt(most))
		throw fail("InvalidQuantity", `${quantity} units cannot be bought; give a whole number from ${least} to ${most}.`);
}

/** Returns the currency of a charge; undefined if its price is in credits only, so that it has no line on an invoice. */
export const currencyOfCharge = ({
	price,
	tiers,
	priceTerms,
}: Pick<PricedCharge, "price" | "tiers" | "priceTerms">): string | undefined =>
	priceTerms?.transactionPrice?.currency ??
	price?.currency ??
	tiers?.map(({ unitPrice, flatPrice }) => (unitPrice ?? flatPrice)?.currency).find(Boolean);

/** Rates units by price, blocks or tiers, exact and without bounds. A negative quantity costs nothing. */
export function rateUnits(
	{ price, tiers, tiersMode, blockSize, priceTerms }: PricedCharge,
	counted: Decimal,
): RatedCharge {
	const quantity = exact(counted).lt(0) ? zero : counted;
	if (tiers && tiers.length > 0) {
		// Our choice (docs/interface/catalogue.md#prices): tier bounds count units. With a block size, the quantity is
		// first rounded up to whole blocks.
		const units = blockSize ? toDecimal(blocksCovering(quantity, blockSize).times(exact(blockSize))) : quantity;
		// Our choice (docs/interface/catalogue.md#prices): a charge with tiers but no mode is graduated, so more units
		// never cost less than fewer.
		const bounded = tiersOf(tiers);
		const isUnused = priceTerms?.chargesFlatPriceUnused === true && exact(units).eq(0);
		const priced = isUnused
			? bounded.slice(0, 1).map((tier) => priceTier(tier, exact(0)))
			: (tiersMode === "VOLUME" ? volume : graduated)(bounded, units);
		return { quantity, unitPrice: null, tiers: priced, amount: amountOf(priced) };
	}
	const unitPrice = price?.amount ?? zero;
	if (blockSize && !exact(blockSize).eq(1))
		return { quantity, unitPrice: null, tiers: null, amount: perBlock(unitPrice, quantity, blockSize) };
	// A block size of one still rounds up: half a unit is a started unit.
	const units = blockSize ? toDecimal(blocksCovering(quantity, blockSize)) : quantity;
	return { quantity: units, unitPrice, tiers: null, amount: flat(unitPrice, units) };
}

const tiersOf = (tiers: NonNullable<PricedCharge["tiers"]>) =>
	tiersUpTo(
		tiers.map(({ upTo, unitPrice, flatPrice }) => ({
			upTo,
			unitPrice: unitPrice?.amount ?? null,
			flatPrice: flatPrice?.amount ?? null,
		})),
	);
