import type { Instant } from "../../../../kernel/clock";
import type { Decimal } from "../../../../kernel/decimal";
import type { Work } from "../../../../kernel/work";
import { isPricedInCredits } from "../../../packages/operations";
import type { SubscriptionRow } from "../../table";
import { selectVersionChanges } from "../../terms/store.version-changes";
import { saleOf } from "../../terms/subscription-sale";

/** The price in credits of a feature in a subscription. */
export interface FeatureCreditRate {
	/** Row ids. */
	readonly featureId: string;
	readonly currencyId: string;
	/** Credits for each unit, or for each started block. */
	readonly creditAmount: Decimal;
	readonly blockSize: Decimal | null;
	/** Credits for each event, instead of each unit; null without a formula. */
	readonly costFormula: string | null;
}

/** Returns the credit rates of a subscription at an instant: of its plan, then of its addons. */
export function creditRatesOf(work: Work, subscription: SubscriptionRow, at: Instant = work.now): FeatureCreditRate[] {
	// Almost no plan has credit rates, and every check without a cached answer runs this.
	if (!isPricedInCredits(work)) return [];
	return saleOf(work, subscription, at).prices.flatMap(({ charge }): FeatureCreditRate[] => {
		const { featureId, creditCurrencyId: currencyId, creditAmount, creditCostFormula, blockSize } = charge;
		if (charge.billingModel !== "CREDIT_BASED" || featureId === null || currencyId === null || creditAmount === null)
			return [];
		return [{ featureId, currencyId, creditAmount, blockSize, costFormula: creditCostFormula }];
	});
}

/** Returns the instants at which the rates of a subscription may change: its start, its end, and new prices. */
export const creditRateChanges = (work: Work, { id, startAt, endedAt, effectiveEndAt }: SubscriptionRow): Instant[] => [
	startAt,
	...[endedAt ?? effectiveEndAt].filter((at) => at !== null),
	...selectVersionChanges(work, id).map(({ pricesFrom }) => pricesFrom),
];
