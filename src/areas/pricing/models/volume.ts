import { type Decimal, exact } from "../../../kernel/decimal";
import { type PricedTier, priceTier, type Tier, tierReached } from "./tiers";

/** Prices all units by the one tier that the quantity reaches. Source: docs/interface/catalogue.md#prices. */
export function volume(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const used = exact(quantity);
	const reached = tierReached(tiers, used);
	return reached ? [priceTier(reached, used)] : [];
}
