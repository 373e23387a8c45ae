import { type Segmentation, segmentationId } from "../pricing/models/segment";
import type { TransactionPrice } from "../pricing/models/transaction";
import { transactionPriceId } from "../pricing/models/transaction-price-id";

/** Names a feature or a meter whose events are counted by a price of transactions. */
export const pricedId = (id: string, price: TransactionPrice): string => `${id}/${transactionPriceId(price)}`;

/** Names a feature or a meter whose events are counted by segments. */
export const segmentedId = (id: string, segments: Segmentation): string => `${id}/${segmentationId(segments)}`;
