import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { PricedCharge } from "./models/charge";
import type { ContractRow, RowModel } from "./models/contract-rows";
import type { Share } from "./proration";
import type { UnitTransformation } from "./unit-conversion";

/** Which version of which plan or addon a price stands in, by the caller's id. */
export interface PricedBy {
	readonly packageRefId: string;
	readonly version: number;
	/** A price of the subscription's own stands in place of the version's. */
	readonly isOwn?: true;
}

/**
 * What a discount was made of. Of a fixed amount: what of it was offered to the lines that it was shared over, charges or
 * credits, and what those came to.
 */
export type DiscountBasis =
	| { readonly percentOff: Decimal }
	| { readonly amountOff: Decimal; readonly offered: Decimal; readonly over: Decimal };

/** A line item of a contract: for one of its cycles, which is the period of the line. */
export interface ContractItemBasis {
	readonly itemId: string;
	readonly model: RowModel;
	readonly isPayAsYouGo: boolean;
	readonly rows: readonly ContractRow[];
}

/** What a line of an invoice was calculated from: kept with it, so that it can be explained, and calculated again. */
export interface LineBasis {
	/** Left out: the line is of a contract, or takes off what a minimum spend had paid for. */
	readonly charge?: Omit<PricedCharge, "minUnitQuantity" | "maxUnitQuantity"> & { readonly isOverage?: boolean };
	readonly pricedBy?: PricedBy;
	readonly contractItem?: ContractItemBasis;
	/** What is bought, or what a window has used in all, as it was reported. What a contract commits to stands in its rows. */
	readonly quantity: Decimal;
	readonly unitTransformation?: UnitTransformation | null;
	/** Overage only: what was included; null: all of it. */
	readonly limit?: Decimal | null;
	/** How much of the window earlier invoices have billed: as it was reported, of a contract in the units that are priced. */
	readonly billed?: Decimal;
	/** Left out: all of it. */
	readonly share?: Share;
	readonly isCredit?: boolean;
	/** Since when the charge before it was charged, from which it goes on: there is a period before this one. */
	readonly continues?: Instant;
	/** The minimum spend that was paid, what earlier bills have drawn of it, and what is drawn for. */
	readonly minimum?: { readonly paid: Decimal; readonly drawn: Decimal; readonly onDemand: Decimal };
	readonly discount?: DiscountBasis;
}
