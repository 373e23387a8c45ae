import { type Decimal, exact } from "../../../kernel/decimal";
import { type PricedTier, priceTier, type Tier } from "./tiers";

/**
 * Prices each slice of the quantity by the tier that contains it. A tier's flat price is added once when the quantity
 * reaches it. Zero usage costs nothing. Source: docs/interface/catalogue.md#prices.
 */
export function graduated(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const used = exact(quantity);
	return tiers
		.filter(({ from }) => used.gt(exact(from)))
		.map((tier) => {
			const upper = tier.to !== null && exact(tier.to).lt(used) ? exact(tier.to) : used;
			return priceTier(tier, upper.minus(exact(tier.from)));
		});
}
