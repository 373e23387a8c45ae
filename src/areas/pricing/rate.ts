import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { assert, fail, unreachable } from "../../kernel/errors";
import type { LineBasis, PricedBy } from "./basis";
import { rateSinceBilled } from "./billed";
import { type FixedOffer, fixedOffers } from "./discount";
import { type LineKind, type LineSubject, type RatedLine, subjectOf, type UnratedLine } from "./line";
import { drawOnMinimum, type MinimumSpendPaid } from "./minimum-commitment";
import { currencyOfCharge, type PricedCharge, type RatedCharge, rateCharge } from "./models/charge";
import { rateOverage } from "./models/overage";
import { rateUsage } from "./models/usage";
import type { Share } from "./proration";
import { sumTotals, type Totals, type TotalTerms, totalLines } from "./totals";
import { convertUnits, type UnitTransformation } from "./unit-conversion";
import type { Wording } from "./wording";

export interface ChargeItem extends LineSubject {
	readonly charge: PricedCharge & { readonly isOverage?: boolean; readonly billingCadence?: "RECURRING" | "ONE_OFF" };
	/** What is bought, or what was used: usage as it was reported, before the feature's unit transformation. */
	readonly quantity: Decimal;
	readonly description: string;
	/** How the description is put together, where it is not the catalogue's alone. */
	readonly wording?: Wording;
	/** Whose price it is; told, and nothing is calculated by it. */
	readonly pricedBy?: PricedBy;
	/** Since when the charge of the period before was charged, from which it goes on; told, and nothing is calculated by it. */
	readonly continues?: Instant;
	/** The charge is an addon's. */
	readonly isAddon?: boolean;
	/** The part of the period that is charged; left out: all of it. Usage and one-off charges are never parted. */
	readonly share?: Share;
	/** Takes the amount back (unused time) instead of charging it. */
	readonly isCredit?: boolean;
	/** Left out: told by the charge. */
	readonly kind?: LineKind;
	/** Of the feature that is used. */
	readonly unitTransformation?: UnitTransformation | null;
	/** Overage only: what was included, in transformed units; null: all of it. Left out: the quantity is what lies beyond. */
	readonly limit?: Decimal | null;
	/**
	 * Usage and overage: how much of `quantity`, in the same reported units, earlier invoices of the same window have
	 * billed. The line is what the window has added since (billed.ts).
	 */
	readonly billed?: Decimal;
}

export interface InvoiceInput extends TotalTerms {
	readonly items: readonly ChargeItem[];
	/** On-demand charges consume it; a line subtracts the consumed amount. */
	readonly minimumSpendPaid?: MinimumSpendPaid | null;
}

export interface RatedInvoice extends Totals {
	readonly currency: string;
	readonly lines: readonly RatedLine[];
	/** What the on-demand charges have drawn here of the minimum spend that was paid in advance; never negative. */
	readonly minimumDrawdown: Decimal;
}

/**
 * The whole computation of an invoice, without saving anything: provisioning issues what this returns, and a preview shows it.
 * A charge that is priced in credits alone makes no line. A price in another currency is refused (InvalidArgumentError),
 * a quantity out of a charge's bounds too (InvalidQuantity).
 *
 * Credits are the mirror of charges: items with `isCredit` come out as the same items without it, every figure negated.
 * Where both stand in one invoice, a fixed discount is calculated for each side by itself (discount.ts).
 */
export function rateInvoice({ items, minimumSpendPaid = null, ...terms }: InvoiceInput): RatedInvoice {
	const { currency, taxPercentage = null } = terms;
	const charged = items.filter((item) => costsMoney(item.charge, currency) && !isCreditOfOneOff(item));
	const unrated = charged.map((item) => unratedLine(item, currency));
	const onDemand = unrated.filter((_, at) => isOnDemand(charged[at]?.charge));
	const { minimumDrawdown, adjustment } = drawOnMinimum(minimumSpendPaid, onDemand, currency);
	if (adjustment) unrated.push(adjustment);
	const { lines: rounded, ...sums } = totalLines(unrated, terms);
	const discountBasis = discountBasisOf(unrated, rounded, terms);
	const lines = unrated.map(({ amount: _, share: __, isCredit: ___, ...line }, at): RatedLine => {
		const totals = rounded[at];
		assert(totals, "every line is totalled");
		const { subTotal: amount, discount, tax, total } = totals;
		const basis = { ...line.basis, ...discountBasis(line.basis) };
		return { ...line, amount, discount, tax, total, taxPercentage, basis };
	});
	return { currency, lines, minimumDrawdown, ...sums };
}

/**
 * One invoice out of parts that were each rated by terms of their own (a credit side with the coupon and tax of what was
 * charged, a charge side with today's): the lines in order, the sums added, nothing rated or rounded again. One part at
 * least, all of one currency.
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

/** What the on-demand lines come to before minimum spend, discount and tax: a budget counts it. */
export const onDemandOf = ({ lines }: Pick<RatedInvoice, "lines">): Decimal =>
	toDecimal(sum(lines.filter(({ kind }) => onDemandKinds.has(kind)).map(({ amount }) => exact(amount))));

const onDemandKinds: ReadonlySet<LineKind> = new Set(["PayAsYouGoCharge", "OverageCharge"]);

function unratedLine(item: ChargeItem, currency: string): UnratedLine {
	const { quantity, unitPrice, tiers, amount } = rateItem(item, currency);
	const { description, wording, share, isCredit = false, kind = lineKindOf(item, amount.eq(0)) } = item;
	return {
		kind,
		description,
		...(wording && { wording }),
		quantity,
		unitPrice,
		tiers,
		...subjectOf(item),
		amount: isCredit ? amount.times(-1) : amount,
		isCredit,
		...(share && isSharedByTime(item.charge) && { share }),
		basis: basisOf(item),
	};
}

/** The terms of a charge that its amount follows from. */
function basisOf({
	charge,
	pricedBy,
	quantity,
	unitTransformation,
	limit,
	billed,
	share,
	isCredit,
	continues,
}: ChargeItem): LineBasis {
	const { billingModel, isOverage, price, tiersMode, tiers, blockSize } = charge;
	return {
		charge: { billingModel, ...(isOverage && { isOverage }), price, tiersMode, tiers, blockSize },
		...(pricedBy && { pricedBy }),
		quantity,
		...(unitTransformation && { unitTransformation }),
		...(isOverage && limit !== undefined && { limit }),
		...(billed !== undefined && isOnDemand(charge) && { billed }),
		...(share && isSharedByTime(charge) && { share }),
		...(isCredit && { isCredit }),
		...(continues !== undefined && { continues }),
	};
}

/** By what a line of the invoice is discounted, charges and credits each by their own. */
function discountBasisOf(
	unrated: readonly UnratedLine[],
	rounded: readonly Totals[],
	{ coupon = null, currency }: TotalTerms,
): (basis: LineBasis) => Pick<LineBasis, "discount"> {
	if (coupon?.percentOff != null) {
		const discount = { percentOff: coupon.percentOff };
		return () => ({ discount });
	}
	const lines = unrated.map((line, at) => ({ ...line, subTotal: exact(rounded[at]?.subTotal ?? zero) }));
	const offers = fixedOffers(lines, coupon, currency);
	if (!offers) return () => ({});
	const kept = ({ amountOff, offered, over }: FixedOffer) => ({
		discount: { amountOff, offered: toDecimal(offered), over: toDecimal(over) },
	});
	const [charges, credits] = [kept(offers.charges), kept(offers.credits)];
	return ({ isCredit = false }) => (isCredit ? credits : charges);
}

export function rateItem(item: ChargeItem, currency: string): RatedCharge {
	const { charge, quantity, unitTransformation = null, limit = zero, billed = zero } = item;
	if (!isOnDemand(charge)) return rateCharge(charge, quantity);
	const rateWindow = (usage: Decimal) =>
		charge.isOverage
			? rateOverage(charge, convertUnits(usage, unitTransformation), limit)
			: rateUsage(charge, usage, unitTransformation);
	return rateSinceBilled(rateWindow, quantity, billed, currency);
}

/** What is billed after it was used: overage is USAGE_BASED too. Source: docs/interface/catalogue.md. */
const isOnDemand = (charge: ChargeItem["charge"] | undefined): boolean => charge?.billingModel === "USAGE_BASED";

/**
 * What is paid in advance for each period, and so parted by time. Usage is billed as much as there was; what is paid once
 * is paid whole. (Our choice for one-off charges.)
 */
export const isSharedByTime = (charge: ChargeItem["charge"]): boolean =>
	!isOnDemand(charge) && charge.billingCadence !== "ONE_OFF";

/** A one-off charge was not paid for a time, so no time of it is unused. (Our choice.) */
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
