import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { LineBasis } from "./basis";
import type { LineDiscount } from "./discounts";
import type { PricedTier } from "./models/tiers";
import type { LineTax } from "./tax";
import type { Totals, UnroundedLine } from "./totals";
import type { Wording } from "./wording";

/** Source: docs/interface/invoices.md#invoices. */
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

/** The subject of a line. Rating copies it unchanged. */
export interface LineSubject {
	readonly period?: Period | null;
	/** The caller's own ids (refIds). */
	readonly productRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly addonRefId?: string | null;
	/** Only for charges in advance. A charge and its credits share one id. */
	readonly chargeId?: string | null;
	/** The unit of the quantity, such as "seats". */
	readonly unit?: string;
}

/** The same, with null for each missing field. */
type PassedSubject = Required<Omit<LineSubject, "unit">> & Pick<LineSubject, "unit">;

/**
 * Has the fields of an invoice line as the invoices area issues it. Amounts are in whole minor units;
 * total = amount − discount + tax.
 */
export interface RatedLine extends PassedSubject {
	readonly kind: LineKind;
	readonly description: string;
	readonly wording?: Wording;
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	/** Before discount and tax; negative for a credit. */
	readonly amount: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
	/** Null also with `taxes`. */
	readonly taxPercentage: Decimal | null;
	/** Missing: the tax is the percentage. */
	readonly taxes?: readonly LineTax[];
	/** Present if several coupons can apply: they sum to `discount`. */
	readonly discounts?: readonly LineDiscount[];
	readonly basis: LineBasis;
}

/** A line before rounding, discount and tax. */
export type UnratedLine = UnroundedLine &
	Omit<RatedLine, keyof Totals | "amount" | "taxPercentage" | "taxes" | "discounts">;

export const subjectOf = ({
	period = null,
	productRefId = null,
	featureRefId = null,
	addonRefId = null,
	chargeId = null,
	unit,
}: LineSubject): PassedSubject => ({
	period,
	productRefId,
	featureRefId,
	addonRefId,
	chargeId,
	...(unit !== undefined && { unit }),
});
