import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { isPricedInCredits } from "../../packages/operations";
import type { SubscriptionRow } from "../table";
import { selectVersionChanges } from "../terms/store.version-changes";
import { saleOf } from "../terms/subscription-sale";

/** What using a feature costs in credits, by one subscription's prices. */
export interface FeatureCreditRate {
	/** Row ids. */
	readonly featureId: string;
	readonly currencyId: string;
	/** Credits for each unit, or for each started block. */
	readonly creditAmount: Decimal;
	readonly blockSize: Decimal | null;
	/** Credits for each event, in the place of those for each unit; null where there is no formula. */
	readonly costFormula: string | null;
}

/** The rates of credits that hold for a subscription at a time (now, when none is given): of its plan, then of its addons. */
export function creditRatesOf(work: Work, subscription: SubscriptionRow, at: Instant = work.now): FeatureCreditRate[] {
	// Nearly nobody's plans have any, and each look at what nobody has remembered asks.
	if (!isPricedInCredits(work)) return [];
	return saleOf(work, subscription, at).prices.flatMap(({ charge }): FeatureCreditRate[] => {
		const { featureId, creditCurrencyId: currencyId, creditAmount, creditCostFormula, blockSize } = charge;
		if (charge.billingModel !== "CREDIT_BASED" || featureId === null || currencyId === null || creditAmount === null)
			return [];
		return [{ featureId, currencyId, creditAmount, blockSize, costFormula: creditCostFormula }];
	});
}

/** The instants at which the rates of a subscription may have become, or become, others: it begins, ends, or gets other prices. */
export const creditRateChanges = (work: Work, { id, startAt, endedAt, effectiveEndAt }: SubscriptionRow): Instant[] => [
	startAt,
	...[endedAt ?? effectiveEndAt].filter((at) => at !== null),
	...selectVersionChanges(work, id).map(({ pricesFrom }) => pricesFrom),
];
