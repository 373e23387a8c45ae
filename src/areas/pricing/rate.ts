import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { assert, fail, unreachable } from "../../kernel/errors";
import { roundToMinor } from "../../kernel/money";
import type { Period } from "../../kernel/period";
import { currencyOfCharge, type PricedCharge, type RatedCharge, rateCharge } from "./charge";
import { settleMinimumSpend } from "./minimum-spend";
import { rateOverage } from "./overage";
import type { Share } from "./proration";
import type { PricedTier } from "./tiers";
import { type Totals, type TotalTerms, totalLines, type UnroundedLine } from "./totals";
import { inPricedUnits, rateUsage, type UnitTransformation } from "./usage";

/** Source: semantics-extra 9, line types. */
export type LineKind =
	| "BaseCharge"
	| "AddonCharge"
	| "InAdvanceCommitmentCharge"
	| "PayAsYouGoCharge"
	| "OverageCharge"
	| "TierCharge"
	| "MinimumSpendCharge"
	| "MinimumSpendAdjustmentCharge"
	| "ZeroAmountBaseCharge"
	| "Other";

/** What a line says about its subject; it is passed through to the rated line. */
export interface LineSubject {
	readonly period?: Period | null;
	/** The caller's own ids (refIds). */
	readonly productRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly addonRefId?: string | null;
}

export interface ChargeItem extends LineSubject {
	readonly charge: PricedCharge & { readonly isOverage?: boolean; readonly billingCadence?: "RECURRING" | "ONE_OFF" };
	/** What is bought, or what was used: usage as it was reported, before the feature's unit transformation. */
	readonly quantity: Decimal;
	readonly description: string;
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
	/** Overage only: how much of the quantity earlier bills have counted. */
	readonly billed?: Decimal;
}

/** The minimum spend of the period whose on-demand charges an invoice brings. */
export interface MinimumSpendPaid extends LineSubject {
	/** What was charged for it in advance: whole minor units, before discount and tax. */
	readonly amount: Decimal;
	readonly description: string;
}

export interface InvoiceInput extends TotalTerms {
	readonly items: readonly ChargeItem[];
	/** On-demand charges draw on it: a line takes off what it has paid for already. */
	readonly minimumSpendPaid?: MinimumSpendPaid | null;
}

/** Has the fields of an invoice line as the invoices area issues it; amounts in whole minor units, total = amount − discount + tax. */
export interface RatedLine extends Required<LineSubject> {
	readonly kind: LineKind;
	readonly description: string;
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	/** Before discount and tax; negative for a credit. */
	readonly amount: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
	readonly taxPercentage: Decimal | null;
}

export interface RatedInvoice extends Totals {
	readonly currency: string;
	readonly lines: readonly RatedLine[];
}

/** A line before rounding, discount and tax. */
type UnratedLine = UnroundedLine & Omit<RatedLine, keyof Totals | "amount" | "taxPercentage">;

/**
 * The whole computation of an invoice, without saving anything: provisioning issues what this returns, and a preview shows it.
 * A charge that is priced in credits alone makes no line. A price in another currency is refused (InvalidArgumentError),
 * a quantity out of a charge's bounds too (InvalidQuantity).
 */
export function rateInvoice({ items, minimumSpendPaid = null, ...terms }: InvoiceInput): RatedInvoice {
	const { currency, taxPercentage = null } = terms;
	const charged = items.filter((item) => costsMoney(item.charge, currency) && !isCreditOfOneOff(item));
	const unrated = charged.map(unratedLine);
	if (minimumSpendPaid) {
		const onDemand = unrated.filter((_, at) => isOnDemand(charged[at]?.charge));
		unrated.push(...minimumSpendAdjustment(minimumSpendPaid, onDemand, currency));
	}
	const { lines: rounded, ...sums } = totalLines(unrated, terms);
	const lines = unrated.map(({ amount: _, share: __, ...line }, at): RatedLine => {
		const totals = rounded[at];
		assert(totals, "every line is totalled");
		const { subTotal: amount, discount, tax, total } = totals;
		return { ...line, amount, discount, tax, total, taxPercentage };
	});
	return { currency, lines, ...sums };
}

function unratedLine(item: ChargeItem): UnratedLine {
	const { quantity, unitPrice, tiers, amount } = rateItem(item);
	const { description, share, isCredit, kind = lineKindOf(item, amount.eq(0)) } = item;
	return {
		kind,
		description,
		quantity,
		unitPrice,
		tiers,
		...subjectOf(item),
		amount: isCredit ? amount.times(-1) : amount,
		...(share && isSharedByTime(item.charge) && { share }),
	};
}

function rateItem({ charge, quantity, unitTransformation = null, limit = zero, billed }: ChargeItem): RatedCharge {
	if (charge.isOverage) return rateOverage(charge, inPricedUnits(quantity, unitTransformation), limit, billed);
	if (isOnDemand(charge)) return rateUsage(charge, quantity, unitTransformation);
	return rateCharge(charge, quantity);
}

const subjectOf = ({
	period = null,
	productRefId = null,
	featureRefId = null,
	addonRefId = null,
}: LineSubject): Required<LineSubject> => ({ period, productRefId, featureRefId, addonRefId });

/** What is billed after it was used: overage is USAGE_BASED too. Source: semantics-extra 10. */
const isOnDemand = (charge: ChargeItem["charge"] | undefined): boolean => charge?.billingModel === "USAGE_BASED";

/** Usage is billed as much as there was; what is paid once is paid whole. (Our choice for one-off charges.) */
const isSharedByTime = (charge: ChargeItem["charge"]): boolean =>
	!isOnDemand(charge) && charge.billingCadence !== "ONE_OFF";

/** A one-off charge was not paid for a time, so no time of it is unused. (Our choice.) */
const isCreditOfOneOff = ({ charge, isCredit = false }: ChargeItem): boolean =>
	isCredit && charge.billingCadence === "ONE_OFF";

/** One line that takes off what the minimum has paid for of the on-demand lines, as they are rounded; none for nothing. */
function minimumSpendAdjustment(
	{ amount: paid, description, ...subject }: MinimumSpendPaid,
	onDemand: readonly UnratedLine[],
	currency: string,
): UnratedLine[] {
	const due = sum(onDemand.map(({ amount }) => roundToMinor(amount, currency)));
	const { drawn } = settleMinimumSpend(paid, toDecimal(due));
	if (exact(drawn).eq(0)) return [];
	const amount = exact(drawn).times(-1);
	const counted = { quantity: null, unitPrice: null, tiers: null };
	return [{ kind: "MinimumSpendAdjustmentCharge", description, ...counted, ...subjectOf(subject), amount }];
}

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
