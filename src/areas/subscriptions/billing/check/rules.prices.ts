import type { LineBasis } from "../../../pricing/basis";

type PriceOfLine = NonNullable<LineBasis["charge"]>;

/** Returns a price as text: two prices are the same if their texts are. */
export const priceText = (charge: PriceOfLine): string => {
	const { billingModel, isOverage = false, price, tiersMode, tiers, blockSize, priceTerms } = charge;
	return JSON.stringify({
		billingModel,
		isOverage,
		price: price && [price.amount, price.currency],
		tiersMode,
		tiers: tiers?.map(({ upTo, unitPrice, flatPrice }) => [upTo, unitPrice?.amount, flatPrice?.amount]),
		blockSize,
		...(priceTerms && { priceTerms }),
	});
};
