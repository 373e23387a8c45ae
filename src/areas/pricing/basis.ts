import type { Decimal } from "../../kernel/decimal";
import type { PricedCharge } from "./charge";
import type { Share } from "./proration";
import type { UnitTransformation } from "./usage";

/** Which version of which plan or addon a price stands in, by the caller's id. */
export interface PricedBy {
	readonly packageRefId: string;
	readonly version: number;
}

/** What a discount was made of; of a fixed amount, what of it was offered to all its lines together. */
export type DiscountBasis = { readonly percentOff: Decimal } | { readonly amountOff: Decimal };

/** What a line of an invoice was calculated from: kept with it, so that it can be explained, and calculated again. */
export interface LineBasis {
	/** Left out: the line takes off what a minimum spend had paid for. */
	readonly charge?: Omit<PricedCharge, "minUnitQuantity" | "maxUnitQuantity"> & { readonly isOverage?: boolean };
	readonly pricedBy?: PricedBy;
	/** What is bought, or what a window has used in all, as it was reported. */
	readonly quantity: Decimal;
	readonly unitTransformation?: UnitTransformation | null;
	/** Overage only: what was included; null: all of it. */
	readonly limit?: Decimal | null;
	/** How much of the window earlier invoices have billed. */
	readonly billed?: Decimal;
	/** Left out: all of it. */
	readonly share?: Share;
	readonly isCredit?: boolean;
	/** The minimum spend that was paid, what earlier bills have drawn of it, and what is drawn for. */
	readonly minimum?: { readonly paid: Decimal; readonly drawn: Decimal; readonly onDemand: Decimal };
	readonly discount?: DiscountBasis;
}
