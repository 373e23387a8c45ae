import type { PricedCharge } from "./charge";
import { hashOf, type Segment } from "./segment";

/** Returns one text for each price by segments: usage at another price is another charge. */
export const segmentedPriceId = ({ price, tiersMode, tiers, blockSize, priceTerms }: PricedCharge): string =>
	hashOf([price, tiersMode, tiers, blockSize, priceTerms?.segments]);

/** Returns the charge of a segment: the price of its variant, or the default price, without terms of the whole window. */
export function chargeOfSegment<Charge extends PricedCharge>(
	charge: Charge,
	{ variantId }: Pick<Segment, "variantId">,
): Charge {
	const variant = charge.priceTerms?.segments?.variants.find(({ id }) => id === variantId);
	const { price, tiers, tiersMode, blockSize } = variant ?? charge;
	const { chargeInterval } = charge.priceTerms ?? {};
	return { ...charge, price, tiers, tiersMode, blockSize, priceTerms: chargeInterval ? { chargeInterval } : null };
}
