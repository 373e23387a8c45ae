import { type Decimal, exact } from "../../kernel/decimal";
import { type PricedTier, priceTier, type Tier, tierReached } from "./tiers";

/**
 * All units are priced by the one tier that the quantity reaches. Source: semantics 5.3; semantics-extra 8 and 10 (200).
 */
export function volume(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const used = exact(quantity);
	const reached = tierReached(tiers, used);
	return reached ? [priceTier(reached, used)] : [];
}
