import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { assert, fail, unreachable } from "../../kernel/errors";
import { roundToMinor } from "../../kernel/money";
import type { LineBasis, PricedBy } from "./basis";
import { rateAddedUnits, rateSinceBilled, unitPriceOfPart } from "./billed";
import { type CommitmentItem, commitmentLine } from "./commitments/commitment-line";
import { basisOfOne, type ChargedDiscounts, type DiscountSubject } from "./discounts";
import type { FreeUnits } from "./free-units";
import { type LineKind, type LineSubject, type RatedLine, subjectOf, type UnratedLine } from "./line";
import { drawOnMinimum, type MinimumSpendPaid } from "./minimum-commitment";
import { currencyOfCharge, type PricedCharge, type RatedCharge } from "./models/charge";
import type { CommittedUsage } from "./models/commitment";
import type { WeightedLevels } from "./models/level";
import type { Segment } from "./models/segment";
import type { TransactionCount } from "./models/transaction";
import type { Proration, Share } from "./proration";
import type { AppliedTax, ChargedTaxes } from "./tax";
import { type LineTotals, sumTotals, type Totals, type TotalTerms, totalLines } from "./totals";
import type { UnitTransformation } from "./unit-conversion";
import { adjustmentOfWindow, costOfWindow, trueUpOfWindow, type WindowState } from "./window-cost";
import type { Wording } from "./wording";

export interface ChargeItem extends LineSubject {
	readonly charge: PricedCharge & { readonly isOverage?: boolean; readonly billingCadence?: "RECURRING" | "ONE_OFF" };
	/** The purchased quantity, or the usage as reported, before the feature's unit transformation. */
	readonly quantity: Decimal;
	readonly description: string;
	/** How the description is built, if it is more than a name of the catalogue. */
	readonly wording?: Wording;
	/** The package that the price comes from. Informational; not used in calculations. */
	readonly pricedBy?: PricedBy;
	/** The key of the charge, if it has one of its own. */
	readonly chargeKey?: string;
	/** The start of the preceding charge that this one continues. Informational; not used in calculations. */
	readonly continues?: Instant;
	/** The charge belongs to an addon. */
	readonly isAddon?: boolean;
	/** The charged part of the period; missing: all of it. Usage and one-off charges are never prorated. */
	readonly share?: Share;
	/** How parts of the period count; missing: by time. */
	readonly proration?: Proration;
	/** The charge is never credited, neither by a change nor at an end. */
	readonly refundsUnusedTime?: false;
	/** Credits the amount (unused time) instead of charging it. */
	readonly isCredit?: boolean;
	/** Missing or empty: none, or the percentage of the bill. */
	readonly taxes?: readonly AppliedTax[];
	/** A charge whose taxes were rounded for its invoice: the taxes that its credits reverse. */
	readonly chargedTaxes?: ChargedTaxes;
	/** A charge that several coupons could discount: the discounts that its credits reverse. */
	readonly chargedDiscounts?: ChargedDiscounts;
	/** Missing: derived from the charge. */
	readonly kind?: LineKind;
	/** The transformation of the metered feature. */
	readonly unitTransformation?: UnitTransformation | null;
	/** Overage only: the included quantity in transformed units; null: unlimited. Missing: the quantity is the overage itself. */
	readonly limit?: Decimal | null;
	/**
	 * Usage and overage: the part of `quantity`, in the same reported units, that earlier invoices of the window billed. The line
	 * charges the usage that the window has added since (billed.ts).
	 * Units: the highest number that is charged for the period already. The line charges the units above it.
	 */
	readonly billed?: Decimal;
	/** Usage and overage whose price has a minimum, a maximum or an unused flat price. */
	readonly window?: WindowState;
	/** The transactions whose cost is `quantity`. Informational; not used in calculations. */
	readonly transactions?: TransactionCount;
	/** The levels of the window, whose cost is `quantity`. Informational; not used in calculations. */
	readonly levels?: WeightedLevels;
	/** The windows of a commitment, whose cost is `quantity`. Informational; not used in calculations. */
	readonly commitment?: CommittedUsage;
	/** Where each event charges it, the number of events since the last bill. Informational; not used in calculations. */
	readonly events?: number;
	/** Charges what the window lacks to its minimum, for the window's share of its whole. */
	readonly trueUp?: { readonly share: Share };
	/** The segment of the usage that the item charges. Informational; not used in calculations. */
	readonly segment?: Segment;
	/** The number of segments whose cost is `quantity`. */
	readonly groups?: number;
	/** Brings the lines of segments, whose sum is `quantity`, to the minimum or maximum of their window. */
	readonly adjusts?: true;
	/** Usage and overage: the units of the window that coupons make free. */
	readonly freeUnits?: readonly FreeUnits[];
}

export interface InvoiceInput extends TotalTerms {
	readonly items: readonly ChargeItem[];
	/** On-demand charges consume it; a line subtracts the consumed amount. */
	readonly minimumSpendPaid?: MinimumSpendPaid | null;
	/** Commitments of the whole subscription that the invoice settles. */
	readonly commitments?: readonly CommitmentItem[] | undefined;
}

export interface RatedInvoice extends Totals {
	readonly currency: string;
	readonly lines: readonly RatedLine[];
	/** The part of the prepaid minimum spend that the on-demand charges of this invoice consume; never negative. */
	readonly minimumDrawdown: Decimal;
}

/**
 * Calculates a whole invoice without saving anything. Provisioning issues the result; a preview shows it. A charge that has a price in
 * credits only makes no line. Throws InvalidArgumentError for a price in another currency, InvalidQuantity for a quantity outside the
 * charge's bounds.
 *
 * Credits mirror charges: an item with `isCredit` gives the figures of the same item without it, negated. If an invoice has both, each
 * side has its own fixed discount (discount.ts).
 */
export function rateInvoice({
	items,
	minimumSpendPaid = null,
	commitments = [],
	...terms
}: InvoiceInput): RatedInvoice {
	const { currency, taxPercentage = null } = terms;
	const charged = items.filter((item) => costsMoney(item.charge, currency) && !isCreditOfOneOff(item));
	const unrated = charged.map((item) => unratedLine(item, currency));
	const consumedBy = unrated.flatMap((_, at) => (isOnDemand(charged[at]?.charge) ? [at] : []));
	const onDemand = consumedBy.flatMap((at) => unrated[at] ?? []);
	const { minimumDrawdown, adjustment } = drawOnMinimum(minimumSpendPaid, onDemand, currency);
	if (adjustment) unrated.push({ ...adjustment, discounted: { consumedBy } });
	unrated.push(...commitments.map((one) => commitmentLine(one, currency)));
	const { lines: rounded, ...sums } = totalLines(unrated, terms);
	const discountBasis = discountBasisOf(unrated, rounded, terms);
	const lines = unrated.map((one, at) => {
		const { amount: _, share: __, isCredit: ___, taxes: ____, discounted: _____, chargedTaxes, ...line } = one;
		const totals = rounded[at];
		assert(totals, "every line is totalled");
		const { subTotal: amount, discount, tax, total, taxes, steps, discounts } = totals;
		const discounted = steps ? steps.length > 0 && { discounts: steps } : discountBasis(line.basis);
		const basis = { ...line.basis, ...discounted, ...taxBasisOf(totals, chargedTaxes) };
		const rate = taxes ? { taxPercentage: null, taxes } : { taxPercentage };
		return {
			...line,
			amount,
			discount,
			tax,
			total,
			...rate,
			...(discounts && { discounts }),
			basis,
		} satisfies RatedLine;
	});
	return { currency, lines, minimumDrawdown, ...sums };
}

export function taxBasisOf({ gross }: LineTotals, charged?: ChargedTaxes): Pick<LineBasis, "tax"> {
	return gross || charged ? { tax: { ...(gross && { gross }), ...(charged && { charged }) } } : {};
}

/**
 * Joins parts that were rated by different terms into one invoice. For example, credits have the coupon and tax of the original
 * charge, and charges have today's. Lines keep their order and sums are added; nothing is rated or rounded again. It needs at least
 * one part, and one currency.
 */
export function joinRated(parts: readonly RatedInvoice[]): RatedInvoice {
	const [first] = parts;
	assert(first, "an invoice has a part");
	const { currency } = first;
	for (const part of parts) assert(part.currency === currency, "the parts of an invoice are in one currency");
	return {
		currency,
		lines: parts.flatMap(({ lines }) => lines),
		minimumDrawdown: toDecimal(sum(parts.map(({ minimumDrawdown }) => exact(minimumDrawdown)))),
		...sumTotals(parts),
	};
}

/** Sums the on-demand lines before minimum spend, discount and tax; budgets use it. */
export const onDemandOf = ({ lines }: Pick<RatedInvoice, "lines">): Decimal =>
	toDecimal(sum(lines.filter(({ kind }) => onDemandKinds.has(kind)).map(({ amount }) => exact(amount))));

const onDemandKinds: ReadonlySet<LineKind> = new Set(["PayAsYouGoCharge", "OverageCharge"]);

function unratedLine(item: ChargeItem, currency: string): UnratedLine {
	const { quantity, unitPrice, tiers, amount } = rateItem(item, currency);
	const { description, wording, share, isCredit = false, kind = lineKindOf(item, amount.eq(0)) } = item;
	const { transactions, trueUp, billed = zero, taxes = [], chargedTaxes } = item;
	// A later bill of the window adds a cost, and no known number of transactions.
	const ofTransactions = exact(billed).eq(0) && transactions ? toDecimal(transactions.counted) : null;
	const counted = item.groups === undefined ? ofTransactions : toDecimal(item.groups);
	const isCost = (transactions !== undefined || item.groups !== undefined) && !trueUp;
	const shown =
		item.levels && !trueUp
			? averageOf(item, item.levels, amount, currency)
			: item.commitment && !trueUp
				? usedUnitsOf(item, item.commitment, amount, currency)
				: { quantity, unitPrice };
	return {
		kind,
		description,
		...(wording && { wording }),
		quantity: isCost ? counted : shown.quantity,
		unitPrice: isCost ? null : shown.unitPrice,
		tiers,
		...subjectOf(item),
		amount: isCredit ? amount.times(-1) : amount,
		isCredit,
		...(share && isSharedByTime(item.charge) && { share }),
		...(taxes.length > 0 && { taxes }),
		...(isCredit && chargedTaxes && taxes.length > 0 && { chargedTaxes }),
		discounted: subjectOfDiscount(item),
		basis: basisOf(item),
	};
}

/** Returns the average level that a line charges, and the unit price if both make its amount. */
function averageOf(
	{ charge, unitTransformation }: ChargeItem,
	{ average, billed = zero }: WeightedLevels,
	amount: Big,
	currency: string,
): Pick<RatedCharge, "quantity" | "unitPrice"> {
	const quantity = exact(average).minus(billed);
	const isLinear = !charge.tiers && !charge.blockSize && !unitTransformation;
	const unitPrice = isLinear ? (charge.price?.amount ?? null) : null;
	return {
		quantity: toDecimal(quantity),
		unitPrice: unitPriceOfPart({ unitPrice }, { quantity, amount: roundToMinor(amount, currency) }, currency),
	};
}

/** Returns the units that a line with a commitment charges, and the unit price if both make its amount. */
function usedUnitsOf(
	{ charge }: ChargeItem,
	{ units, billed = zero }: CommittedUsage,
	amount: Big,
	currency: string,
): Pick<RatedCharge, "quantity" | "unitPrice"> {
	const quantity = exact(units).minus(billed);
	const { segments, transactionPrice } = charge.priceTerms ?? {};
	const isLinear = !charge.tiers && !charge.blockSize && !segments && !transactionPrice;
	const unitPrice = isLinear ? (charge.price?.amount ?? null) : null;
	return {
		quantity: toDecimal(quantity),
		unitPrice: unitPriceOfPart({ unitPrice }, { quantity, amount: roundToMinor(amount, currency) }, currency),
	};
}

const subjectOfDiscount = (item: ChargeItem): DiscountSubject => ({
	addonRefId: item.addonRefId ?? null,
	featureRefId: item.featureRefId ?? null,
	chargeKey: item.chargeKey,
	packageRefId: item.pricedBy?.packageRefId,
	chargedDiscounts: item.isCredit ? item.chargedDiscounts : undefined,
});

/** Returns the terms of a charge that determine its amount. */
function basisOf({
	charge,
	pricedBy,
	chargeKey,
	quantity,
	unitTransformation,
	limit,
	billed,
	window,
	transactions,
	levels,
	commitment,
	events,
	trueUp,
	segment,
	groups,
	adjusts,
	freeUnits,
	share,
	isCredit,
	continues,
}: ChargeItem): LineBasis {
	const { billingModel, isOverage, price, tiersMode, tiers, blockSize, priceTerms } = charge;
	return {
		charge: {
			...{ billingModel, ...(isOverage && { isOverage }), price, tiersMode, tiers, blockSize },
			...(priceTerms && { priceTerms }),
		},
		...(pricedBy && { pricedBy }),
		...(chargeKey !== undefined && { chargeKey }),
		quantity,
		...(unitTransformation && { unitTransformation }),
		...(isOverage && limit !== undefined && { limit }),
		...(billed !== undefined && { billed }),
		...(window && { window }),
		...(transactions && { transactions }),
		...(levels && { levels }),
		...(commitment && { commitment }),
		...(events !== undefined && { events }),
		...(trueUp && { trueUp }),
		...(segment && { segment }),
		...(groups !== undefined && { groups }),
		...(adjusts && { adjusts }),
		...(freeUnits && { freeUnits }),
		...(share && isSharedByTime(charge) && { share }),
		...(isCredit && { isCredit }),
		...(continues !== undefined && { continues }),
	};
}

/** Returns the terms of a line's discount by a single coupon; charges and credits have separate terms. */
function discountBasisOf(
	unrated: readonly UnratedLine[],
	rounded: readonly Totals[],
	{ coupon = null, currency }: TotalTerms,
): (basis: LineBasis) => Pick<LineBasis, "discount"> {
	const lines = unrated.map((line, at) => ({ ...line, subTotal: exact(rounded[at]?.subTotal ?? zero) }));
	const basisOf = basisOfOne(lines, coupon, currency);
	if (!basisOf) return () => ({});
	return ({ isCredit = false }) => ({ discount: basisOf(isCredit) });
}

export function rateItem(item: ChargeItem, currency: string): RatedCharge {
	const { charge, quantity, billed = zero, window, trueUp } = item;
	if (!isOnDemand(charge)) return rateAddedUnits(charge, quantity, billed);
	if (trueUp) {
		const usage = exact(billed).gt(exact(quantity)) ? billed : quantity;
		return {
			quantity: null,
			unitPrice: null,
			tiers: null,
			amount: trueUpOfWindow(item, usage, trueUp.share, currency),
		};
	}
	if (item.adjusts) return { quantity: null, unitPrice: null, tiers: null, amount: adjustmentOfWindow(item, currency) };
	const costs = {
		now: (usage: Decimal) => costOfWindow(item, usage, window?.ended !== undefined),
		before: (usage: Decimal) => costOfWindow(item, usage, window?.ended === "BEFORE", "before"),
	};
	return rateSinceBilled(costs, quantity, billed, currency);
}

/**
 * Returns whether a charge is billed after its usage. Overage is USAGE_BASED too. Source:
 * docs/interface/catalogue.md#prices.
 */
const isOnDemand = (charge: ChargeItem["charge"] | undefined): boolean => charge?.billingModel === "USAGE_BASED";

/**
 * Returns whether a charge is paid in advance for each period, and so prorated. Usage is billed by quantity. Our choice
 * (docs/interface/catalogue.md#prices): a one-off charge is paid whole.
 */
export const isSharedByTime = (charge: ChargeItem["charge"]): boolean =>
	!isOnDemand(charge) && charge.billingCadence !== "ONE_OFF";

/**
 * Returns whether an item credits a one-off charge. Such a charge covers no time, so it has no unused time. Our choice
 * (docs/interface/catalogue.md#prices).
 */
const isCreditOfOneOff = ({ charge, isCredit = false }: ChargeItem): boolean =>
	isCredit && charge.billingCadence === "ONE_OFF";

function costsMoney(charge: PricedCharge, currency: string): boolean {
	const own = currencyOfCharge(charge);
	if (own === undefined) return false;
	if (own !== currency)
		throw fail(
			"InvalidArgumentError",
			`A price is in ${own}, the invoice in ${currency}; choose prices of one currency.`,
		);
	return true;
}

function lineKindOf({ charge, isAddon }: ChargeItem, isZero: boolean): LineKind {
	if (charge.isOverage) return "OverageCharge";
	switch (charge.billingModel) {
		case "FLAT_FEE":
			return isAddon ? "AddonCharge" : isZero ? "ZeroAmountBaseCharge" : "BaseCharge";
		case "PER_UNIT":
		case "CREDIT_BASED":
			return isAddon ? "AddonCharge" : "InAdvanceCommitmentCharge";
		case "USAGE_BASED":
			return "PayAsYouGoCharge";
		case "MINIMUM_SPEND":
			return "MinimumSpendCharge";
		default:
			return unreachable(charge.billingModel);
	}
}
