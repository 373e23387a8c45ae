import type { Work } from "../../kernel/work";
import { type Segmentation, segmentationId, segmentationOf } from "../pricing/models/segment";
import type { TransactionPrice } from "../pricing/models/transaction";
import { transactionPriceId } from "../pricing/models/transaction-price-id";
import { selectPriceTerms } from "./charges/store";

/** A price for which the events of a feature (its row id) are counted in addition to the feature's meter. */
export type CountedPrice = { readonly featureId: string } & (
	| { readonly transactionPrice: TransactionPrice; readonly segments?: undefined }
	| { readonly transactionPrice?: undefined; readonly segments: Segmentation }
);

/**
 * Returns the prices of transactions, and the ways that prices divide usage into segments, each once: those of drafts and of
 * all published versions, so that late events have the price of their time.
 */
export function countedPrices(work: Work): CountedPrice[] {
	const byId = new Map<string, CountedPrice>();
	for (const { featureId, priceTerms } of selectPriceTerms(work)) {
		if (featureId === null || !priceTerms) continue;
		const { transactionPrice, segments: priced } = priceTerms;
		if (transactionPrice)
			byId.set(`${featureId}/${transactionPriceId(transactionPrice)}`, { featureId, transactionPrice });
		if (priced) {
			const segments = segmentationOf(priced);
			byId.set(`${featureId}/${segmentationId(segments)}`, { featureId, segments });
		}
	}
	return [...byId.values()];
}

/** Returns the features (row ids) whose meter's units each event charges, by any draft or published version. */
export const featuresChargedAtEvent = (work: Work): ReadonlySet<string> =>
	new Set(
		selectPriceTerms(work).flatMap(({ featureId, priceTerms }) =>
			featureId !== null && priceTerms?.eventInvoicing && !priceTerms.transactionPrice ? [featureId] : [],
		),
	);
