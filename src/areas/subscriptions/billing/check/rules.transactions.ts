import type { IssuedLine } from "../../../invoices/check/operations.documents";
import type { TransactionPrice } from "../../../pricing/models/transaction";
import { transactionPriceId } from "../../../pricing/models/transaction-price-id";

/** Yields lines that state another price of transactions than those by which their window was counted. */
export function* transactionDifferences(
	lines: readonly IssuedLine[],
	counted: readonly TransactionPrice[],
): Generator<string> {
	const ids = new Set(counted.map(transactionPriceId));
	for (const { named, line } of lines) {
		const price = line.basis?.charge?.priceTerms?.transactionPrice;
		if (price && !ids.has(transactionPriceId(price)))
			yield `${named}: states a price of transactions by which nothing was counted`;
	}
}
