import type { TransactionPrice } from "./transaction";

/** Returns one text for each price of transactions, under which their costs are counted. */
export const transactionPriceId = (price: TransactionPrice): string =>
	Bun.hash(JSON.stringify(Object.entries(price).sort(([one], [other]) => (one < other ? -1 : 1)))).toString(36);
