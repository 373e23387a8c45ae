import type { Money } from "../../../kernel/money";
import type { Work } from "../../../kernel/work";
import { comparePrices, type PriceChange } from "../../pricing/price-change";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "./charge-items";
import type { Sale } from "./prepare-sale";
import { saleOf } from "./subscription-sale";

/** To and from a custom price there is nothing to compare: it counts as an upgrade, and takes effect at once. (Our choice.) */
export function priceChangeOf(
	work: Work,
	active: SubscriptionRow | undefined,
	sale: Sale,
	minimumSpend: Money | null,
): PriceChange {
	if (!active || active.pricingType === "CUSTOM" || sale.plan.pricingType === "CUSTOM") return "upgrade";
	const held = saleOf(work, active);
	return comparePrices(
		{ items: billInAdvance({ ...held, minimumSpend: active.minimumSpend }, null), billingPeriod: held.billingPeriod },
		{ items: billInAdvance({ ...sale, minimumSpend }, null), billingPeriod: sale.billingPeriod },
	);
}
