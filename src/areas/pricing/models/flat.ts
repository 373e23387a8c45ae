import { type Big, type Decimal, exact } from "../../../kernel/decimal";

/** The same price for every unit: price × quantity, exact. A flat fee is one unit; an addon held three times is three. */
export const flat = (price: Decimal, quantity: Decimal): Big => exact(price).times(exact(quantity));
