import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type PricedTier, type Tier, tierReached } from "./tiers";

/**
 * Returns the flat price of the one tier that the quantity reaches, once; unit prices do not count. Charges express
 * this as volume tiers with a flat price only. Source: docs/interface/contracts.md#items.
 */
export function stairstep(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const reached = tierReached(tiers, exact(quantity));
	if (!reached) return [];
	return [{ ...reached, quantity: toDecimal(1), amount: reached.flatPrice ?? zero }];
}
