import { type Big, type Decimal, exact } from "../../../kernel/decimal";

/** Returns price × quantity, exact. A flat fee is one unit; an addon with quantity three is three. */
export const flat = (price: Decimal, quantity: Decimal): Big => exact(price).times(exact(quantity));
