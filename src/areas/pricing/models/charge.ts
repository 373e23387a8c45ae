import { type Big, type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail, unreachable } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import { blocksCovering, perBlock } from "./blocks";
import { flat } from "./flat";
import { graduated } from "./graduated";
import { amountOf, type PricedTier, tiersUpTo } from "./tiers";
import { volume } from "./volume";

/** What rating reads of a plan's or an addon's charge (a row of packages has all of it). */
export interface PricedCharge {
	readonly billingModel: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED" | "CREDIT_BASED" | "MINIMUM_SPEND";
	/** The flat amount, or the amount for each unit or block; null where tiers or credits price. */
	readonly price: Money | null;
	readonly tiersMode: "VOLUME" | "GRADUATED" | null;
	readonly tiers:
		| readonly { readonly upTo: Decimal | null; readonly unitPrice: Money | null; readonly flatPrice: Money | null }[]
		| null;
	readonly blockSize: Decimal | null;
	readonly minUnitQuantity: number | null;
	readonly maxUnitQuantity: number | null;
}

/** Exact and for the whole period: rounding, proration, discount and tax come with the invoice (totals.ts). */
export interface RatedCharge {
	/** Null for what counts nothing: a minimum spend. */
	readonly quantity: Decimal | null;
	/** Null when tiers or blocks make up the price. */
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	readonly amount: Big;
}

/**
 * Source: interface of charges, `maxUnitQuantity` is at most 999999; and in advance at least one unit
 * (docs/interface/catalogue.md).
 */
const unitsMaxDefault = 999_999;
const unitsMinDefault = 1;

/**
 * Rates one charge for one period. A flat fee's quantity is how many are held (a plan: 1); a per-unit charge's is what is
 * bought in advance, checked against its bounds (InvalidQuantity); a usage-based one's is what was used.
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

/** Units are bought whole, within the charge's bounds. Source: docs/interface/catalogue.md, Prices. */
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

/** Undefined when the charge is priced in credits alone: it makes no line on an invoice. */
export const currencyOfCharge = ({ price, tiers }: Pick<PricedCharge, "price" | "tiers">): string | undefined =>
	price?.currency ?? tiers?.map(({ unitPrice, flatPrice }) => (unitPrice ?? flatPrice)?.currency).find(Boolean);

/** Units by their price, by blocks or by tiers, exact and without bounds. Less than nothing costs nothing. */
export function rateUnits({ price, tiers, tiersMode, blockSize }: PricedCharge, counted: Decimal): RatedCharge {
	const quantity = exact(counted).lt(0) ? zero : counted;
	if (tiers && tiers.length > 0) {
		// Tier bounds count units; with a block size the quantity is first rounded up to whole blocks. (Our choice.)
		const units = blockSize ? toDecimal(blocksCovering(quantity, blockSize).times(exact(blockSize))) : quantity;
		// A charge with tiers but no mode is graduated: it never makes more units cheaper than fewer. (Our choice.)
		const priced = (tiersMode === "VOLUME" ? volume : graduated)(tiersOf(tiers), units);
		return { quantity, unitPrice: null, tiers: priced, amount: amountOf(priced) };
	}
	const unitPrice = price?.amount ?? zero;
	if (blockSize && !exact(blockSize).eq(1))
		return { quantity, unitPrice: null, tiers: null, amount: perBlock(unitPrice, quantity, blockSize) };
	// A block of one still rounds up: half a unit is a started one.
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
