import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type PricedTier, type Tier, tierReached } from "./tiers";

/**
 * The flat price of the one tier that the quantity reaches, once; unit prices play no part.
 * Source: docs/interface/contracts.md. (Charges say the same by volume tiers that have a flat price only.)
 */
export function stairstep(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const reached = tierReached(tiers, exact(quantity));
	if (!reached) return [];
	return [{ ...reached, quantity: toDecimal(1), amount: reached.flatPrice ?? zero }];
}
