import type { Money } from "../../../kernel/money";
import { comparePrices, type PriceChange } from "../../pricing/price-change";
import type { SubscriptionRow } from "../table";
import { chargesOfPeriod } from "./charge-items";
import type { Sale } from "./sale";

interface ActiveSale {
	readonly row: Pick<SubscriptionRow, "pricingType" | "minimumSpend">;
	readonly sale: Sale;
}

interface NextSale {
	readonly sale: Sale;
	readonly minimumSpend: Money | null;
}

/** A change to or from a custom price counts as an upgrade, so it takes effect at once: there are no prices to compare. */
export function priceChangeOf(active: ActiveSale | undefined, { sale, minimumSpend }: NextSale): PriceChange {
	if (!active || active.row.pricingType === "CUSTOM" || sale.plan.pricingType === "CUSTOM") return "upgrade";
	return comparePrices(
		{
			items: chargesOfPeriod({ ...active.sale, minimumSpend: active.row.minimumSpend }, null),
			billingPeriod: active.sale.billingPeriod,
		},
		{ items: chargesOfPeriod({ ...sale, minimumSpend }, null), billingPeriod: sale.billingPeriod },
	);
}
