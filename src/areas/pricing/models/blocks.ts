import { type Big, type Decimal, divide, exact } from "../../../kernel/decimal";

/**
 * Returns the number of whole blocks that cover the quantity: 0 for nothing, 1 for anything up to one block. Source:
 * docs/interface/catalogue.md#prices.
 */
export const blocksCovering = (quantity: Decimal, blockSize: Decimal): Big =>
	divide(exact(quantity), exact(blockSize), 0, "up");

/** The price of each started block (a "package" on contracts): price × ceil(quantity / blockSize), exact. */
export const perBlock = (price: Decimal, quantity: Decimal, blockSize: Decimal): Big =>
	exact(price).times(blocksCovering(quantity, blockSize));
