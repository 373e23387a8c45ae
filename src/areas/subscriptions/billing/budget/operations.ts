import { type Decimal, exact, sum, toDecimal } from "../../../../kernel/decimal";
import type { Work } from "../../../../kernel/work";
import { onDemandOf } from "../../../pricing/rate";
import { noTaxes } from "../../../taxes/rules.levels";
import type { SubscriptionRow } from "../../table";
import { onDemandPrices } from "../../terms/charge-items";
import type { Sale } from "../../terms/sale";
import { saleOf } from "../../terms/subscription-sale";
import { usageItems } from "../counted-usage";
import { rateBill } from "../rules.bill";
import { usageOfPeriod } from "../usage-of-period";
import { hardBudgetOf } from "./rules";

/**
 * Whether a subscription's hard budget is spent, and use of the feature (its row id) would cost more. Only
 * subscriptions with a budget are checked, for the current billing period or the trial.
 */
export function isBudgetSpent(work: Work, subscription: SubscriptionRow, featureId: string): boolean {
	const limit = hardBudgetOf(subscription);
	if (limit === null) return false;
	const sale = saleOf(work, subscription);
	const costsMore = onDemandPrices(sale.prices).some(({ charge }) => charge.featureId === featureId);
	return costsMore && exact(spentOnDemand(work, subscription, sale)).gte(exact(limit));
}

/** Returns the on-demand charges before discount and tax, invoiced or not. */
function spentOnDemand(work: Work, subscription: SubscriptionRow, sale: Sale): Decimal {
	const items = usageItems(usageOfPeriod(work, subscription, sale));
	return toDecimal(
		sum(rateBill({ sections: [{ items, taxation: noTaxes }] }).map((rated) => exact(onDemandOf(rated)))),
	);
}
