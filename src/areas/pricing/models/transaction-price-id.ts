import type { TransactionPrice } from "./transaction";

/** Returns one text for each price of transactions, under which files hold their costs. So it never changes. */
export const transactionPriceId = (price: TransactionPrice): string =>
	new Bun.CryptoHasher("sha256")
		.update(JSON.stringify(Object.entries(price).sort(([one], [other]) => (one < other ? -1 : 1))))
		.digest("hex")
		.slice(0, 20);
