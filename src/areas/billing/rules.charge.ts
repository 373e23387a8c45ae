import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Interval, Period } from "../../kernel/period";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import type { PricedBy } from "../pricing/basis";
import type { Discount } from "../pricing/discount";
import type { ContractRow, RowModel } from "../pricing/models/contract-rows";
import type { CommittedPart, SpendCommitment } from "../pricing/models/spend-commitment";
import type { ChargeItem } from "../pricing/rate";
import type { AppliedTax } from "../pricing/tax";
import type { UnitTransformation } from "../pricing/unit-conversion";

/** The object whose charges are billed, by its row id. */
export interface ChargeOwner {
	readonly kind: "CONTRACT" | "SUBSCRIPTION";
	readonly id: string;
}

/** In advance a period is due at its start, in arrears at its end. */
export type PaymentTime = "IN_ADVANCE" | "IN_ARREARS";

/** All inputs of rating, in addition to time and usage. */
export type ChargeTerms = ItemTerms | AdvanceTerms | ArrearsTerms | UsageTerms | CommitmentTerms;

/** The terms of a contract's line item. */
export interface ItemTerms {
	readonly price: {
		readonly model: RowModel;
		/** The usage of a period takes the place of the rows' quantity. */
		readonly isPayAsYouGo: boolean;
		readonly rows: readonly ContractRow[];
	};
	/** The transformation of the metered feature as of the bill. */
	readonly unitTransformation: UnitTransformation | null;
	readonly currency: string;
	readonly discount: Discount | null;
	readonly taxPercentage: Decimal | null;
	/** Missing: the tax is the percentage. */
	readonly taxes?: readonly AppliedTax[];
}

/** A subscription's charge in advance. */
export interface AdvanceTerms {
	readonly item: AdvanceItem;
	readonly coupon: Discount | null;
	readonly taxPercentage: Decimal | null;
}

/** A charge in advance of a whole period. */
export type AdvanceItem = Omit<
	ChargeItem,
	"period" | "chargeId" | "chargedTaxes" | "chargedDiscounts" | "continues" | "share" | "isCredit" | "proration"
>;

/** A subscription's fee or units in arrears, on unchanged terms. The bill decides its discount and tax. */
export interface ArrearsTerms {
	readonly stretch: AdvanceItem;
	/** The whole period of which the first stretch may be a part. The cycle gives the later ones. */
	readonly whole: Period;
}

/** The prices of a subscription's on-demand usage of one feature. The bill decides its discount and tax. */
export interface UsageTerms {
	readonly prices: readonly UsagePrice[];
}

/** A subscription's commitment in one window. The bill that ends the window decides its discount and tax. */
export interface CommitmentTerms {
	readonly commitment: SpendCommitment;
	readonly whole: Period;
	/** The amount counts from then on. */
	readonly since: Instant;
	/** The amounts of the window before. */
	readonly earlier: readonly CommittedPart[];
	/** The plan that states it, or whose commitments the subscription replaces. */
	readonly pricedBy: PricedBy;
	readonly productRefId: string;
	/** The taxes of the plan. Missing: those of the bill. */
	readonly taxes?: readonly AppliedTax[];
}

export const isOfItem = (terms: ChargeTerms): terms is ItemTerms => "price" in terms;

/** A price of usage, without the quantity. */
export type UsagePrice = Omit<
	ChargeItem,
	"quantity" | "billed" | "period" | "window" | "transactions" | "levels" | "commitment" | "freeUnits"
>;

/** When a charge is billed. */
export interface ChargeTiming {
	readonly startsAt: Instant;
	readonly endsAt: Instant;
	/** Null: charged once. */
	readonly interval: Interval | null;
	/** The instant from which its periods count, at its start or earlier. */
	readonly anchorAt: Instant;
	/** The zone in which its periods and days count. Missing: UTC. */
	readonly timeZone?: string;
	readonly prorationMode: ProrationMode;
	readonly paymentTime: PaymentTime;
	/** Null: nothing is billed. */
	readonly billedUntil: Instant | null;
}

export interface Charge<Terms extends ChargeTerms = ItemTerms> extends ChargeTiming {
	readonly key: string;
	readonly terms: Terms;
}
