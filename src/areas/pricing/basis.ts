import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { DiscountBasis, DiscountStep } from "./discounts";
import type { FreeUnits } from "./free-units";
import type { PricedCharge } from "./models/charge";
import type { CommittedUsage } from "./models/commitment";
import type { ContractRow, RowModel } from "./models/contract-rows";
import type { WeightedLevels } from "./models/level";
import type { Segment } from "./models/segment";
import type { SpendBasis } from "./models/spend-commitment";
import type { TransactionCount } from "./models/transaction";
import type { Share } from "./proration";
import type { ChargedTaxes, GrossAmount } from "./tax";
import type { UnitTransformation } from "./unit-conversion";
import type { WindowState } from "./window-cost";

/** The plan or addon, by the caller's id, and its version that a price comes from. */
export interface PricedBy {
	readonly packageRefId: string;
	readonly version: number;
	/** The subscription has its own price, which replaces the price of the version. */
	readonly isOwn?: true;
	/** The phase whose percentage has lowered the price, or whose own price it is. */
	readonly phase?: { readonly id: string; readonly percentOff?: Decimal };
	/** The percentage by which renewals of the term have increased the price, also that of a phase. */
	readonly uplift?: Decimal;
}

/** A line item of a contract in one cycle. The cycle is the period of the line. */
export interface ContractItemBasis {
	readonly itemId: string;
	readonly model: RowModel;
	readonly isPayAsYouGo: boolean;
	readonly rows: readonly ContractRow[];
}

/** Inputs of a line's taxes in addition to its amount and its discount. */
export interface TaxBasis {
	/** The amount and the discount with included taxes. */
	readonly gross?: GrossAmount;
	/** The sum, with included taxes, of the lines whose taxes were rounded together. Missing: they were rounded line by line. */
	readonly over?: Decimal;
	/** The taxes of the credited charge, if they were rounded for its invoice. */
	readonly charged?: ChargedTaxes;
}

/** The terms that an invoice line was calculated from. The line keeps them, so that Tollgate can explain and recalculate it. */
export interface LineBasis {
	/** Missing: a contract's line, a line that subtracts usage covered by a minimum spend, or one of a commitment. */
	readonly charge?: Omit<PricedCharge, "minUnitQuantity" | "maxUnitQuantity"> & { readonly isOverage?: boolean };
	readonly pricedBy?: PricedBy;
	/** The key of the charge. Missing: it has none of its own. */
	readonly chargeKey?: string;
	readonly contractItem?: ContractItemBasis;
	/** The purchased quantity, or the total usage of a window as reported. The committed quantity of a contract is in its rows. */
	readonly quantity: Decimal;
	readonly unitTransformation?: UnitTransformation | null;
	/** Overage only: the included quantity; null: unlimited. */
	readonly limit?: Decimal | null;
	/**
	 * The usage of the window that earlier invoices billed: as reported, or for a contract in priced units. Units: the
	 * highest number that was charged for the period.
	 */
	readonly billed?: Decimal;
	/** Missing: the window continues, or its price has no terms that depend on its end. */
	readonly window?: WindowState;
	/** The transactions of the window, whose cost is `quantity`. */
	readonly transactions?: TransactionCount;
	/** The levels of the window, whose cost is `quantity`. */
	readonly levels?: WeightedLevels;
	/** The windows of a commitment, whose cost is `quantity`. */
	readonly commitment?: CommittedUsage;
	/** Where each event charges the usage, the number of events since the last bill of the window. A cancellation counts as one. */
	readonly events?: number;
	/** The line charges what a window lacks to its minimum, for the window's share of its whole. */
	readonly trueUp?: { readonly share: Share };
	/** The segment of the usage that the line charges. Missing: all usage. */
	readonly segment?: Segment;
	/** The number of segments that the line charges together; `quantity` is their cost. */
	readonly groups?: number;
	/** The line brings the lines of segments, whose sum is `quantity`, to the minimum or maximum of their window. */
	readonly adjusts?: true;
	/** The units of the window that coupons make free, by coupon. */
	readonly freeUnits?: readonly FreeUnits[];
	/** Missing: the whole period. */
	readonly share?: Share;
	readonly isCredit?: boolean;
	/** The start of the preceding charge that this one continues. Missing: there is no preceding period. */
	readonly continues?: Instant;
	/** The minimum spend that was paid, the part that earlier invoices consumed, and the on-demand charges that consume it now. */
	readonly minimum?: { readonly paid: Decimal; readonly drawn: Decimal; readonly onDemand: Decimal };
	/** The line charges a commitment of the whole subscription. */
	readonly spendCommitment?: SpendBasis;
	/** The terms of a single coupon. */
	readonly discount?: DiscountBasis;
	/** The discounts by several coupons, in their order. */
	readonly discounts?: readonly DiscountStep[];
	readonly tax?: TaxBasis;
}
