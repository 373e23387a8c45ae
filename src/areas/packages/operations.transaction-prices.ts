import { asc, eq } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import type { TransactionPrice } from "../pricing/models/transaction";
import { transactionPriceId } from "../pricing/models/transaction-price-id";
import { type TransactionPriceRow, transactionPrices } from "./table";

/** Records a price of a feature's transactions (the feature's row id), so that usage counts their cost. */
export function recordTransactionPrice(work: Work, featureId: string, price: TransactionPrice): void {
	const { environmentId } = work.actor;
	work.tx
		.insert(transactionPrices)
		.values({ environmentId, featureId, priceId: transactionPriceId(price), price })
		.onConflictDoNothing()
		.run();
}

/** Returns all prices of transactions in this environment. */
export const listTransactionPrices = (work: Work): TransactionPriceRow[] =>
	work.tx
		.select()
		.from(transactionPrices)
		.where(eq(transactionPrices.environmentId, work.actor.environmentId))
		.orderBy(asc(transactionPrices.featureId), asc(transactionPrices.priceId))
		.all();
