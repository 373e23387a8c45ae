import type { Decimal } from "../../../kernel/decimal";
import type { BillingPeriod } from "../rules.billing-period";
import type { Commitment } from "./commitment";
import type { SegmentedPrice } from "./segment";
import type { TransactionPrice } from "./transaction";

/** The ways to charge a level, such as seats, over a window. */
export type UsageMeasure = "TIME_WEIGHTED" | "PEAK";

/** Whether usage that is charged at each event is invoiced then, or at the end of the period. */
export type EventInvoicing = "EACH_EVENT" | "PERIOD_END";

/** The terms of a price that most prices do not have. A term with its neutral value is missing. Amounts are in the price's currency. */
export interface PriceTerms {
	/** The least amount of a whole window of usage. A true-up charges the rest. */
	readonly minimumAmount?: Decimal;
	/** The amount at which a window of usage stops to cost more. */
	readonly maximumAmount?: Decimal;
	/** The flat price of the first tier is due even if nothing was used. */
	readonly chargesFlatPriceUnused?: true;
	/** Prices each event, in place of a price for units. */
	readonly transactionPrice?: TransactionPrice;
	/** The percentage that a phase takes off the cost of transactions. */
	readonly percentOff?: Decimal;
	/** How a level counts: each level for its time, or the highest one. Missing: as it is metered. */
	readonly usageMeasure?: UsageMeasure;
	/** TIME_WEIGHTED: each day counts its highest level. */
	readonly countsDays?: true;
	/** Variants and groups, each metered and priced by itself. The charge's own price is the default. */
	readonly segments?: SegmentedPrice;
	/** The length of the windows in which usage is charged. Missing: that of the billing period. */
	readonly chargeInterval?: BillingPeriod;
	/** Each event costs the rounded cost with it minus the rounded cost without it. Missing: the end of the period charges usage. */
	readonly eventInvoicing?: EventInvoicing;
	/** The amount that usage owes in each window, and the factor above it. */
	readonly commitment?: Commitment;
}

/** Changes of a price's terms by a subscription; null removes one. */
export type PriceTermChanges = {
	readonly [Term in "minimumAmount" | "maximumAmount" | "commitment" | "chargeInterval"]?: NonNullable<
		PriceTerms[Term]
	> | null;
};
