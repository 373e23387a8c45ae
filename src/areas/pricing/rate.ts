import type { Decimal } from "../../kernel/decimal";
import { assert, fail, unreachable } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import { currencyOfCharge, type PricedCharge, rateCharge } from "./charge";
import type { Share } from "./proration";
import type { PricedTier } from "./tiers";
import { type Totals, type TotalTerms, totalLines } from "./totals";

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
	readonly charge: PricedCharge & { readonly isOverage?: boolean };
	readonly quantity: Decimal;
	readonly description: string;
	/** The charge is an addon's. */
	readonly isAddon?: boolean;
	/** The part of the period that is charged; left out: all of it. */
	readonly share?: Share;
	/** Takes the amount back (unused time) instead of charging it. */
	readonly isCredit?: boolean;
	/** Left out: told by the charge. */
	readonly kind?: LineKind;
}

export interface InvoiceInput extends TotalTerms {
	readonly items: readonly ChargeItem[];
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

/**
 * The whole computation of an invoice, without saving anything: provisioning issues what this returns, and a preview shows it.
 * A charge that is priced in credits alone makes no line. A price in another currency is refused (InvalidArgumentError),
 * a quantity out of a charge's bounds too (InvalidQuantity).
 */
export function rateInvoice({ items, ...terms }: InvoiceInput): RatedInvoice {
	const { currency, taxPercentage = null } = terms;
	const rated = items
		.filter(({ charge }) => costsMoney(charge, currency))
		.map((item) => ({ item, charged: rateCharge(item.charge, item.quantity) }));
	const { lines: rounded, ...sums } = totalLines(
		rated.map(({ item: { share, isCredit }, charged: { amount } }) => ({
			amount: isCredit ? amount.times(-1) : amount,
			...(share && { share }),
		})),
		terms,
	);
	const lines = rated.map(({ item, charged }, at): RatedLine => {
		const totals = rounded[at];
		assert(totals, "every line is totalled");
		const { description, period = null, productRefId = null, featureRefId = null, addonRefId = null } = item;
		return {
			kind: item.kind ?? lineKindOf(item, charged.amount.eq(0)),
			description,
			quantity: charged.quantity,
			unitPrice: charged.unitPrice,
			tiers: charged.tiers,
			amount: totals.subTotal,
			discount: totals.discount,
			tax: totals.tax,
			total: totals.total,
			taxPercentage,
			period,
			productRefId,
			featureRefId,
			addonRefId,
		};
	});
	return { currency, lines, ...sums };
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
