import type { Work } from "../../kernel/work";
import type { TransactionPrice } from "../pricing/models/transaction";
import { transactionPriceId } from "../pricing/models/transaction-price-id";
import { selectPriceTerms } from "./charges/store";

/** A price of a feature's transactions (the feature's row id). */
interface PricedTransactions {
	readonly featureId: string;
	readonly price: TransactionPrice;
}

/**
 * Returns the prices of transactions in this environment, each once: those of drafts and of all published versions, so that
 * late events have the price of their time.
 */
export function transactionPrices(work: Work): PricedTransactions[] {
	const priced = selectPriceTerms(work).flatMap(({ featureId, priceTerms }) => {
		const price = priceTerms?.transactionPrice;
		return featureId !== null && price ? [{ featureId, price }] : [];
	});
	const byId = new Map(priced.map((one) => [`${one.featureId}/${transactionPriceId(one.price)}`, one]));
	return [...byId.values()];
}
