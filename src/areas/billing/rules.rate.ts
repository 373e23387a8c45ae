import { type Decimal, zero } from "../../kernel/decimal";
import type { LineBasis } from "../pricing/basis";
import type { RatedCharge } from "../pricing/models/charge";
import { type CycleUnits, priceRows, rateUsageRows, rateUsedRows, usedUnits } from "../pricing/models/contract-rows";
import type { PricedTier } from "../pricing/models/tiers";
import { type Share, wholePeriod } from "../pricing/proration";
import { taxBasisOf } from "../pricing/rate";
import type { LineTax } from "../pricing/tax";
import { type Totals, totalLines } from "../pricing/totals";
import type { UnitTransformation } from "../pricing/unit-conversion";
import type { Charge, ItemTerms } from "./rules.charge";

/** The usage of a charge in a period. */
export interface PeriodUsage extends CycleUnits {
	readonly reported: Decimal;
	readonly unitTransformation: UnitTransformation | null;
}

/** A charge for one period, rounded once. */
export interface RatedPeriod extends Totals {
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	/** Missing: the tax is the percentage of the terms. */
	readonly taxes?: readonly LineTax[];
	/** Null if its usage is not known yet. */
	readonly basis: LineBasis | null;
}

type Rated = Pick<Charge, "key" | "terms">;

/**
 * Rates a charge for a share of a period. With `usage` null each row of pay-as-you-go counts once. Usage is charged in
 * full, whatever the share.
 */
export function ratePeriod({ key, terms }: Rated, share: Share, usage: PeriodUsage | null): RatedPeriod {
	const { currency, discount, taxPercentage, taxes = [], price } = terms;
	const charged = price.isPayAsYouGo ? wholePeriod : share;
	const { quantity, unitPrice, tiers, amount } = rateTerms(terms, usage);
	const { lines, ...totals } = totalLines([{ amount, share: charged, taxes }], {
		...{ currency, coupon: discount, taxPercentage },
	});
	const [line] = lines;
	const basis = basisOf({ key, terms }, charged, usage);
	return {
		...{ quantity, unitPrice, tiers },
		...totals,
		...(line?.taxes && { taxes: line.taxes }),
		basis: basis && line ? { ...basis, ...taxBasisOf(line) } : basis,
	};
}

function rateTerms(
	{ price: { model, isPayAsYouGo, rows }, currency }: ItemTerms,
	usage: PeriodUsage | null,
): RatedCharge {
	if (!isPayAsYouGo) return priceRows(model, rows);
	if (usage === null) return { quantity: null, unitPrice: null, tiers: null, amount: rateUsageRows(rows) };
	return rateUsedRows(model, rows, usage, currency);
}

/** Returns all inputs of the amounts. */
function basisOf(
	{ key, terms: { price, discount } }: Rated,
	share: Share,
	usage: PeriodUsage | null,
): LineBasis | null {
	if (price.isPayAsYouGo && usage === null) return null;
	const percentOff = discount?.percentOff ?? null;
	const { model, isPayAsYouGo, rows } = price;
	return {
		contractItem: { itemId: key, model, isPayAsYouGo, rows },
		quantity: usage?.reported ?? zero,
		...(usage && { billed: usage.billed }),
		...(usage?.unitTransformation && { unitTransformation: usage.unitTransformation }),
		...(share !== wholePeriod && { share }),
		...(percentOff !== null && { discount: { percentOff } }),
	};
}

/** The usage that a billed period has gained, and all that is billed of it then. */
export interface LateUsage {
	readonly rated: RatedPeriod;
	readonly quantity: Decimal;
}

/**
 * Rates the usage that a period has gained since its bill, at the terms of that bill: the cost of the whole, less what
 * was billed. Canceled usage that was billed is not billed again when it returns.
 */
export function lateUsage(charge: Rated, usage: PeriodUsage): LateUsage {
	return { rated: ratePeriod(charge, wholePeriod, usage), quantity: usedUnits(usage) };
}
